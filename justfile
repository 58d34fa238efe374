# Everything that CI runs.
check:
    .ci/run

# The tests alone.
test:
    cargo test --workspace --locked

# Format, then lint.
lint:
    cargo fmt --all
    cargo clippy --workspace --all-targets --locked -- -D warnings

# One dangerous command in every agent's own words.
demo:
    cargo run --release -- demo

# Every scenario in the real Claude Code, Codex and Gemini CLI (a few minutes; installs them under target/clients).
clients *args:
    tests/clients/run.sh three {{args}}

# The same in all six clients that can be driven.
clients-all *args:
    tests/clients/run.sh all {{args}}

# Everything that CI runs, and nothing of it may be skipped.
release-check:
    .ci/run --release

# Every parser of outside bytes, coverage-guided, ten minutes each (nightly and cargo-fuzz).
fuzz seconds="600":
    for target in $(cargo +nightly fuzz list); do \
        cargo +nightly fuzz run "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- -max_total_time={{seconds}} || exit 1; \
    done

# Mutants of what makes, fits and says verdicts: each must be caught by a test (cargo-mutants; about an hour).
mutants *args:
    mkdir -p target/mutants
    PROPTEST_DISABLE_FAILURE_PERSISTENCE=1 cargo mutants -o target/mutants/core -p fourseam-core \
        -f 'crates/fourseam-core/src/{verdict,decision,decide,capabilities,remedy}.rs' \
        -f 'crates/fourseam-core/src/policy/{evaluate,switches}.rs' {{args}} -- --lib
    cargo mutants -o target/mutants/hosts -p fourseam-hosts -f 'crates/fourseam-hosts/src/{lib,host,result}.rs' \
        -f 'crates/fourseam-hosts/src/*/{mod,render}.rs' -e 'crates/fourseam-hosts/src/checkup/*' \
        --exclude-re 'Host for \w+>::(id|aliases|title|recognises|sample|parse|limits|install)\b' {{args}} \
        -- --lib --test fixtures --test results --test docs

# Whole processes beside an empty one, interpreters and peers; the budgets; the log; all into docs/performance.md. Then single decisions.
bench:
    FOURSEAM_BENCH_PAGE="{{justfile_directory()}}/docs/performance.md" cargo bench -p fourseam --bench process
    FOURSEAM_BENCH_PAGE="{{justfile_directory()}}/docs/performance.md" cargo bench -p fourseam --bench budgets
    FOURSEAM_BENCH_PAGE="{{justfile_directory()}}/docs/performance.md" cargo bench -p fourseam --bench log
    cargo bench -p fourseam-packs --bench decide

# Guards of others, for `just bench`, under target/peers.
peers:
    npm install --silent --prefix target/peers cc-safety-net && mkdir -p target/peers/bin
    ln -sf ../node_modules/.bin/cc-safety-net target/peers/bin/cc-safety-net
    python3 -m venv target/peers/venv && target/peers/venv/bin/pip install --quiet nah
    ln -sf ../venv/bin/nah target/peers/bin/nah
    cargo install --quiet --locked --root target/peers destructive_command_guard
