import { analyse } from "chardet";

/**
 * The text of bytes in an unknown encoding, with `\n` line endings and without byte order mark; null where the
 * bytes are no text. Tried in order: a byte order mark, UTF-8, the encoding the text declares,
 * UTF-16 as its zero bytes show it, then what the frequencies of the bytes suggest.
 * @param declared an encoding named inside of the text (HTML, XML), if any
 */
export function decodeText(bytes: Uint8Array, declared?: string): string | null {
  for (const encoding of candidates(bytes, declared)) {
    const text = decode(bytes, encoding);
    if (text !== null) return text.replaceAll(/\r\n?/g, "\n");
  }
  return null;
}

/** Most bytes that are looked at to guess an encoding. */
const sample = 256 * 1024;

const lenientUtf8 = "damaged utf-8";

function* candidates(bytes: Uint8Array, declared: string | undefined): Generator<string> {
  const mark = byteOrderMark(bytes);
  if (mark !== null) {
    yield mark;
    return;
  }
  // Of those that consist of ASCII bytes only, nothing but the declaration tells.
  if (declared !== undefined && /^(?:iso-2022|hz)/i.test(declared)) yield declared;
  yield "utf-8";
  if (declared !== undefined) yield declared;
  if (isDamagedUtf8(bytes)) yield lenientUtf8;
  const wide = wideEncoding(bytes);
  if (wide !== null) yield wide;
  for (const { name, confidence } of analyse(bytes.subarray(0, sample))) {
    if (confidence >= 10) yield name;
  }
  yield "windows-1252";
}

function byteOrderMark(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return null;
}

/** UTF-16 without a mark: of mostly Latin text every other byte is zero. */
function wideEncoding(bytes: Uint8Array): string | null {
  const zeros = [0, 0];
  const length = Math.min(bytes.length, sample);
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > length / 5 && even < length / 50) return "utf-16le";
  if (even > length / 5 && odd < length / 50) return "utf-16be";
  return null;
}

/** A few bad bytes, such as a cut at the end, in a text whose other letters are plainly UTF-8. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, sample));
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  const sound = text.match(/[\u0080-\ufffc]/g)?.length ?? 0;
  return sound >= damaged * 20;
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    const isLenient = encoding === lenientUtf8;
    const text = new TextDecoder(isLenient ? "utf-8" : encoding, { fatal: !isLenient }).decode(bytes);
    return isText(text) ? text : null;
  } catch {
    return null;
  }
}

/** Text has no NUL, and hardly a control character besides tab, line ends, form feed and escape. */
function isText(text: string): boolean {
  if (text.includes("\0")) return false;
  const head = text.slice(0, sample);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const controls = head.match(/[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]/g)?.length ?? 0;
  return controls <= head.length / 100;
}
