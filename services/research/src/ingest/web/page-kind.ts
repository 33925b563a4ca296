/** What a response holds, told from its first bytes and its declared type: servers often declare wrongly. */
export type PageKind = { kind: "html" } | { kind: "document"; extension: string } | { kind: "other" };

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
/** Types that say no more than "bytes" or "characters": the address tells more. */
const vague = /^(?:$|text\/plain$|application\/octet-stream$|binary\/octet-stream$|application\/x-download$)/;
const textExtension =
  /\.(py|ipynb|md|markdown|txt|rst|ts|tsx|js|mjs|json|ya?ml|toml|csv|go|rs|java|c|cpp|h|sql|sh)$/i;

export function pageKind(bytes: Uint8Array, contentType: string, url: string): PageKind {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024));
  if (head.includes("%PDF-")) return document("pdf");
  const isZip = head.startsWith("PK\u0003\u0004");
  if (isZip) {
    return type === docx || new URL(url).pathname.toLowerCase().endsWith(".docx")
      ? document("docx")
      : { kind: "other" };
  }
  // A comment ends at its first end only: with a choice the time would grow exponentially with their number.
  const isMarkup =
    /^(?:\s|\u00ef\u00bb\u00bf|<!--(?:(?!-->)[\s\S])*-->|<\?xml[^>]*>)*<(?:!doctype html|html|head|body)\b/i.test(
      head,
    );
  if (isMarkup || type === "text/html" || type === "application/xhtml+xml") return { kind: "html" };
  if (hasBinary(bytes)) return { kind: "other" };
  const named = extensionOfType.get(type);
  const addressed = textExtension.exec(new URL(url).pathname)?.[1]?.toLowerCase().replace("markdown", "md");
  if (vague.test(type)) return document(addressed ?? "txt");
  if (named !== undefined) return named === "pdf" || named === "docx" ? { kind: "other" } : document(named);
  if (type.endsWith("+json")) return document("json");
  return type.startsWith("text/") ? document(addressed ?? "txt") : { kind: "other" };
}

/** A NUL byte is in no text but UTF-16, which a byte order mark announces. */
function hasBinary(bytes: Uint8Array): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !isUtf16 && bytes.subarray(0, 8_192).includes(0);
}

function document(extension: string): PageKind {
  return { kind: "document", extension };
}
