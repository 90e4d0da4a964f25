//! Requests of the survey, by group: in memory while they fit, in a temporary file beyond.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use super::clients::Translation;
use super::event::Event;

/// Requests that one worker keeps in memory: 12 MB.
const IN_MEMORY: usize = 1 << 19;
/// Requests that are read from the file at once: 96 kB.
const AT_ONCE: usize = 1 << 12;

/// A stretch of events of one group.
#[derive(Clone, Copy, Debug)]
struct Run {
    group: u32,
    start: u64,
    length: u64,
}

/// The events of one worker.
#[derive(Default)]
pub(super) struct Spill {
    buffer: Vec<Event>,
    file: Option<File>,
    written: u64,
    /// Stretches in the file, then in the buffer once it is sealed.
    file_runs: Vec<Run>,
    buffer_runs: Vec<Run>,
    bytes: Vec<u8>,
}

impl Spill {
    /// Keeps one event.
    #[inline]
    pub(super) fn push(&mut self, event: Event) -> io::Result<()> {
        self.buffer.push(event);
        if self.buffer.len() >= IN_MEMORY { self.flush() } else { Ok(()) }
    }

    #[cold]
    fn flush(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            // Unnamed: it is gone when the process is, however it ends.
            none => none.insert(tempfile::tempfile()?),
        };
        self.buffer.sort_unstable_by_key(|event| event.group());
        let mut writer = BufWriter::with_capacity(1 << 20, file);
        for event in &self.buffer {
            writer.write_all(&event.to_bytes())?;
        }
        writer.flush()?;
        self.file_runs.extend(runs(&self.buffer, self.written));
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Ends the writing.
    pub(super) fn seal(&mut self) {
        self.buffer.sort_unstable_by_key(|event| event.group());
        self.buffer_runs = runs(&self.buffer, 0).collect();
        self.file_runs.sort_unstable_by_key(|run| (run.group, run.start));
    }

    /// How many events of a group there are.
    pub(super) fn count(&self, group: u32) -> usize {
        let runs =
            of_group(&self.buffer_runs, group).iter().chain(of_group(&self.file_runs, group));
        runs.map(|run| run.length as usize).sum()
    }

    /// Adds the events of a group to `out`, with their clients' numbers translated.
    pub(super) fn events(
        &mut self,
        group: u32,
        translation: &Translation,
        out: &mut Vec<Event>,
    ) -> io::Result<()> {
        let translated = |event: Event| Event { client: translation.of(event.client), ..event };
        for run in of_group(&self.buffer_runs, group) {
            let events = &self.buffer[run.start as usize..(run.start + run.length) as usize];
            out.extend(events.iter().copied().map(translated));
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        for run in of_group(&self.file_runs, group) {
            file.seek(SeekFrom::Start(run.start * Event::BYTES as u64))?;
            let mut left = run.length as usize;
            while left > 0 {
                let events = left.min(AT_ONCE);
                self.bytes.resize(events * Event::BYTES, 0);
                file.read_exact(&mut self.bytes)?;
                let (events_bytes, _) = self.bytes.as_chunks();
                out.extend(events_bytes.iter().map(|bytes| translated(Event::from_bytes(bytes))));
                left -= events;
            }
        }
        Ok(())
    }
}

fn runs(events: &[Event], offset: u64) -> impl Iterator<Item = Run> {
    let mut start = offset;
    events.chunk_by(|one, two| one.group() == two.group()).map(move |chunk| {
        let run = Run { group: chunk[0].group(), start, length: chunk.len() as u64 };
        start += run.length;
        run
    })
}

/// The runs of one group; `runs` are sorted by group.
fn of_group(runs: &[Run], group: u32) -> &[Run] {
    let start = runs.partition_point(|run| run.group < group);
    let end = runs.partition_point(|run| run.group <= group);
    &runs[start..end]
}

#[cfg(test)]
mod tests {
    use super::super::clients::Clients;
    use super::*;

    #[test]
    fn what_went_to_the_file_comes_back() {
        let mut clients = Clients::default();
        clients.count_line(b"192.0.2.1");
        let translation = Clients::default().absorb(&clients);
        let mut spill = Spill::default();
        let times = 20_000_u32;
        for time in 0..times {
            let event =
                Event { client: 0, time, fingerprint: 0, agent: 0, packed: (time % 3) << 8 };
            spill.push(event).unwrap();
            if time == 500 || time == 15_000 {
                spill.flush().unwrap();
            }
        }
        spill.seal();
        for group in 0..4 {
            let mut events = Vec::new();
            spill.events(group, &translation, &mut events).unwrap();
            let mut found: Vec<u32> = events.iter().map(|event| event.time).collect();
            found.sort_unstable();
            let expected: Vec<u32> =
                (0..times).filter(|time| time % 3 == group && group < 3).collect();
            assert_eq!(found, expected);
            assert_eq!(spill.count(group), expected.len());
        }
    }
}
