#!/usr/bin/env bash
# Runs the scenarios in the real clients: `run.sh three` with Claude Code, Codex and Gemini CLI, `run.sh all` with all six.
# What follows goes to the runner (`--setup hanging`). Exit code 0: everything as wanted or as explained; 1: not; 2: could
# not be run; 3: skipped, which is said loudly.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 2
three=claude-code,codex,gemini-cli
case ${1:-} in
    three) sets=(three) hosts=$three ;;
    all) sets=(three rest) hosts=$three,copilot-cli,opencode,qwen-code ;;
    *) echo "usage: run.sh three|all [OPTIONS OF THE RUNNER]" >&2; exit 2 ;;
esac
shift

bins=()
for set_name in "${sets[@]}"; do
    folder=$("$here/install.sh" "$set_name") || exit $?
    bins+=(--bin "$folder/node_modules/.bin")
done
target=${CARGO_TARGET_DIR:-target}
# As `cargo test --workspace` builds, so that nothing is built twice.
cargo build --quiet --workspace --locked --bins --tests || exit 2
"$target/debug/fourseam-clients" --fourseam "$target/debug/fourseam" "${bins[@]}" --host "$hosts" \
    --ground "$target/clients/stages" "$@"
