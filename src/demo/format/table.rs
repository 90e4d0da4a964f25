//! CloudFront standard logs v2 as Parquet: the names of the fields with an underscore for everything
//! else, and every column a string, as the Athena user guide declares them ("Create a table for
//! CloudFront logs in Athena using partition projection with Parquet").

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::column::V2;
use crate::demo::exchange::Exchange;

/// Rows of a row group: few, so that a file has several.
const GROUP: usize = 1_000;

/// A file of columns being filled.
#[derive(Default)]
pub struct Table {
    /// By column, what the rows hold; `None` for `-`.
    columns: Vec<Vec<Option<ByteArray>>>,
    unpacked: usize,
}

impl Table {
    /// Appends one request.
    pub(in crate::demo) fn push(&mut self, exchange: &Exchange) {
        self.columns.resize_with(V2.len(), Vec::new);
        for (column, cells) in V2.iter().zip(&mut self.columns) {
            let mut value = Vec::new();
            (column.write)(exchange, &mut value);
            self.unpacked += value.len() + 1;
            cells.push((value != b"-").then(|| ByteArray::from(value)));
        }
    }

    /// Appends the bytes of the file; gives the number of bytes of what is in it, or `None` if it
    /// cannot be written.
    pub(in crate::demo) fn pack(&self, out: &mut Vec<u8>) -> Option<usize> {
        self.write(out).ok().map(|()| self.unpacked)
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), ParquetError> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let mut writer = SerializedFileWriter::new(out, Arc::new(schema()?), Arc::new(properties))?;
        let rows = self.columns.first().map_or(0, Vec::len);
        for start in (0..rows).step_by(GROUP) {
            let mut group = writer.next_row_group()?;
            for cells in &self.columns {
                let cells = &cells[start..rows.min(start + GROUP)];
                let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                let values: Vec<ByteArray> = cells.iter().flatten().cloned().collect();
                let Some(mut column) = group.next_column()? else { break };
                column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
                column.close()?;
            }
            group.close()?;
        }
        writer.close()?;
        Ok(())
    }
}

fn schema() -> Result<Type, ParquetError> {
    let text = |name: &str| {
        Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(Some(LogicalType::String))
            .build()
            .map(Arc::new)
    };
    let columns = V2.iter().map(|column| text(&bare(column.name))).collect::<Result<_, _>>()?;
    Type::group_type_builder("cloudfront").with_fields(columns).build()
}

/// `cs(User-Agent)` is `cs_user_agent`.
fn bare(name: &str) -> String {
    let name = name.to_ascii_lowercase().replace(['-', '(', ')'], "_");
    name.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_called_as_athena_calls_them() {
        let names = ["date", "c-ip", "cs(User-Agent)", "x-edge-request-id", "timestamp(ms)"];
        let wanted = ["date", "c_ip", "cs_user_agent", "x_edge_request_id", "timestamp_ms"];
        assert_eq!(names.map(bare), wanted);
    }
}
