import { officeKind } from "../document/office-kind.ts";

/** What a response holds, told from its first bytes and its declared type: servers often declare wrongly. */
export type PageKind =
  | { kind: "html" }
  /** `isText` where its bytes are characters in some encoding. */
  | { kind: "document"; extension: string; isText: boolean }
  | { kind: "other" };

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const extensionOfType: ReadonlyMap<string, string> = new Map([
  ["application/pdf", "pdf"],
  [docx, "docx"],
  ["text/markdown", "md"],
  ["text/x-markdown", "md"],
  ["application/json", "json"],
  ["application/x-ipynb+json", "ipynb"],
  ["application/yaml", "yaml"],
  ["application/x-yaml", "yaml"],
  ["application/toml", "toml"],
  ["application/javascript", "js"],
  ["application/x-javascript", "js"],
  ["application/typescript", "ts"],
  ["application/sql", "sql"],
  ["application/x-sh", "sh"],
  ["text/csv", "csv"],
]);
/** Types that say no more than "bytes" or "characters": the file's name or the address tells more. */
const vague = /^(?:$|text\/plain$|application\/octet-stream$|binary\/octet-stream$|application\/x-download$)/;
const textExtension =
  /\.(py|ipynb|md|markdown|txt|rst|ts|tsx|js|mjs|json|ya?ml|toml|csv|go|rs|java|c|cpp|h|sql|sh)$/i;

/** @param name of the file, where the server gives it one */
export function pageKind(bytes: Uint8Array, contentType: string, url: string, name?: string): PageKind {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024));
  if (head.includes("%PDF-")) return binary("pdf");
  const office = officeKind(bytes);
  if (office !== null) return binary(office);
  const { pathname } = new URL(url);
  // A broken one is told as such.
  if (head.startsWith("PK\u0003\u0004")) return isCalledDocx() ? binary("docx") : { kind: "other" };
  // A comment ends at its first end only: with a choice the time would grow exponentially with their number.
  const isMarkup =
    /^(?:\s|\u00ef\u00bb\u00bf|<!--(?:(?!-->)[\s\S])*-->|<\?xml[^>]*>)*<(?:!doctype html|html|head|body)\b/i.test(
      head,
    );
  if (isMarkup || type === "text/html" || type === "application/xhtml+xml") return { kind: "html" };
  if (hasBinary(bytes)) return { kind: "other" };
  const named = extensionOfType.get(type);
  const ending = textExtension.exec(name ?? "") ?? textExtension.exec(pathname);
  const addressed = ending?.[1]?.toLowerCase().replace("markdown", "md");
  if (vague.test(type)) return document(addressed ?? "txt");
  if (named !== undefined) return named === "pdf" || named === "docx" ? { kind: "other" } : document(named);
  if (type.endsWith("+json")) return document("json");
  return type.startsWith("text/") ? document(addressed ?? "txt") : { kind: "other" };

  function isCalledDocx(): boolean {
    return type === docx || [name ?? "", pathname].some((called) => /\.docx$/i.test(called));
  }
}

/** A NUL byte is in no text but UTF-16, which a byte order mark announces. */
function hasBinary(bytes: Uint8Array): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !isUtf16 && bytes.subarray(0, 8_192).includes(0);
}

function document(extension: string): PageKind {
  return { kind: "document", extension, isText: true };
}

function binary(extension: string): PageKind {
  return { kind: "document", extension, isText: false };
}
