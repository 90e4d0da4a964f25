//! CloudFront standard logs v2 as JSON: an object a line, the literal field names as keys, and every
//! value a string, numbers too (CloudFront Developer Guide, "Configure standard logging (v2)").

use super::column::V2;
use crate::demo::exchange::Exchange;

/// Appends one line with its end.
pub(super) fn line(exchange: &Exchange, out: &mut Vec<u8>) {
    let mut value = Vec::new();
    for (place, column) in V2.iter().enumerate() {
        out.extend_from_slice(if place == 0 { b"{\"" } else { b"\",\"" });
        out.extend_from_slice(column.name.as_bytes());
        out.extend_from_slice(b"\":\"");
        value.clear();
        (column.write)(exchange, &mut value);
        for &byte in &value {
            // CloudFront's own escapes leave nothing else that JSON would have to escape.
            if matches!(byte, b'"' | b'\\') {
                out.push(b'\\');
            }
            out.push(byte);
        }
    }
    out.extend_from_slice(b"\"}\n");
}
