import { isUtf8 } from "node:buffer";
import { ProofroomError } from "@proofroom/contracts";
import { decodeText } from "../document/decode-text.ts";

const metaCharset = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i;
const singleByte = /^(?:windows-\d+|iso-8859-|macintosh|koi8|ibm866|x-mac)/;
/** The share of broken characters that is taken for an accident in a text that is what it says it is. */
const accidents = 0.002;

/**
 * Decodes what came over HTTP. The charset of the header, or else of a meta element, is believed unless the bytes
 * say otherwise: valid UTF-8 is UTF-8 under a single-byte label (servers' defaults), and what is broken all over
 * is guessed from its bytes. A few broken characters in a page become U+FFFD.
 * @param contentType the Content-Type header
 * @throws ProofroomError invalid_input where the bytes are no text
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const declared = declaredCharset(bytes, contentType);
  if (declared !== undefined && !singleByte.test(declared)) {
    const text = new TextDecoder(declared).decode(bytes);
    const broken = text.split("\ufffd").length - 1;
    if (broken > 0 && broken <= text.length * accidents) return text.replaceAll(/\r\n?/g, "\n");
  }
  const isPlain = declared !== undefined && singleByte.test(declared) && isUtf8(bytes);
  const text = decodeText(bytes, isPlain ? "utf-8" : declared);
  if (text !== null) return text;
  throw notText();
}

export function notText(): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: "The address leads to something that holds no readable text.",
    remedy: "Give the address of a page, a PDF, a DOCX or a text file.",
  });
}

function declaredCharset(bytes: Uint8Array, contentType: string): string | undefined {
  const fromHeader = encodingOf(/charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1]);
  if (fromHeader !== undefined) return fromHeader;
  const head = Buffer.from(bytes.subarray(0, 4_096)).toString("latin1");
  const fromMeta = encodingOf(metaCharset.exec(head)?.[1]);
  // A meta element that can be read as ASCII is not in UTF-16, whatever it says.
  return fromMeta?.startsWith("utf-16") ? "utf-8" : fromMeta;
}

/** The standard's name of an encoding label, or undefined where there is none. */
function encodingOf(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
