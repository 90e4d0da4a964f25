//! What the header of a page claims.

use super::thrift::{Fault, Walk};

/// What kind of page it is, and what only that kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    /// Values, all of the page packed together.
    Data { levels: i64 },
    /// Values, with the levels before them unpacked.
    DataV2 { nulls: i64, rows: i64, definition_bytes: i64, repetition_bytes: i64, packed: bool },
    /// What the values refer to.
    Dictionary,
    /// Of no interest.
    Other,
}

/// The header of a page. Nothing in it is to be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageHeader {
    pub(super) kind: PageKind,
    pub(super) packed: i64,
    pub(super) unpacked: i64,
    pub(super) values: i64,
    pub(super) encoding: i64,
    /// Its own length.
    pub(super) length: usize,
}

/// Reads the header at the start of `bytes`.
pub(super) fn read(bytes: &[u8]) -> Result<PageHeader, Fault> {
    let mut walk = Walk::new(bytes);
    let (mut kind, mut packed, mut unpacked) = (None, None, None);
    let mut body = None;
    let mut last = 0;
    while let Some(head) = walk.field(last)? {
        last = head.number;
        match head.number {
            1 => kind = Some(walk.number()?),
            2 => unpacked = Some(walk.number()?),
            3 => packed = Some(walk.number()?),
            5 if head.is_structure() => body = Some(data(&mut walk)?),
            7 if head.is_structure() => body = Some(dictionary(&mut walk)?),
            8 if head.is_structure() => body = Some(data_v2(&mut walk)?),
            _ => walk.skip(head)?,
        }
    }
    let length = walk.position();
    let (Some(kind), Some(packed), Some(unpacked)) = (kind, packed, unpacked) else {
        return Err(Fault::Wrong);
    };
    let none = (PageKind::Other, 0, 0);
    let (kind, values, encoding) = match (kind, body) {
        (0, Some(body @ (PageKind::Data { .. }, ..))) => body,
        (2, Some(body @ (PageKind::Dictionary, ..))) => body,
        (3, Some(body @ (PageKind::DataV2 { .. }, ..))) => body,
        (0 | 2 | 3, _) => return Err(Fault::Wrong),
        _ => none,
    };
    Ok(PageHeader { kind, packed, unpacked, values, encoding, length })
}

type Body = (PageKind, i64, i64);

fn data(walk: &mut Walk<'_>) -> Result<Body, Fault> {
    let (mut values, mut encoding, mut levels, mut last) = (-1, -1, -1, 0);
    while let Some(head) = walk.field(last)? {
        last = head.number;
        match head.number {
            1 => values = walk.number()?,
            2 => encoding = walk.number()?,
            3 => levels = walk.number()?,
            _ => walk.skip(head)?,
        }
    }
    Ok((PageKind::Data { levels }, values, encoding))
}

fn dictionary(walk: &mut Walk<'_>) -> Result<Body, Fault> {
    let (mut values, mut encoding, mut last) = (-1, -1, 0);
    while let Some(head) = walk.field(last)? {
        last = head.number;
        match head.number {
            1 => values = walk.number()?,
            2 => encoding = walk.number()?,
            _ => walk.skip(head)?,
        }
    }
    Ok((PageKind::Dictionary, values, encoding))
}

fn data_v2(walk: &mut Walk<'_>) -> Result<Body, Fault> {
    let (mut values, mut encoding, mut nulls, mut rows, mut last) = (-1, -1, -1, -1, 0);
    let (mut definition_bytes, mut repetition_bytes, mut packed) = (-1, -1, true);
    while let Some(head) = walk.field(last)? {
        last = head.number;
        match head.number {
            1 => values = walk.number()?,
            2 => nulls = walk.number()?,
            3 => rows = walk.number()?,
            4 => encoding = walk.number()?,
            5 => definition_bytes = walk.number()?,
            6 => repetition_bytes = walk.number()?,
            7 => packed = head.truth().ok_or(Fault::Wrong)?,
            _ => walk.skip(head)?,
        }
    }
    let kind = PageKind::DataV2 { nulls, rows, definition_bytes, repetition_bytes, packed };
    Ok((kind, values, encoding))
}
