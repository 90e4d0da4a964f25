//! Requests of the survey, by part of their clients: in memory while they fit, in a temporary file beyond.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::clients::{PARTS, part_of};
use super::event::Event;

/// Requests that one worker keeps in memory: 12 MB. Half of them are those that wait.
const IN_MEMORY: usize = if cfg!(test) { 1 << 10 } else { 1 << 19 };
/// Requests of one list that wait to be put away together: 48 KB.
const AT_ONCE: usize = IN_MEMORY / LISTS / 2;
/// For each part one list of the requests that are never analysed, and one of all others.
const LISTS: usize = 2 * PARTS;

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is analysed, if its group is.
    Analysed,
    /// It is counted and no more.
    Counted,
}

/// Where requests lie in the file.
struct Extent {
    /// Requests before.
    start: u64,
    /// See [`Spill::numberings`].
    numbering: usize,
}

#[derive(Default)]
struct List {
    waiting: Vec<Event>,
    kept: Vec<Vec<Event>>,
    /// Of [`AT_ONCE`] requests each.
    written: Vec<Extent>,
}

/// The requests of one worker.
pub(super) struct Spill {
    /// Where the file is made.
    folder: PathBuf,
    lists: Vec<List>,
    /// Requests in memory that do not wait any more.
    kept: usize,
    /// What is written next.
    bytes: Vec<u8>,
    file: Option<Mutex<File>>,
    /// Requests in the file.
    end: u64,
    /// What became of the numbers of groups that the file has: a table for those written first, one for those
    /// that came after groups got other numbers, and so on. The last one is empty, and its numbers hold.
    numberings: Vec<Vec<u32>>,
}

impl Spill {
    /// Keeps what does not fit into memory in an unnamed file of this folder.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            lists: std::iter::repeat_with(List::default).take(LISTS).collect(),
            kept: 0,
            bytes: Vec::new(),
            file: None,
            end: 0,
            numberings: vec![Vec::new()],
        }
    }

    /// Keeps one request. After an error nothing more may be pushed.
    #[inline]
    pub(super) fn push(&mut self, event: Event, of: Use) -> io::Result<()> {
        let place = list(part_of(event.client), of);
        let waiting = &mut self.lists[place].waiting;
        waiting.push(event);
        if waiting.len() >= AT_ONCE { self.put_away(place) } else { Ok(()) }
    }

    #[cold]
    fn put_away(&mut self, place: usize) -> io::Result<()> {
        let list = &mut self.lists[place];
        if self.kept + AT_ONCE <= IN_MEMORY - LISTS * AT_ONCE {
            self.kept += AT_ONCE;
            list.kept.push(std::mem::replace(&mut list.waiting, Vec::with_capacity(AT_ONCE)));
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            // Unnamed: it is gone when the process is, however it ends.
            none => none.insert(Mutex::new(tempfile::tempfile_in(&self.folder)?)),
        };
        let file = file.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.bytes.resize(AT_ONCE * Event::BYTES, 0);
        let (places, _) = self.bytes.as_chunks_mut();
        for (place, event) in places.iter_mut().zip(&list.waiting) {
            *place = event.to_bytes();
        }
        file.write_all(&self.bytes)?;
        list.written.push(Extent { start: self.end, numbering: self.numberings.len() - 1 });
        list.waiting.clear();
        self.end += AT_ONCE as u64;
        Ok(())
    }

    /// Gives every group another number.
    pub(super) fn renumber(&mut self, numbers: &[u32]) {
        for list in &mut self.lists {
            for event in list.waiting.iter_mut().chain(list.kept.iter_mut().flatten()) {
                *event = event.with_group(numbers[event.group() as usize]);
            }
        }
        for numbering in &mut self.numberings {
            for number in &mut *numbering {
                *number = numbers[*number as usize];
            }
        }
        if self.end > 0 {
            if let Some(last) = self.numberings.last_mut() {
                *last = numbers.to_vec();
            }
            self.numberings.push(Vec::new());
        }
    }

    /// Ends the writing.
    pub(super) fn seal(&mut self) {
        self.bytes = Vec::new();
    }

    /// How many requests of clients of a part there are.
    pub(super) fn count(&self, part: usize, of: Use) -> usize {
        let list = &self.lists[list(part, of)];
        list.waiting.len() + (list.kept.len() + list.written.len()) * AT_ONCE
    }

    /// Hands over the requests of clients of a part, in the order in which they came, but those in memory last.
    pub(super) fn events(
        &self,
        part: usize,
        of: Use,
        mut each: impl FnMut(Event),
    ) -> io::Result<()> {
        let list = &self.lists[list(part, of)];
        let mut bytes = vec![0; if list.written.is_empty() { 0 } else { AT_ONCE * Event::BYTES }];
        for extent in &list.written {
            self.read(extent, &mut bytes)?;
            let (events, _) = bytes.as_chunks();
            let numbers = &*self.numberings[extent.numbering];
            for event in events.iter().map(Event::from_bytes) {
                let group = event.group();
                each(event.with_group(numbers.get(group as usize).copied().unwrap_or(group)));
            }
        }
        list.kept.iter().flatten().chain(&list.waiting).copied().for_each(each);
        Ok(())
    }

    fn read(&self, extent: &Extent, bytes: &mut [u8]) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(extent.start * Event::BYTES as u64))?;
        file.read_exact(bytes)
    }
}

const fn list(part: usize, of: Use) -> usize {
    2 * part + of as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(client: u32, time: u32, group: u32) -> Event {
        Event { client, time, packed: 7, ..Event::default() }.with_group(group)
    }

    /// Times and groups, by time.
    fn found(spill: &Spill, part: usize, of: Use) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        spill
            .events(part, of, |event| {
                assert_eq!(event.flags(), 7);
                found.push((event.time, event.group()));
            })
            .unwrap();
        assert_eq!(spill.count(part, of), found.len());
        found.sort_unstable();
        found
    }

    #[test]
    fn what_went_to_the_file_comes_back_with_the_numbers_that_groups_have_now() {
        let mut spill = Spill::new(std::env::temp_dir());
        let all = 20_000_u32;
        let of = |time: u32| if time % 7 < 3 { Use::Counted } else { Use::Analysed };
        for time in 0..all {
            let group = if time < 9_000 { time % 3 } else { time % 2 };
            spill.push(event(time % 5, time, group), of(time)).unwrap();
            if time == 8_999 {
                // Of three groups two become one.
                spill.renumber(&[1, 0, 1]);
            }
        }
        assert!(spill.end > 0 && spill.kept > 0 && spill.numberings.len() == 2);
        spill.renumber(&[5, 4]);
        spill.seal();
        for part in 0..6 {
            for kind in [Use::Counted, Use::Analysed] {
                let expected: Vec<(u32, u32)> = (0..all)
                    .filter(|&time| time % 5 == part && of(time) == kind)
                    .map(|time| {
                        let first =
                            if time < 9_000 { [1, 0, 1][time as usize % 3] } else { time % 2 };
                        (time, [5, 4][first as usize])
                    })
                    .collect();
                assert_eq!(found(&spill, part as usize, kind), expected);
            }
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error_before_memory_is_full() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path().join("gone"));
        let mut push = |time| spill.push(event(time % 2, time, 0), Use::Analysed);
        let failed = (0..=IN_MEMORY as u32).position(|time| push(time).is_err());
        assert!(failed.is_some_and(|failed| failed >= IN_MEMORY / 2), "{failed:?}");
    }
}
