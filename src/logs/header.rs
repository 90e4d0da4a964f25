//! The header read last.

use super::fields::FieldList;

/// Nearly all files of a log have the same header, and each is asked for it more than once: what its names
/// mean is worked out anew only where they change.
#[derive(Debug, Default)]
pub(super) struct HeaderMemory {
    last: Option<(Vec<u8>, FieldList)>,
}

impl HeaderMemory {
    /// The field list of a header's names.
    pub(super) fn list(&mut self, names: &[u8]) -> FieldList {
        match &self.last {
            Some((known, list)) if known == names => *list,
            _ => {
                let list = FieldList::of(&String::from_utf8_lossy(names));
                self.last = Some((names.to_vec(), list));
                list
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_header_is_another_list() {
        let mut memory = HeaderMemory::default();
        for names in ["date time c-ip", "date time c-ip", "", "c-ip date time", "date time c-ip"] {
            assert_eq!(memory.list(names.as_bytes()), FieldList::of(names), "{names}");
        }
    }
}
