//! Any bytes as a Parquet file, and as the pages and the footer of one that has its ends right: most
//! changes to a whole file would only hit its last bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ratewaf::logs::Options;

fuzz_target!(|bytes: &[u8]| {
    ratewaf_fuzz::check(bytes, &Options::default());
    let Some((length, content)) = bytes.split_first_chunk::<2>() else { return };
    // Where the footer begins is for the first two bytes to say.
    let footer = usize::from(u16::from_le_bytes(*length)).min(content.len());
    let mut file = b"PAR1".to_vec();
    file.extend_from_slice(content);
    file.extend_from_slice(&(footer as u32).to_le_bytes());
    file.extend_from_slice(b"PAR1");
    ratewaf_fuzz::check(&file, &Options::default());
});
