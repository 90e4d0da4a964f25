//! What one thread counted and could not keep in memory, in a temporary file.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::chunks::Chunks;
use super::clients::PartTable;
use super::event::Event;
use super::parts::PartSource;

/// Bytes that are written and read at a time.
const BLOCK: usize = 1 << 18;
const CLIENT: usize = 16 + 4;

/// Where one part of one stretch lies, and what it holds.
struct Extent {
    start: u64,
    addresses: usize,
    texts: usize,
    /// By route.
    events: Vec<usize>,
}

/// Stretches of a thread's reading, each with all parts. Numbers of clients start anew in each stretch.
pub(super) struct Overflow {
    file: Mutex<File>,
    /// By stretch, then by part.
    stretches: Vec<Vec<Extent>>,
    end: u64,
}

impl Overflow {
    /// In an unnamed file of this folder: it is gone when the process is, however it ends.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        let file = Mutex::new(tempfile::tempfile_in(folder)?);
        Ok(Self { file, stretches: Vec::new(), end: 0 })
    }

    /// Writes a stretch: clients by part, and for each route its requests by part.
    pub(super) fn write(
        &mut self,
        tables: Vec<PartTable>,
        routes: Vec<Vec<Chunks>>,
    ) -> io::Result<()> {
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.end))?;
        let mut writer = BufWriter::with_capacity(BLOCK, file);
        let mut routes: Vec<_> = routes.into_iter().map(Vec::into_iter).collect();
        let mut extents = Vec::with_capacity(tables.len());
        for table in tables {
            let [addresses, texts] = table.columns();
            let mut extent = Extent {
                start: self.end,
                addresses: addresses.0.len(),
                texts: texts.0.len(),
                events: Vec::with_capacity(routes.len()),
            };
            for (keys, lines) in [addresses, texts] {
                for (key, lines) in keys.iter().zip(lines) {
                    writer.write_all(&key.to_le_bytes())?;
                    writer.write_all(&lines.to_le_bytes())?;
                }
            }
            for events in routes.iter_mut().filter_map(Iterator::next) {
                extent.events.push(events.len());
                for event in events.into_pieces().flatten() {
                    let client = table.settled(event.client);
                    writer.write_all(&Event { client, ..event }.to_bytes())?;
                }
            }
            drop(table);
            self.end += extent.bytes();
            extents.push(extent);
        }
        writer.flush()?;
        self.stretches.push(extents);
        Ok(())
    }

    /// What was written of a part.
    pub(super) fn read(&self, part: usize) -> io::Result<Vec<PartSource>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = |stretch: &Vec<Extent>| {
            let extent = &stretch[part];
            file.seek(SeekFrom::Start(extent.start))?;
            extent.read(&mut BufReader::with_capacity(BLOCK, &*file))
        };
        self.stretches.iter().map(read).collect()
    }

    /// Bytes of memory that it takes to put a part together.
    pub(super) fn room(&self, part: usize) -> usize {
        let extents = self.stretches.iter().map(|stretch| &stretch[part]);
        extents
            .map(|extent| {
                PartSource::bytes(extent.addresses + extent.texts, extent.events.iter().sum())
            })
            .sum()
    }

    /// Bytes in the file.
    pub(super) const fn bytes(&self) -> u64 {
        self.end
    }
}

impl Extent {
    fn bytes(&self) -> u64 {
        let events: usize = self.events.iter().sum();
        (CLIENT * (self.addresses + self.texts) + Event::BYTES * events) as u64
    }

    fn read(&self, from: &mut impl Read) -> io::Result<PartSource> {
        let mut columns = |clients: usize| -> io::Result<(Vec<u128>, Vec<u32>)> {
            let mut columns = (Vec::with_capacity(clients), Vec::with_capacity(clients));
            let (mut key, mut lines) = ([0; 16], [0; 4]);
            for _ in 0..clients {
                from.read_exact(&mut key)?;
                from.read_exact(&mut lines)?;
                columns.0.push(u128::from_le_bytes(key));
                columns.1.push(u32::from_le_bytes(lines));
            }
            Ok(columns)
        };
        let columns = [columns(self.addresses)?, columns(self.texts)?];
        let mut events = Vec::with_capacity(self.events.len());
        let mut bytes = [0; Event::BYTES];
        for &number in &self.events {
            let mut of_route = Chunks::default();
            for _ in 0..number {
                from.read_exact(&mut bytes)?;
                of_route.push(Event::from_bytes(&bytes));
            }
            events.push(of_route);
        }
        Ok(PartSource { columns, visits: None, events })
    }
}
