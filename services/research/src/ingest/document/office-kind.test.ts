import { describe, expect, test } from "vitest";
import { docxParagraph, makeDocx, makeZip } from "./fixtures/make-zip.ts";
import { officeKind } from "./office-kind.ts";

/** The container of documents from before 2007, with one stream of the name. */
function container(stream: string): Uint8Array {
  const magic = Buffer.from("d0cf11e0a1b11ae1", "hex");
  return Buffer.concat([magic, Buffer.alloc(504), Buffer.from(stream, "utf16le")]);
}

/** An archive that begins as OpenDocument and EPUB say: what it is, not compressed. */
function declaring(mediaType: string): Uint8Array {
  const header = Buffer.alloc(30);
  header.write("PK\x03\x04", "latin1");
  return Buffer.concat([header, Buffer.from(`mimetype${mediaType}`)]);
}

const zipWith = (...names: string[]) => makeZip(names.map((name) => ({ name, content: "<x/>" })));

describe("officeKind", () => {
  test.each([
    ["docx", makeDocx(docxParagraph("A text."))],
    ["docx", zipWith("[Content_Types].xml", "word/document2.xml")],
    ["xlsx", zipWith("[Content_Types].xml", "xl/workbook.xml")],
    ["xlsx", zipWith("xl/workbook.bin")],
    ["pptx", zipWith("ppt/slides/slide1.xml", "ppt/presentation.xml")],
    ["odt", declaring("application/vnd.oasis.opendocument.text")],
    ["ods", declaring("application/vnd.oasis.opendocument.spreadsheet")],
    ["odp", declaring("application/vnd.oasis.opendocument.presentation")],
    ["epub", declaring("application/epub+zip")],
    ["doc", container("WordDocument")],
    ["xls", container("Workbook")],
    ["ppt", container("PowerPoint Document")],
    ["locked", container("EncryptedPackage")],
    ["office", container("Something")],
    ["rtf", Buffer.from("{\\rtf1\\ansi A text.}")],
  ])("tells %s by its bytes", (kind, bytes) => {
    expect(officeKind(bytes)).toBe(kind);
  });

  test.each([
    ["an archive of something else", zipWith("a.txt", "notes/word/document.xml")],
    ["an archive that holds a document", makeZip([{ name: "a.docx", content: makeDocx("") }])],
    ["an archive without its end", makeDocx(docxParagraph("A text.")).subarray(0, 200)],
    [
      "an archive whose directory points behind it",
      Buffer.from(`PK\x03\x04PK\x05\x06${"\xff".repeat(18)}`, "latin1"),
    ],
    ["text", Buffer.from("word/document.xml")],
    ["nothing", Buffer.alloc(0)],
  ])("takes %s for none", (_what, bytes) => {
    expect(officeKind(bytes)).toBeNull();
  });
});
