#!/usr/bin/env bash
# Puts the pinned agents where the tests look for them, outside of git: `install.sh three` or `install.sh rest`.
# Takes no time when they are there already, and prints the folder. Exit code 3: npm is not here or could not fetch
# them, so nothing can be tested; 2: wrong use. Scripts of packages are not run, but for the two named below.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
set_name=${1:-}
[ -n "$set_name" ] && [ -f "$here/$set_name/package-lock.json" ] || { echo "usage: install.sh three|rest" >&2; exit 2; }

into=${FOURSEAM_CLIENTS:-${CARGO_TARGET_DIR:-$root/target}/clients}/$set_name
# Written last, so that an installation that broke off is made anew.
mark=$into/.installed
wanted() { cat "$here/$set_name/package-lock.json" "$here/install.sh"; }
echo "$into"
if wanted | cmp -s - "$mark"; then
    exit 0
fi

skipped() {
    echo "SKIPPED: the agents of \`$set_name\` are NOT tested: $1" >&2
    exit 3
}
command -v node >/dev/null || skipped "no node on this machine"
command -v npm >/dev/null || skipped "no npm on this machine"

rm -rf "$into"
mkdir -p "$into" || exit 2
cp "$here/$set_name/package.json" "$here/$set_name/package-lock.json" "$into/"
log=$into/npm.log
# `install` and not `ci`: a registry that mirrors some platforms alone makes a lock file without the packages of the
# others, and `ci` takes that for a mistake. What the lock file names is still what is put in place, with its hash.
if ! timeout 240 npm install --prefix "$into" --ignore-scripts --no-audit --no-fund --no-progress \
    --fetch-retries=1 --fetch-timeout=60000 >"$log" 2>&1; then
    tail -5 "$log" >&2
    skipped "\`npm install\` failed, see $log"
fi
# These link the native program of the agent to the name that is started.
for script in @anthropic-ai/claude-code/install.cjs opencode-ai/postinstall.mjs; do
    file=$into/node_modules/$script
    [ -f "$file" ] || continue
    (cd "$(dirname "$file")" && node "$file") >>"$log" 2>&1 || skipped "\`$file\` failed, see $log"
done
wanted >"$mark"
