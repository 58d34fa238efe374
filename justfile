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
