//! Thrift's compact protocol, as far as Parquet's footers and page headers need it: what they claim is
//! looked at here before anything is allocated for it (Apache Thrift, "Thrift Compact protocol
//! encoding"; Apache Parquet, `parquet.thrift`).

/// The bytes are no such structure, or claim more than they can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// They end in the middle.
    Short,
    /// They make no sense.
    Wrong,
}

/// Structures in structures beyond this are nobody's.
const DEEPEST: usize = 24;

/// Goes through a structure.
#[derive(Clone, Debug)]
pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Elements of lists so far that are structures.
    structures: usize,
}

/// The types of the compact protocol that matter here.
mod kind {
    pub(super) const TRUE: u8 = 1;
    pub(super) const FALSE: u8 = 2;
    pub(super) const BYTE: u8 = 3;
    pub(super) const SHORT: u8 = 4;
    pub(super) const LONG: u8 = 6;
    pub(super) const DOUBLE: u8 = 7;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const SET: u8 = 10;
    pub(super) const STRUCTURE: u8 = 12;
}

/// A field's number and type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldHead {
    pub(super) number: i16,
    kind: u8,
}

impl FieldHead {
    pub(super) const fn is_structure(self) -> bool {
        self.kind == kind::STRUCTURE
    }

    pub(super) const fn is_list(self) -> bool {
        self.kind == kind::LIST
    }

    pub(super) const fn is_number(self) -> bool {
        matches!(self.kind, kind::SHORT..=kind::LONG)
    }

    /// A truth value is in the head itself.
    pub(super) const fn truth(self) -> Option<bool> {
        match self.kind {
            kind::TRUE => Some(true),
            kind::FALSE => Some(false),
            _ => None,
        }
    }
}

impl<'a> Walk<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, structures: 0 }
    }

    /// Bytes gone through.
    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// Elements of lists gone through that are structures: each costs its reader some hundred bytes.
    pub(super) const fn structures(&self) -> usize {
        self.structures
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        let byte = *self.bytes.get(self.at).ok_or(Fault::Short)?;
        self.at += 1;
        Ok(byte)
    }

    fn pass(&mut self, length: u64) -> Result<(), Fault> {
        let left = (self.bytes.len() - self.at) as u64;
        if length > left {
            return Err(Fault::Short);
        }
        self.at += length as usize;
        Ok(())
    }

    fn variable(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Fault::Wrong)
    }

    /// A whole number of 16 to 64 bits.
    pub(super) fn number(&mut self) -> Result<i64, Fault> {
        let value = self.variable()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The head of the next field of a structure, `None` at its end. `last` is the number of the field
    /// before, 0 at the start.
    pub(super) fn field(&mut self, last: i16) -> Result<Option<FieldHead>, Fault> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        let step = i16::from(byte >> 4);
        let number = if step == 0 {
            i16::try_from(self.number()?).map_err(|_| Fault::Wrong)?
        } else {
            last.checked_add(step).ok_or(Fault::Wrong)?
        };
        Ok(Some(FieldHead { number, kind: byte & 15 }))
    }

    /// The length of a list of structures.
    pub(super) fn list_of_structures(&mut self) -> Result<u64, Fault> {
        let (length, element) = self.list()?;
        if element != kind::STRUCTURE && length > 0 {
            return Err(Fault::Wrong);
        }
        self.structures = self.structures.saturating_add(length as usize);
        Ok(length)
    }

    fn list(&mut self) -> Result<(u64, u8), Fault> {
        let byte = self.byte()?;
        let length = match byte >> 4 {
            15 => self.variable()?,
            short => u64::from(short),
        };
        // Every element takes a byte at least.
        if length > (self.bytes.len() - self.at) as u64 {
            return Err(Fault::Short);
        }
        Ok((length, byte & 15))
    }

    /// Goes past the value of a field.
    pub(super) fn skip(&mut self, head: FieldHead) -> Result<(), Fault> {
        match head.truth() {
            Some(_) => Ok(()),
            None => self.value(head.kind, 0),
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Result<(), Fault> {
        if depth > DEEPEST {
            return Err(Fault::Wrong);
        }
        match kind {
            // In a list, truth values take a byte.
            kind::TRUE | kind::FALSE | kind::BYTE => self.pass(1),
            kind::SHORT..=kind::LONG => self.variable().map(drop),
            kind::DOUBLE => self.pass(8),
            kind::BINARY => {
                let length = self.variable()?;
                self.pass(length)
            }
            kind::LIST | kind::SET => {
                let (length, element) = self.list()?;
                if element == kind::STRUCTURE {
                    self.structures = self.structures.saturating_add(length as usize);
                }
                (0..length).try_for_each(|_| self.value(element, depth + 1))
            }
            kind::STRUCTURE => {
                let mut last = 0;
                while let Some(head) = self.field(last)? {
                    last = head.number;
                    if head.truth().is_none() {
                        self.value(head.kind, depth + 1)?;
                    }
                }
                Ok(())
            }
            // Parquet has no maps.
            _ => Err(Fault::Wrong),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for (bytes, number) in [(&[0][..], 0), (&[1], -1), (&[2], 1), (&[0xfe, 1], 127)] {
            assert_eq!(Walk::new(bytes).number(), Ok(number));
        }
        assert_eq!(Walk::new(&[0x80]).number(), Err(Fault::Short));
        assert_eq!(Walk::new(&[0xff; 20]).number(), Err(Fault::Wrong));
    }

    #[test]
    fn claims_beyond_the_bytes_are_refused() {
        // Field 1, a list of 2^34 structures; field 1, a text of 2^34 bytes.
        for kind in [&[0x19, 0xfc][..], &[0x18]] {
            let bytes = [kind, &[0x80, 0x80, 0x80, 0x80, 0x40, 0]].concat();
            let mut walk = Walk::new(&bytes);
            let head = walk.field(0).unwrap().unwrap();
            assert_eq!(walk.skip(head), Err(Fault::Short));
        }
        // A structure in a structure in …
        let deep = [0x1c; 1_000];
        let mut walk = Walk::new(&deep);
        let head = walk.field(0).unwrap().unwrap();
        assert_eq!(walk.skip(head), Err(Fault::Wrong));
    }
}
