/** Office formats that are told by name and not read, with what to do instead. */
export const unreadOffice = {
  xlsx: { what: "an Excel workbook", remedy: "Save the sheet that matters as CSV, or as PDF." },
  pptx: { what: "a PowerPoint presentation", remedy: "Save it as PDF." },
  odt: { what: "an OpenDocument text", remedy: "Save it as .docx or PDF." },
  ods: { what: "an OpenDocument spreadsheet", remedy: "Save the sheet that matters as CSV, or as PDF." },
  odp: { what: "an OpenDocument presentation", remedy: "Save it as PDF." },
  epub: { what: "an EPUB book", remedy: "Give the chapter that matters as PDF or as a web page." },
  doc: { what: "an old Word document (.doc)", remedy: "Save it as .docx or PDF." },
  xls: { what: "an old Excel workbook (.xls)", remedy: "Save the sheet that matters as CSV, or as PDF." },
  ppt: { what: "an old PowerPoint presentation (.ppt)", remedy: "Save it as PDF." },
  rtf: { what: "an RTF text", remedy: "Save it as .docx or PDF." },
  locked: { what: "an Office document with a password", remedy: "Save it without a password." },
  office: {
    what: "an old or encrypted Office document",
    remedy: "Save it without a password as .docx or PDF.",
  },
} as const;

type UnreadOffice = keyof typeof unreadOffice;

/** The part of a Word document that holds its text; some programs number it. */
export const wordPart = /^word\/document\d*\.xml$/;

const parts: readonly (readonly ["docx" | UnreadOffice, RegExp])[] = [
  ["docx", wordPart],
  ["xlsx", /^xl\/workbook\.(?:xml|bin)$/],
  ["pptx", /^ppt\/presentation\.xml$/],
];

/** What an archive that begins with an entry `mimetype` is by that. */
const declared: readonly (readonly [UnreadOffice, string])[] = [
  ["odt", "application/vnd.oasis.opendocument.text"],
  ["ods", "application/vnd.oasis.opendocument.spreadsheet"],
  ["odp", "application/vnd.oasis.opendocument.presentation"],
  ["epub", "application/epub+zip"],
];

/** Streams in the containers of before 2007, and in those of encrypted documents. */
const streams: readonly (readonly [UnreadOffice, string])[] = [
  ["locked", "EncryptedPackage"],
  ["doc", "WordDocument"],
  ["xls", "Workbook"],
  ["ppt", "PowerPoint Document"],
];

/** Which office format bytes are in, whatever they are called; null where they are in none. */
export function officeKind(bytes: Uint8Array): "docx" | UnreadOffice | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = file.toString("latin1", 0, 256);
  if (head.startsWith("{\\rtf")) return "rtf";
  if (head.startsWith("\xd0\xcf\x11\xe0"))
    return streams.find(([, name]) => file.includes(name, 0, "utf16le"))?.[0] ?? "office";
  if (!head.startsWith("PK\x03\x04")) return null;
  const type = head.slice(30).startsWith("mimetype") ? head.slice(38) : "";
  const named = declared.find(([, mediaType]) => type.startsWith(mediaType));
  if (named !== undefined) return named[0];
  const names = entryNames(file);
  return parts.find(([, part]) => names.some((name) => part.test(name)))?.[0] ?? null;
}

const mostEntries = 2_000;

/** Names as the directory at the end of an archive lists them; none of a broken one. Nothing is inflated. */
function entryNames(zip: Buffer): string[] {
  const names: string[] = [];
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end === -1 || end + 20 > zip.length) return names;
  let at = zip.readUInt32LE(end + 16);
  while (names.length < mostEntries && at + 46 <= end && zip.readUInt32LE(at) === 0x02014b50) {
    const from = at + 46;
    const to = from + zip.readUInt16LE(at + 28);
    names.push(zip.toString("latin1", from, to));
    at = to + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return names;
}
