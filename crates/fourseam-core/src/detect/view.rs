//! A copy of a text made for matching: lower case, without invisible characters, accents and look-alikes, blanks
//! collapsed, wrapped lines joined. Knows where each byte came from.

use std::ops::Range;

/// The copy and the way back.
pub(super) struct View {
    /// What to match against.
    pub(super) text: String,
    /// `(position in the copy, position in the original)` wherever the distance changes.
    steps: Vec<(usize, usize)>,
}

impl View {
    pub(super) fn of(original: &str) -> Self {
        let mut view = Self { text: String::with_capacity(original.len()), steps: Vec::new() };
        let mut rest = original;
        let mut word_start = 0;
        while let Some(c) = rest.chars().next() {
            let at = original.len() - rest.len();
            if c.is_ascii_alphanumeric() {
                let run = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
                let (word, after) = rest.split_at(run);
                view.mark(at);
                view.text.push_str(word);
                let from = view.text.len() - run;
                if let Some(pushed) = view.text.get_mut(from..) {
                    pushed.make_ascii_lowercase();
                }
                rest = after;
                continue;
            }
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            if is_invisible(c) {
                continue;
            }
            view.mark(at);
            match c {
                '\n' => view.end_line(&mut rest),
                ' ' | '\t' | '\r' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
                    view.blank()
                }
                _ if c.is_ascii() => view.text.push(c),
                _ => fold(c, &mut view.text),
            }
            if !is_word(c) {
                view.fold_word(word_start);
                word_start = view.text.len();
            }
        }
        view.fold_word(word_start);
        view
    }

    /// Where a range of the copy lies in the original.
    pub(super) fn original(&self, range: Range<usize>, original: &str) -> Range<usize> {
        let start = self.original_at(range.start);
        let end = self.original_at(range.end).min(original.len());
        floor(original, start)..floor(original, end)
    }

    fn original_at(&self, at: usize) -> usize {
        let step = self.steps.partition_point(|(copy, _)| *copy <= at);
        let (copy, original) = step.checked_sub(1).and_then(|step| self.steps.get(step)).copied().unwrap_or_default();
        original + (at - copy)
    }

    /// Notes that what is pushed next comes from `at`.
    fn mark(&mut self, at: usize) {
        let here = self.text.len();
        if self.original_end() != Some(at) {
            self.steps.push((here, at));
        }
    }

    /// Where the next byte of the original would be if nothing had been dropped since the last step.
    fn original_end(&self) -> Option<usize> {
        let (copy, original) = self.steps.last().copied().unwrap_or_default();
        Some(original + (self.text.len() - copy))
    }

    fn blank(&mut self) {
        if !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    /// A line ends. When the next one goes on in lower case, it is the same sentence, also behind comment marks.
    fn end_line(&mut self, rest: &mut &str) {
        let next = rest.trim_start_matches([' ', '\t', '\r']);
        let marks = next
            .bytes()
            .take(4)
            .take_while(|byte| matches!(byte, b'*' | b'/' | b'#' | b'>' | b'|' | b'-' | b';'))
            .count();
        let words =
            if marks < 4 { next.get(marks..).unwrap_or_default().trim_start_matches([' ', '\t']) } else { next };
        let is_list_item = marks == 1 && next.starts_with(['-', '*']) && !self.in_block_comment();
        let goes_on = self.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | ' ' | '`' | ')'))
            && words.starts_with(|c: char| c.is_lowercase() || matches!(c, '`' | '~'))
            && !is_list_item;
        if goes_on {
            self.blank();
            *rest = words;
        } else if !self.text.ends_with('\n') || next.starts_with('\n') {
            self.text.push('\n');
        }
    }

    /// The line just pushed is one of a `/* ... */` comment.
    fn in_block_comment(&self) -> bool {
        let line = self.text.rsplit('\n').next().unwrap_or_default().trim_start();
        line.starts_with("* ") || line.starts_with("/*")
    }

    /// Folds look-alikes of other scripts in a word that also has Latin letters.
    fn fold_word(&mut self, from: usize) {
        let Some(word) = self.text.get(from..) else { return };
        if word.is_ascii()
            || !word.bytes().any(|byte| byte.is_ascii_lowercase())
            || !word.chars().any(|c| latin_of(c).is_some())
        {
            return;
        }
        // Look-alikes take two bytes, Latin letters one: the rest of the map moves with them.
        let mut folded = String::with_capacity(word.len());
        let mut steps = Vec::new();
        for (offset, c) in word.char_indices() {
            let original = self.original_at(from + offset);
            steps.push((from + folded.len(), original));
            folded.push(latin_of(c).unwrap_or(c));
        }
        self.steps.retain(|(copy, _)| *copy < from);
        self.steps.extend(steps);
        self.text.truncate(from);
        self.text.push_str(&folded);
    }
}

/// The nearest character boundary at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Takes no room when shown.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Pushes the plain form of a character outside ASCII.
fn fold(c: char, out: &mut String) {
    match c {
        '\u{300}'..='\u{36f}' => {}
        '‘' | '’' | '‚' | '′' | 'ʼ' => out.push('\''),
        '“' | '”' | '„' | '″' => out.push('"'),
        '‐'..='―' | '−' => out.push('-'),
        '\u{2028}' | '\u{2029}' | '\u{85}' => out.push('\n'),
        '\u{ff01}'..='\u{ff5e}' => {
            let ascii = char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c);
            // Full-width punctuation ends sentences of its own scripts and stays.
            out.push(if ascii.is_ascii_alphanumeric() { ascii.to_ascii_lowercase() } else { c });
        }
        '\u{1d400}'..='\u{1d6a3}' => {
            let letter = u8::try_from((u32::from(c) - 0x1d400) % 26).unwrap_or(0);
            out.push(char::from(b'a' + letter));
        }
        '\u{24b6}'..='\u{24e9}' => {
            let letter = u8::try_from((u32::from(c) - 0x24b6) % 26).unwrap_or(0);
            out.push(char::from(b'a' + letter));
        }
        _ => {
            for lower in c.to_lowercase() {
                match unaccented(lower) {
                    Some(plain) => out.push_str(plain),
                    None => out.push(lower),
                }
            }
        }
    }
}

/// The ASCII spelling of an accented Latin letter in lower case.
fn unaccented(c: char) -> Option<&'static str> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ł' | 'ľ' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ț' | 'ţ' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'æ' => "ae",
        'œ' => "oe",
        _ => return None,
    })
}

/// The Latin letter that a lower-case Cyrillic or Greek letter looks like.
fn latin_of(c: char) -> Option<char> {
    Some(match c {
        'а' | 'α' => 'a',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ё' | 'ε' => 'e',
        'һ' => 'h',
        'і' | 'ї' | 'ι' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'у' => 'y',
        'ν' => 'v',
        'ѡ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::string_slice, reason = "tests may panic")]
    use super::*;

    #[test]
    fn the_copy_is_plain() {
        for (original, copy) in [
            ("Ignore  ALL\tprevious", "ignore all previous"),
            ("i\u{200b}g\u{ad}nore", "ignore"),
            ("Précédentes Überprüfung", "precedentes uberprufung"),
            ("іgnоrе рrеvіоus", "ignore previous"),
            ("игнорируй", "игнорируй"),
            ("ｉｇｎｏｒｅ 𝗶𝗴𝗻𝗼𝗿𝗲", "ignore ignore"),
            ("one two\nthree\nFour", "one two three\nfour"),
            ("/* one\n * two\n */", "/* one two\n*/"),
            ("// one\n// two", "// one two"),
            ("- one\n- two", "- one\n- two"),
            ("a “quoted” word’s", "a \"quoted\" word's"),
        ] {
            assert_eq!(View::of(original).text, copy);
        }
    }

    #[test]
    fn ranges_lead_back() {
        for (original, word, back) in [
            ("x  I\u{200b}gn\u{200b}ore y", "ignore", "I\u{200b}gn\u{200b}ore"),
            ("über ß Straße ignore", "ignore", "ignore"),
            ("a іgnоrе б run", "run", "run"),
            ("a іgnоrе б run", "ignore", "іgnоrе"),
            ("первый ignore", "ignore", "ignore"),
            ("a\n  b   c ignore", "c", "c"),
        ] {
            let view = View::of(original);
            let at = view.text.find(word).unwrap_or_default();
            assert_eq!(&original[view.original(at..at + word.len(), original)], back, "{original}");
        }
    }
}
