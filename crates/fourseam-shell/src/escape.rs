//! Backslash escapes of `$'...'`, `echo -e` and `printf`. Text in, text out.

/// Decodes the inside of `$'...'`. A NUL ends the text, as it does in bash.
pub(crate) fn ansi_c(text: &str) -> String {
    let mut decoder = Decoder { style: Style::AnsiC, ..Decoder::default() };
    decoder.run(text);
    decoder.finish()
}

/// Decodes the argument of `echo -e` or `printf %b`. The flag says that `\c` ended all output.
pub(crate) fn echo(text: &str) -> (String, bool) {
    let mut decoder = Decoder { style: Style::Echo, ..Decoder::default() };
    let ended = decoder.run(text);
    (decoder.finish(), ended)
}

/// Decodes the escapes of a `printf` format.
pub(crate) fn format(text: &str) -> String {
    let mut decoder = Decoder { style: Style::Format, ..Decoder::default() };
    decoder.run(text);
    decoder.finish()
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Style {
    #[default]
    AnsiC,
    Echo,
    Format,
}

/// Collects bytes, since `\xHH` may give parts of characters.
#[derive(Default)]
struct Decoder {
    bytes: Vec<u8>,
    style: Style,
}

impl Decoder {
    /// Whether the text ended early.
    fn run(&mut self, text: &str) -> bool {
        let mut rest = text;
        while let Some(at) = rest.find('\\') {
            let (plain, escape) = rest.split_at_checked(at).unwrap_or((rest, ""));
            self.bytes.extend_from_slice(plain.as_bytes());
            let mut characters = escape.chars();
            characters.next();
            let Some(kind) = characters.next() else {
                self.bytes.push(b'\\');
                return false;
            };
            let after = characters.as_str();
            match self.one(kind, after) {
                Some(left) => rest = left,
                None => return true,
            }
        }
        self.bytes.extend_from_slice(rest.as_bytes());
        false
    }

    /// Decodes one escape; gives what follows it, or nothing when the text ends here.
    fn one<'a>(&mut self, kind: char, after: &'a str) -> Option<&'a str> {
        let simple = match kind {
            'a' => Some(7),
            'b' => Some(8),
            'e' | 'E' => Some(27),
            'f' => Some(12),
            'n' => Some(b'\n'),
            'r' => Some(b'\r'),
            't' => Some(b'\t'),
            'v' => Some(11),
            '\\' => Some(b'\\'),
            '\'' | '"' | '?' if self.style != Style::Echo => u8::try_from(kind).ok(),
            _ => None,
        };
        if let Some(byte) = simple {
            self.bytes.push(byte);
            return Some(after);
        }
        match kind {
            'x' => {
                let (value, left) = digits(after, 16, 2);
                self.byte_or_keep(value, "\\x", left)
            }
            '0' if self.style == Style::Echo => {
                let (value, left) = digits(after, 8, 3);
                self.byte(value.unwrap_or(0), left)
            }
            '0'..='7' => {
                let (more, left) = digits(after, 8, 2);
                let taken = after.len() - left.len();
                let value =
                    kind.to_digit(8).unwrap_or(0) * 8_u32.pow(u32::try_from(taken).unwrap_or(0)) + more.unwrap_or(0);
                self.byte(value, left)
            }
            'u' | 'U' => {
                let (value, left) = digits(after, 16, if kind == 'u' { 4 } else { 8 });
                match value.and_then(char::from_u32) {
                    Some(character) => self.bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                    None => self.bytes.extend_from_slice(if kind == 'u' { b"\\u" } else { b"\\U" }),
                }
                Some(left)
            }
            'c' if self.style == Style::AnsiC => {
                let mut characters = after.chars();
                if let Some(control) = characters.next() {
                    self.bytes.push(u8::try_from(control).unwrap_or(b'?') & 0x1f);
                }
                Some(characters.as_str())
            }
            'c' => None,
            _ => {
                self.bytes.push(b'\\');
                self.bytes.extend_from_slice(kind.encode_utf8(&mut [0; 4]).as_bytes());
                Some(after)
            }
        }
    }

    fn byte_or_keep<'a>(&mut self, value: Option<u32>, written: &str, left: &'a str) -> Option<&'a str> {
        match value {
            Some(value) => self.byte(value, left),
            None => {
                self.bytes.extend_from_slice(written.as_bytes());
                Some(left)
            }
        }
    }

    fn byte<'a>(&mut self, value: u32, left: &'a str) -> Option<&'a str> {
        let byte = u8::try_from(value & 0xff).unwrap_or(0);
        match (byte, self.style) {
            (0, Style::AnsiC) => None,
            // A NUL in the output of a command never reaches a word.
            (0, Style::Echo | Style::Format) => Some(left),
            _ => {
                self.bytes.push(byte);
                Some(left)
            }
        }
    }

    fn finish(self) -> String {
        String::from_utf8(self.bytes).unwrap_or_else(|broken| String::from_utf8_lossy(broken.as_bytes()).into_owned())
    }
}

/// Up to `most` digits at the beginning: their value, and what follows.
fn digits(text: &str, radix: u32, most: usize) -> (Option<u32>, &str) {
    let count = text.chars().take(most).take_while(|found| found.is_digit(radix)).count();
    let (number, left) = text.split_at_checked(count).unwrap_or((text, ""));
    (u32::from_str_radix(number, radix).ok(), left)
}
