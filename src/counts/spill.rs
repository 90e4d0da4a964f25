//! Requests of the survey, by group: in memory while they fit, in a temporary file beyond.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use super::clients::{Numbers, part_of};
use super::event::Event;

/// Requests that one worker keeps in memory: 12 MB.
const IN_MEMORY: usize = 1 << 19;
/// Requests that are read ahead from all stretches of the file together: 24 MB.
const AHEAD: usize = 1 << 20;

/// A stretch of events of one group.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u64,
    group: u32,
    length: u32,
}

/// What one flush wrote, in order of the groups' ranks: whoever asks for the groups in that order
/// reads the file once from start to end, in each segment.
struct Segment {
    /// The event after its last one.
    end: u64,
    /// Events that were read ahead.
    block: Vec<u8>,
    block_start: u64,
}

/// The events of one worker.
pub(super) struct Spill {
    /// Where the file is made.
    folder: PathBuf,
    buffer: Vec<Event>,
    /// The same by group, as the file has it.
    bytes: Vec<u8>,
    file: Option<File>,
    segments: Vec<Segment>,
    file_runs: Vec<Run>,
    /// Filled once it is sealed.
    buffer_runs: Vec<Run>,
    /// Where the runs of each group start, once it is sealed: to search for them takes longer than to
    /// read them.
    buffer_starts: Vec<usize>,
    file_starts: Vec<usize>,
}

impl Spill {
    /// Keeps what does not fit into memory in an unnamed file of this folder.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            buffer: Vec::new(),
            bytes: Vec::new(),
            file: None,
            segments: Vec::new(),
            file_runs: Vec::new(),
            buffer_runs: Vec::new(),
            buffer_starts: Vec::new(),
            file_starts: Vec::new(),
        }
    }

    /// Keeps one event. `rank` orders the groups in the file. After an error nothing more may be
    /// pushed.
    #[inline]
    pub(super) fn push(&mut self, event: Event, rank: impl Fn(u32) -> u64) -> io::Result<()> {
        self.buffer.push(event);
        if self.buffer.len() >= IN_MEMORY { self.flush(rank) } else { Ok(()) }
    }

    #[cold]
    fn flush(&mut self, rank: impl Fn(u32) -> u64) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            // Unnamed: it is gone when the process is, however it ends.
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        let start = self.segments.last().map_or(0, |segment| segment.end);
        let end = start + self.buffer.len() as u64;
        self.bytes.resize(self.buffer.len() * Event::BYTES, 0);
        let (places, _) = self.bytes.as_chunks_mut();
        let runs = by_group(&self.buffer, start, rank, |place, event| {
            places[place] = event.to_bytes();
        });
        file.write_all(&self.bytes)?;
        self.file_runs.extend(runs);
        self.segments.push(Segment { end, block: Vec::new(), block_start: start });
        self.buffer.clear();
        Ok(())
    }

    /// Gives every group another number.
    pub(super) fn renumber(&mut self, numbers: &[u32]) {
        for event in &mut self.buffer {
            event.packed = numbers[event.group() as usize] << 8 | u32::from(event.flags());
        }
        for run in &mut self.file_runs {
            run.group = numbers[run.group as usize];
        }
    }

    /// Ends the writing.
    pub(super) fn seal(&mut self) {
        self.bytes = Vec::new();
        let mut sorted = vec![Event::default(); self.buffer.len()];
        self.buffer_runs = by_group(&self.buffer, 0, |_| 0, |place, event| sorted[place] = *event);
        self.buffer = sorted;
        self.file_runs.sort_unstable_by_key(|run| (run.group, run.start));
        self.buffer_starts = starts(&self.buffer_runs);
        self.file_starts = starts(&self.file_runs);
    }

    /// How many events of a group there are.
    pub(super) fn count(&self, group: u32) -> usize {
        let runs = of_group(&self.buffer_runs, &self.buffer_starts, group).iter().chain(of_group(
            &self.file_runs,
            &self.file_starts,
            group,
        ));
        runs.map(|run| run.length as usize).sum()
    }

    /// Hands over the events of a group with the parts of their clients, with their clients' numbers
    /// translated and without the group's number, which differs from worker to worker.
    pub(super) fn events(
        &mut self,
        group: u32,
        numbers: &Numbers,
        mut each: impl FnMut(usize, Event),
    ) -> io::Result<()> {
        let mut each = |event: Event| {
            let translated =
                Event { client: numbers.of(event.client), packed: event.flags().into(), ..event };
            each(part_of(event.client), translated);
        };
        for run in of_group(&self.buffer_runs, &self.buffer_starts, group) {
            let start = run.start as usize;
            let events = &self.buffer[start..start + run.length as usize];
            events.iter().copied().for_each(&mut each);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let ahead = (AHEAD / self.segments.len().max(1)).clamp(64, 1 << 14) as u64;
        for run in of_group(&self.file_runs, &self.file_starts, group) {
            let place = self.segments.partition_point(|segment| segment.end <= run.start);
            let segment = &mut self.segments[place];
            let mut at = run.start;
            let end = run.start + u64::from(run.length);
            while at < end {
                let (events, _) = segment.from(at, ahead, file)?.as_chunks();
                let events = &events[..events.len().min((end - at) as usize)];
                events.iter().for_each(|bytes| each(Event::from_bytes(bytes)));
                at += events.len() as u64;
            }
        }
        Ok(())
    }
}

impl Segment {
    /// The bytes from an event on, at least one event's.
    fn from(&mut self, at: u64, ahead: u64, file: &mut File) -> io::Result<&[u8]> {
        let held = (self.block.len() / Event::BYTES) as u64;
        if at < self.block_start || at >= self.block_start + held {
            let events = ahead.min(self.end - at) as usize;
            self.block.resize(events * Event::BYTES, 0);
            file.seek(SeekFrom::Start(at * Event::BYTES as u64))?;
            if let Err(error) = file.read_exact(&mut self.block) {
                self.block.clear();
                return Err(error);
            }
            self.block_start = at;
        }
        Ok(&self.block[(at - self.block_start) as usize * Event::BYTES..])
    }
}

/// Hands over events with the places that they have by group, the groups in the order of their ranks. Gives
/// the runs, the first of which starts at `offset`. Groups are numbered without gaps, so counting sorts.
fn by_group(
    events: &[Event],
    offset: u64,
    rank: impl Fn(u32) -> u64,
    mut put: impl FnMut(usize, &Event),
) -> Vec<Run> {
    let groups = events.iter().map(|event| event.group() + 1).max().unwrap_or_default();
    let mut next = vec![0_u32; groups as usize];
    for event in events {
        next[event.group() as usize] += 1;
    }
    let mut present: Vec<u32> = (0..groups).filter(|&group| next[group as usize] > 0).collect();
    present.sort_unstable_by_key(|&group| (rank(group), group));
    let mut start = 0;
    let of_group = |group: u32| {
        // A buffer holds far less than 2^32 events.
        let length = std::mem::replace(&mut next[group as usize], start);
        let run = Run { start: offset + u64::from(start), group, length };
        start += length;
        run
    };
    let runs = present.into_iter().map(of_group).collect();
    for event in events {
        let place = &mut next[event.group() as usize];
        put(*place as usize, event);
        *place += 1;
    }
    runs
}

/// For each group, where its runs start; one more for the end. `runs` are sorted by group.
fn starts(runs: &[Run]) -> Vec<usize> {
    let mut starts = Vec::new();
    for (place, run) in runs.iter().enumerate() {
        let group = run.group as usize;
        if starts.len() <= group {
            starts.resize(group + 1, place);
        }
    }
    starts.push(runs.len());
    starts
}

/// The runs of one group.
fn of_group<'a>(runs: &'a [Run], starts: &[usize], group: u32) -> &'a [Run] {
    let group = group as usize;
    match (starts.get(group), starts.get(group + 1)) {
        (Some(&start), Some(&end)) => &runs[start..end],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(time: u32, group: u32) -> Event {
        Event { client: 0, time, fingerprint: 0, agent: 0, packed: group << 8 }
    }

    fn times(spill: &mut Spill, group: u32) -> Vec<u32> {
        let numbers = Numbers::of_one_client();
        let mut events = Vec::new();
        spill.events(group, &numbers, |_, event| events.push(event)).unwrap();
        assert_eq!(spill.count(group), events.len());
        let mut found: Vec<u32> = events.iter().map(|event| event.time).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn what_went_to_the_file_comes_back() {
        // The groups lie in the file in another order than their numbers.
        let rank = |group: u32| u64::from(2 - group);
        let mut spill = Spill::new(std::env::temp_dir());
        let all = 60_000_u32;
        for time in 0..all {
            spill.push(event(time, time % 3), rank).unwrap();
            if time == 500 || time == 51_000 {
                spill.flush(rank).unwrap();
            }
        }
        spill.seal();
        for group in [0, 3, 1, 2, 1] {
            let expected: Vec<u32> =
                (0..all).filter(|time| time % 3 == group && group < 3).collect();
            assert_eq!(times(&mut spill, group), expected);
        }
    }

    #[test]
    fn groups_that_become_one_have_the_events_of_both() {
        let mut spill = Spill::new(std::env::temp_dir());
        for time in 0..30 {
            spill.push(event(time, time % 3), u64::from).unwrap();
            if time == 20 {
                spill.flush(u64::from).unwrap();
            }
        }
        spill.renumber(&[1, 0, 1]);
        spill.seal();
        assert_eq!(times(&mut spill, 0), (0..30).filter(|time| time % 3 == 1).collect::<Vec<_>>());
        assert_eq!(times(&mut spill, 1), (0..30).filter(|time| time % 3 != 1).collect::<Vec<_>>());
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path().join("gone"));
        let failed =
            (0..=IN_MEMORY as u32).position(|time| spill.push(event(time, 0), |_| 0).is_err());
        assert_eq!(failed, Some(IN_MEMORY - 1));
    }
}
