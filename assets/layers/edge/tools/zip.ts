// A zip archive whose bytes depend on nothing but its files, so that a build without changes publishes nothing.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
import { crc32, deflateRawSync } from "node:zlib";

export interface File {
  name: string;
  data: Buffer;
}

const DEFLATE = 8;
const VERSION = 20;
/** 1 January 1980, the first day that zip knows. */
const DATE = 0x21;
/** Readable by everybody, as Lambda needs it. */
const MODE = 0o100644 * 0x10000;

export function zip(files: File[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data } of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const packed = deflateRawSync(data, { level: 9 });
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(DEFLATE, 4);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(MODE, 6);
    rest.writeUInt32LE(offset, 10);
    const made = Buffer.alloc(2);
    made.writeUInt16LE((3 << 8) | VERSION, 0); // made on Unix: the mode above counts
    const local = [Buffer.from("PK\x03\x04"), common, path, packed];
    parts.push(...local);
    directory.push(Buffer.from("PK\x01\x02"), made, common, rest, path);
    offset += local.reduce((sum, it) => sum + it.length, 0);
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, entries, end]);
}
