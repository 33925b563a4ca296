import { crc32, deflateRawSync } from "node:zlib";

interface Entry {
  name: string;
  data: Buffer;
}

function header(entry: Entry, packed: Buffer, central: boolean, offset: number): Buffer {
  const name = Buffer.from(entry.name);
  const fields = Buffer.alloc(central ? 46 : 30);
  const at = central ? 2 : 0;
  fields.writeUInt32LE(central ? 0x02014b50 : 0x04034b50, 0);
  if (central) fields.writeUInt16LE(20, 4);
  fields.writeUInt16LE(20, 4 + at);
  fields.writeUInt16LE(8, 8 + at);
  fields.writeUInt32LE(crc32(entry.data), 14 + at);
  fields.writeUInt32LE(packed.length, 18 + at);
  fields.writeUInt32LE(entry.data.length, 22 + at);
  fields.writeUInt16LE(name.length, 26 + at);
  if (central) fields.writeUInt32LE(offset, 42);
  return Buffer.concat([fields, name]);
}

/** A DOCX of a few hundred kilobytes whose document would inflate to 300 MB. */
export function zipBomb(): Buffer {
  const entries: Entry[] = [
    { name: "[Content_Types].xml", data: Buffer.from("<Types/>") },
    { name: "word/document.xml", data: Buffer.alloc(300 * 1024 * 1024, 0x20) },
  ];
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = deflateRawSync(entry.data, { level: 9 });
    const local = header(entry, packed, false, 0);
    directory.push(header(entry, packed, true, offset));
    parts.push(local, packed);
    offset += local.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
