import { extname } from "node:path";

/** What artifacts are; everything else is bytes. Text of others is never told to be HTML, but the page that we render. */
const types: Readonly<Record<string, string>> = {
  ".md": "text/markdown; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".pdf": "application/pdf",
};

export function mediaTypeOf(name: string): string {
  const type = types[extname(name).toLowerCase()];
  if (type === undefined || (name.startsWith(".nova/uploads/") && type.startsWith("text/html"))) {
    return "application/octet-stream";
  }
  return type;
}
