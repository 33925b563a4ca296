import { describe, expect, test } from "vitest";
import { docxParagraph, makeDocx } from "../document/fixtures/make-zip.ts";
import { pageKind } from "./page-kind.ts";

const of = (content: string, type: string, url = "https://x.dev/a", name?: string) =>
  pageKind(Buffer.from(content, "latin1"), type, url, name);
const document = (extension: string) => ({ kind: "document", extension, isText: true });
const binary = (extension: string) => ({ kind: "document", extension, isText: false });

describe("pageKind", () => {
  test("the first bytes count more than the declared type", () => {
    expect(of("%PDF-1.7", "text/html")).toEqual(binary("pdf"));
    expect(of("%PDF-1.7", "")).toEqual(binary("pdf"));
    expect(of("<!DOCTYPE html><p>", "text/plain")).toEqual({ kind: "html" });
    expect(of("<!-- c --><html>", "application/octet-stream")).toEqual({ kind: "html" });
    expect(of("not a pdf", "application/pdf")).toEqual({ kind: "other" });
  });

  test("an office document is told by its bytes, whatever type and address say", () => {
    const bytes = makeDocx(docxParagraph("A text."));
    for (const type of ["application/octet-stream", "application/zip", "text/plain", ""])
      expect(pageKind(bytes, type, "https://x.dev/file?id=7")).toEqual(binary("docx"));
    expect(of("{\\rtf1 A text.}", "text/rtf")).toEqual(binary("rtf"));
    expect(of("\u00d0\u00cf\u0011\u00e0", "application/msword")).toEqual(binary("office"));
  });

  test("an archive that is no office document is one only where it is called DOCX", () => {
    const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    expect(of("PK\u0003\u0004", docx)).toEqual(binary("docx"));
    expect(of("PK\u0003\u0004", "application/octet-stream", "https://x.dev/a.DOCX?b")).toEqual(
      binary("docx"),
    );
    expect(of("PK\u0003\u0004", "", "https://x.dev/a?id=7", "A.docx")).toEqual(binary("docx"));
    expect(of("PK\u0003\u0004", "application/zip")).toEqual({ kind: "other" });
  });

  test("text is told apart by type, then by address", () => {
    expect(of("# Hi", "text/markdown; charset=utf-8")).toEqual(document("md"));
    expect(of("{}", "application/json")).toEqual(document("json"));
    expect(of("{}", "application/ld+json")).toEqual(document("json"));
    expect(of("# Hi", "text/plain", "https://x.dev/readme.md")).toEqual(document("md"));
    expect(of("x = 1", "text/plain", "https://x.dev/a.py")).toEqual(document("py"));
    expect(of("hello", "text/plain")).toEqual(document("txt"));
    expect(of("hello", "")).toEqual(document("txt"));
    expect(of("<p>hi", "text/html")).toEqual({ kind: "html" });
  });

  test("the name that a server gives a file tells more than its address", () => {
    expect(of("# Hi", "application/octet-stream", "https://x.dev/file?id=7", "notes.md")).toEqual(
      document("md"),
    );
    expect(of("x = 1", "text/plain", "https://x.dev/a.txt", "a.py")).toEqual(document("py"));
    expect(of("x = 1", "text/plain", "https://x.dev/a.py", "download")).toEqual(document("py"));
  });

  test("comments and declarations before the markup are passed over, however many there are", () => {
    expect(of("<?xml version='1.0'?>\n<!-- a --><!-- b -->\n<html>", "")).toEqual({ kind: "html" });
    expect(of("<!---->".repeat(146), "text/plain")).toEqual(document("txt"));
  });

  test("pictures, archives and other bytes are neither", () => {
    expect(of("\u0089PNG\r\n", "image/png")).toEqual({ kind: "other" });
    expect(of("a\u0000b", "text/plain")).toEqual({ kind: "other" });
    expect(of("abc", "video/mp4")).toEqual({ kind: "other" });
  });
});
