//! Blocks of text to JSON objects: one a line, glued together, or printed over many lines, and the
//! elements of an array of them.

use super::carry::Carry;
use super::lines::Line;

/// The longest object that is looked at; longer ones are skipped and counted. A record of WAF has at most
/// some 20 KB of headers; an envelope of CloudWatch Logs holds megabytes.
const LONGEST: usize = 16 << 20;

/// Deeper objects are none of a log.
const DEEPEST: u32 = 64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// Between two objects.
    #[default]
    Between,
    /// In an object, outside of texts.
    Object,
    /// In a text within an object.
    Text,
    /// In what is no object, until the line ends.
    Other,
}

/// Cuts blocks into objects, whatever is in them: only brackets and quotes are looked at.
#[derive(Debug, Default)]
pub(super) struct Objects {
    mode: Mode,
    /// The start of an object whose end is still to come.
    carry: Carry<LONGEST>,
    /// Brackets that are open.
    depth: u32,
    /// For each of them, from the lowest bit for the innermost, whether it is that of an object.
    braces: u64,
    /// The last byte outside of texts and blanks; `"` after a text.
    last: u8,
    /// The byte before was a backslash in a text.
    escaped: bool,
    /// The line that is being read, from 0.
    line: u64,
    /// The line the object starts on, from 0.
    first_line: u64,
    /// Whether objects end on the line they start on, once that is known: then a line end in an object
    /// says that it is broken, and the next one begins there.
    one_a_line: Option<bool>,
}

impl Objects {
    /// Forgets everything, for the next file.
    pub(super) fn restart(&mut self) {
        let mut carry = std::mem::take(&mut self.carry);
        carry.clear();
        *self = Self { carry, ..Self::default() };
    }

    /// The number of the line on which an object starts that is longer than any file should be asked for.
    pub(super) fn endless(&self) -> Option<u64> {
        self.carry.is_endless().then_some(self.first_line + 1)
    }

    /// What is there so far of an object without an end.
    pub(super) fn unfinished(&self) -> &[u8] {
        self.carry.text()
    }

    /// Hands over each object that ends in this block, with the number of its first line. What is no
    /// object, or a broken one, is handed over as well, so that nothing goes missing unseen. `false` from
    /// the receiver stops, and so does an object without an end.
    pub(super) fn feed(
        &mut self,
        block: &[u8],
        mut each: impl FnMut(u64, Line<'_>) -> bool,
    ) -> bool {
        // Where in this block the object starts, as far as it is not in `carry`.
        let mut start = 0;
        let mut at = 0;
        while at < block.len() {
            if self.mode == Mode::Text && !self.escaped {
                let next = memchr::memchr3(b'"', b'\\', b'\n', &block[at..]);
                at += next.unwrap_or(block.len() - at);
                if at == block.len() {
                    break;
                }
            }
            let byte = block[at];
            self.line += u64::from(byte == b'\n');
            let end = match self.mode {
                Mode::Between => {
                    if !matches!(
                        byte,
                        b' ' | b'\t'
                            | b'\r'
                            | b'\n'
                            | b','
                            | b'['
                            | b']'
                            | 0x1e
                            | 0xef
                            | 0xbb
                            | 0xbf
                    ) {
                        start = at;
                        self.begin(byte);
                    }
                    None
                }
                Mode::Other => (byte == b'\n').then_some(at),
                Mode::Text => self.in_text(byte).then_some(at),
                Mode::Object => self.in_object(byte, at),
            };
            if let Some(end) = end {
                if !self.end(&block[start.min(end)..end], &mut each) {
                    return false;
                }
                start = end;
                // A brace where none may be begins the next object.
                if end == at && byte == b'{' {
                    self.begin(byte);
                }
            }
            at += 1;
        }
        if self.mode != Mode::Between {
            self.carry.keep(&block[start..]);
        }
        self.endless().is_none()
    }

    /// Hands over what has no end at the end of the file.
    pub(super) fn finish(&mut self, each: &mut impl FnMut(u64, Line<'_>) -> bool) -> bool {
        self.mode == Mode::Between || self.end(&[], each)
    }

    fn begin(&mut self, byte: u8) {
        self.first_line = self.line;
        self.escaped = false;
        (self.mode, self.depth, self.braces, self.last) =
            if byte == b'{' { (Mode::Object, 1, 1, byte) } else { (Mode::Other, 0, 0, 0) };
    }

    /// Whether the text is broken off.
    fn in_text(&mut self, byte: u8) -> bool {
        if byte == b'\n' {
            return true;
        }
        if self.escaped {
            self.escaped = false;
        } else if byte == b'\\' {
            self.escaped = true;
        } else if byte == b'"' {
            self.mode = Mode::Object;
            self.last = byte;
        }
        false
    }

    /// Where the object ends, if it does.
    fn in_object(&mut self, byte: u8, at: usize) -> Option<usize> {
        let in_braces = self.braces & 1 == 1;
        match byte {
            b' ' | b'\t' | b'\r' => return None,
            b'\n' => return (self.one_a_line == Some(true)).then_some(at),
            b'"' => self.mode = Mode::Text,
            b'{' | b'[' => {
                let expected = if in_braces { self.last == b':' } else { self.last != b'"' };
                if !expected || self.depth == DEEPEST {
                    return Some(at);
                }
                self.depth += 1;
                self.braces = self.braces << 1 | u64::from(byte == b'{');
            }
            b'}' | b']' => {
                if in_braces != (byte == b'}') {
                    return Some(at);
                }
                self.depth -= 1;
                self.braces >>= 1;
                if self.depth == 0 {
                    self.one_a_line.get_or_insert(self.first_line == self.line);
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        self.last = byte;
        None
    }

    fn end(&mut self, rest: &[u8], each: &mut impl FnMut(u64, Line<'_>) -> bool) -> bool {
        self.mode = Mode::Between;
        let number = self.first_line + 1;
        if self.carry.is_empty() && rest.len() <= LONGEST {
            return each(number, Line::Text(rest));
        }
        self.carry.keep(rest);
        self.carry.finish(|line| each(number, line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, block: usize) -> Vec<(u64, String)> {
        let mut objects = Objects::default();
        let mut seen = Vec::new();
        let mut each = |number, line: Line<'_>| {
            let text = match line {
                Line::Text(text) => String::from_utf8_lossy(text).into_owned(),
                Line::TooLong => "too long".to_owned(),
            };
            seen.push((number, text));
            true
        };
        for part in text.as_bytes().chunks(block) {
            objects.feed(part, &mut each);
        }
        objects.finish(&mut each);
        seen
    }

    /// The objects do not depend on where the blocks are cut.
    fn objects(text: &str) -> Vec<(u64, String)> {
        let whole = cut(text, text.len());
        for block in 1..text.len() {
            assert_eq!(cut(text, block), whole, "{block}");
        }
        whole
    }

    fn numbered(expected: &[(u64, &str)]) -> Vec<(u64, String)> {
        expected.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
    }

    #[test]
    fn objects_are_found_however_they_are_written() {
        let brackets = r#"{"a":"}{\"\\","b":[{},[]]}"#;
        for (text, expected) in [
            (format!("{brackets}\n{{}}\r\n"), vec![(1, brackets), (2, "{}")]),
            (format!("{brackets}{{}}{{}}"), vec![(1, brackets), (1, "{}"), (1, "{}")]),
            (format!("[{brackets},\n{{}}]\n"), vec![(1, brackets), (2, "{}")]),
            (
                "\u{feff}{\n  \"a\": [\n{\n}\n]\n}\n{\n}".to_owned(),
                vec![(1, "{\n  \"a\": [\n{\n}\n]\n}"), (7, "{\n}")],
            ),
        ] {
            assert_eq!(objects(&text), numbered(&expected), "{text}");
        }
    }

    #[test]
    fn a_broken_object_takes_no_other_with_it() {
        for (text, expected) in [
            (
                "{}\n{\"a\":\"cut\n{\"b\":1}\n",
                vec![(1, "{}"), (2, "{\"a\":\"cut"), (3, "{\"b\":1}")],
            ),
            ("{}\n{\"a\":[{},\n{\"b\":1}\n", vec![(1, "{}"), (2, "{\"a\":[{},"), (3, "{\"b\":1}")]),
            ("{\"a\":1,\n{\"b\":1}\n", vec![(1, "{\"a\":1,\n"), (2, "{\"b\":1}")]),
            ("{}\nnot json {\n{}", vec![(1, "{}"), (2, "not json {"), (3, "{}")]),
            ("{}{\"a\":]}\n{}", vec![(1, "{}"), (1, "{\"a\":"), (1, "}"), (2, "{}")]),
            ("{}\n{\"a\"", vec![(1, "{}"), (2, "{\"a\"")]),
        ] {
            assert_eq!(objects(text), numbered(&expected), "{text}");
        }
    }

    proptest::proptest! {
        /// However random objects are written and joined, they are found as a parser finds them.
        #[test]
        fn random_objects_are_found_as_a_parser_finds_them(
            texts in proptest::collection::vec("[{}\\[\\],:\"\\\\a \n\u{e9}]{0,8}", 1..6),
            pretty in proptest::bool::ANY,
            glue in proptest::sample::select(vec!["\n", "", " ", ",\n", "\r\n\r\n"]),
            block in 1_usize..40,
        ) {
            let values: Vec<serde_json::Value> = texts
                .iter()
                .enumerate()
                .map(|(place, text)| match place % 3 {
                    0 => serde_json::json!({ text: text }),
                    1 => serde_json::json!({ "list": [text, { text: [] }], "b": {} }),
                    _ => serde_json::json!({}),
                })
                .collect();
            let written: Vec<String> = values
                .iter()
                .map(|value| if pretty { format!("{value:#}") } else { value.to_string() })
                .collect();
            let seen: Vec<serde_json::Value> = cut(&written.join(glue), block)
                .iter()
                .map(|(_, text)| serde_json::from_str(text).unwrap())
                .collect();
            proptest::prop_assert_eq!(seen, values);
        }
    }

    #[test]
    fn an_object_over_its_bound_is_told_not_kept() {
        let text = format!("{{\"a\":\"{}\"}}\n{{}}", "x".repeat(LONGEST));
        for block in [1 << 20, text.len()] {
            assert_eq!(cut(&text, block), numbered(&[(1, "too long"), (2, "{}")]));
        }
    }
}
