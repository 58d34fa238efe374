//! Which stretches of a very long text are read: all of it up to a bound, beyond that head, tail and samples between.

use super::view::floor;
use std::ops::Range;

/// Texts up to this many bytes are read whole.
pub(super) const WHOLE: usize = 1 << 20;

/// Of longer ones, this much at each end, where instructions are put and heeded most.
const END: usize = 320 << 10;

/// And this many samples between them.
const SAMPLES: usize = 6;

/// Length of a sample.
const SAMPLE: usize = 64 << 10;

/// The stretches to read, in order, none overlapping. In sum never more than [`WHOLE`] bytes.
pub(super) fn windows(text: &str) -> Vec<Range<usize>> {
    if text.len() <= WHOLE {
        return std::iter::once(0..text.len()).collect();
    }
    let tail = floor(text, text.len() - END);
    let mut windows = Vec::with_capacity(SAMPLES + 2);
    windows.push(0..floor(text, END));
    let step = (tail - END) / SAMPLES;
    for sample in 0..SAMPLES {
        let start = END + sample * step + (step.saturating_sub(SAMPLE)) / 2;
        windows.push(floor(text, start)..floor(text, (start + SAMPLE.min(step)).min(tail)));
    }
    windows.push(tail..text.len());
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_read_whole_and_long_ones_in_bounds() {
        assert!(windows("abc").iter().eq(std::iter::once(&(0..3))));
        for length in [WHOLE + 1, WHOLE + 7, 3 * WHOLE, 16 * WHOLE] {
            let text = "aä".repeat(length / 3 + 1);
            let windows = windows(&text);
            assert!(windows.windows(2).all(|pair| matches!(pair, [a, b] if a.end <= b.start)), "{windows:?}");
            assert!(windows.iter().map(std::iter::ExactSizeIterator::len).sum::<usize>() <= WHOLE);
            assert!(windows.iter().all(|window| text.get(window.clone()).is_some()));
            assert_eq!(windows.last().map(|window| window.end), Some(text.len()));
        }
    }
}
