//! The values of a column, whatever its type, as the texts that they would be in a line of a log.

use std::io::Write as _;

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReaderImpl, get_column_reader, get_typed_column_reader};
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96Type,
};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use super::fault::{Fault, guarded};
use super::pages::Pages;
use crate::logs::fields::Field;
use crate::units::Timestamp;

/// What the numbers of a column mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// As they are.
    Plain,
    /// Days since 1970.
    Days,
    /// So many parts of a second since midnight.
    TimeOfDay(i64),
    /// So many parts of a second since 1970.
    Moment(i64),
    /// A decimal number with so many digits behind the point.
    Decimal(u32),
}

impl Meaning {
    /// What a column's numbers mean by its type.
    pub(super) fn of(column: &ColumnDescriptor) -> Self {
        let parts = |unit: &TimeUnit| match unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        };
        if column.physical_type() == Type::INT96 {
            return Self::Moment(1_000);
        }
        match column.logical_type_ref() {
            Some(LogicalType::Date) => return Self::Days,
            Some(LogicalType::Time(time)) => return Self::TimeOfDay(parts(&time.unit)),
            Some(LogicalType::Timestamp(time)) => return Self::Moment(parts(&time.unit)),
            Some(LogicalType::Decimal(decimal)) => {
                return Self::Decimal(u32::try_from(decimal.scale).unwrap_or_default().min(18));
            }
            _ => {}
        }
        match column.converted_type() {
            ConvertedType::DATE => Self::Days,
            ConvertedType::TIME_MILLIS => Self::TimeOfDay(1_000),
            ConvertedType::TIME_MICROS => Self::TimeOfDay(1_000_000),
            ConvertedType::TIMESTAMP_MILLIS => Self::Moment(1_000),
            ConvertedType::TIMESTAMP_MICROS => Self::Moment(1_000_000),
            _ => Self::Plain,
        }
    }

    fn write(self, number: i64, text: &mut Vec<u8>) {
        // Memory takes whatever is written.
        let _ = match self {
            Self::Plain => write!(text, "{number}"),
            Self::Days => {
                let day = number.clamp(-100_000_000, 100_000_000);
                let (year, month, day) = Timestamp(day * 86_400).date();
                write!(text, "{year:04}-{month:02}-{day:02}")
            }
            Self::TimeOfDay(parts) => {
                let second = number.div_euclid(parts);
                write!(text, "{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60)
            }
            // With its decimals, its size says what it is.
            Self::Moment(parts) => {
                let milliseconds = number.rem_euclid(parts) / (parts / 1_000);
                write!(text, "{}.{milliseconds:03}", number.div_euclid(parts))
            }
            Self::Decimal(scale) => {
                let (whole, part) = (number / 10_i64.pow(scale), number % 10_i64.pow(scale));
                write!(text, "{whole}.{:0width$}", part.abs(), width = scale as usize)
            }
        };
    }
}

/// A column of a row group, some rows of it at a time.
pub(super) struct Column {
    pub(super) field: Field,
    values: Values,
    meaning: Meaning,
    /// By row, whether there is a value; empty if there always is.
    levels: Vec<i16>,
    optional: bool,
    row: usize,
    value: usize,
    text: Vec<u8>,
}

/// A reader of a type, and the values that it read last.
struct Typed<T: DataType> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
}

enum Values {
    Text(Typed<ByteArrayType>),
    Fixed(Typed<FixedLenByteArrayType>),
    Truth(Typed<BoolType>),
    Int32(Typed<Int32Type>),
    Int64(Typed<Int64Type>),
    Int96(Typed<Int96Type>),
    Float(Typed<FloatType>),
    Double(Typed<DoubleType>),
}

/// What stands for no value in a log.
const NOTHING: &[u8] = b"-";

impl Column {
    pub(super) fn new(field: Field, column: &ColumnDescPtr, pages: Pages) -> Self {
        fn typed<T: DataType>(column: &ColumnDescPtr, pages: Pages) -> Typed<T> {
            let reader = get_column_reader(ColumnDescPtr::clone(column), Box::new(pages));
            Typed { reader: get_typed_column_reader(reader), values: Vec::new() }
        }
        let values = match column.physical_type() {
            Type::BYTE_ARRAY => Values::Text(typed(column, pages)),
            Type::FIXED_LEN_BYTE_ARRAY => Values::Fixed(typed(column, pages)),
            Type::BOOLEAN => Values::Truth(typed(column, pages)),
            Type::INT32 => Values::Int32(typed(column, pages)),
            Type::INT64 => Values::Int64(typed(column, pages)),
            Type::INT96 => Values::Int96(typed(column, pages)),
            Type::FLOAT => Values::Float(typed(column, pages)),
            Type::DOUBLE => Values::Double(typed(column, pages)),
        };
        Self {
            field,
            values,
            meaning: Meaning::of(column),
            levels: Vec::new(),
            optional: column.max_def_level() > 0,
            row: 0,
            value: 0,
            text: Vec::new(),
        }
    }

    /// Reads the next so many rows.
    pub(super) fn read(&mut self, rows: usize) -> Result<(), Fault> {
        fn read<T: DataType>(
            typed: &mut Typed<T>,
            rows: usize,
            levels: &mut Vec<i16>,
        ) -> Result<usize, Fault> {
            typed.values.clear();
            let Typed { reader, values } = typed;
            let (read, ..) = guarded(|| reader.read_records(rows, Some(levels), None, values))?;
            Ok(read)
        }
        self.levels.clear();
        (self.row, self.value) = (0, 0);
        let levels = &mut self.levels;
        let read = match &mut self.values {
            Values::Text(typed) => read(typed, rows, levels),
            Values::Fixed(typed) => read(typed, rows, levels),
            Values::Truth(typed) => read(typed, rows, levels),
            Values::Int32(typed) => read(typed, rows, levels),
            Values::Int64(typed) => read(typed, rows, levels),
            Values::Int96(typed) => read(typed, rows, levels),
            Values::Float(typed) => read(typed, rows, levels),
            Values::Double(typed) => read(typed, rows, levels),
        }?;
        if read < rows { Err(Fault::damage("it has fewer values than rows")) } else { Ok(()) }
    }

    /// The text of the next row of those that were read.
    pub(super) fn next(&mut self) -> &[u8] {
        let row = self.row;
        self.row += 1;
        if self.optional && self.levels.get(row) != Some(&1) {
            return NOTHING;
        }
        let at = self.value;
        self.value += 1;
        self.text.clear();
        let (text, meaning) = (&mut self.text, self.meaning);
        match &self.values {
            Values::Text(typed) => {
                return typed.values.get(at).map_or(NOTHING, |value| value.data());
            }
            Values::Fixed(typed) => {
                return typed.values.get(at).map_or(NOTHING, |value| value.data());
            }
            Values::Truth(typed) => match typed.values.get(at) {
                Some(true) => return b"true",
                Some(false) => return b"false",
                None => {}
            },
            Values::Int32(typed) => {
                typed
                    .values
                    .get(at)
                    .iter()
                    .for_each(|value| meaning.write(i64::from(**value), text));
            }
            Values::Int64(typed) => {
                typed.values.get(at).iter().for_each(|value| meaning.write(**value, text));
            }
            Values::Int96(typed) => {
                typed
                    .values
                    .get(at)
                    .iter()
                    .for_each(|value| meaning.write(moment(value.data()), text));
            }
            Values::Float(typed) => {
                typed.values.get(at).iter().for_each(|value| decimal(f64::from(**value), text));
            }
            Values::Double(typed) => {
                typed.values.get(at).iter().for_each(|value| decimal(**value, text));
            }
        }
        if self.text.is_empty() { NOTHING } else { &self.text }
    }
}

/// Milliseconds since 1970 of nanoseconds in a Julian day, as old writers have it.
fn moment(parts: &[u32]) -> i64 {
    const JULIAN_DAY_OF_1970: i64 = 2_440_588;
    let [low, high, day] = parts else { return 0 };
    let nanoseconds = i64::from(*low) | (i64::from(*high & 0x7fff_ffff) << 32);
    (i64::from(*day) - JULIAN_DAY_OF_1970) * 86_400_000 + nanoseconds / 1_000_000
}

fn decimal(number: f64, text: &mut Vec<u8>) {
    // No log has larger numbers, and an exponent is no number of a log.
    if number.is_finite() && number.abs() < 1e15 {
        let _ = write!(text, "{number:.3}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_a_log_has_them() {
        let text = |meaning: Meaning, number| {
            let mut text = Vec::new();
            meaning.write(number, &mut text);
            String::from_utf8(text).unwrap()
        };
        assert_eq!(text(Meaning::Plain, 404), "404");
        assert_eq!(text(Meaning::Days, 20_704), "2026-09-08");
        assert_eq!(text(Meaning::TimeOfDay(1_000_000), 1_312_000_000), "00:21:52");
        assert_eq!(text(Meaning::Moment(1_000), 1_788_826_912_034), "1788826912.034");
        assert_eq!(
            text(Meaning::Moment(1_000_000_000), 1_788_826_912_034_000_000),
            "1788826912.034"
        );
        assert_eq!(text(Meaning::Decimal(3), 2_005), "2.005");
        for meaning in [Meaning::Days, Meaning::TimeOfDay(1_000), Meaning::Moment(1_000)] {
            for number in [i64::MIN, -1, i64::MAX] {
                text(meaning, number);
            }
        }
        let mut out = Vec::new();
        decimal(0.037, &mut out);
        decimal(f64::NAN, &mut out);
        assert_eq!(out, b"0.037");
    }

    #[test]
    fn old_moments_are_moments() {
        // 2026-09-08T00:21:52Z: 20,704 days after 1970, 1,312 seconds into the day.
        let nanoseconds = 1_312_000_000_000_u64;
        let parts = [nanoseconds as u32, (nanoseconds >> 32) as u32, 2_440_588 + 20_704];
        assert_eq!(moment(&parts), 1_788_826_912_000);
        assert!(moment(&[u32::MAX; 3]) > 0);
    }
}
