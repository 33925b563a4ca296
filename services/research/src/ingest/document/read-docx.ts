import { spansOfMarkdown } from "@proofroom/evidence";
import { checkZip } from "./check-zip.ts";
import { invalid } from "./detect-format.ts";
import { wordPart } from "./office-kind.ts";
import { counted, headingOf, type ParsedDocument } from "./parsed-document.ts";

const styles = ["Code", "Source Code", "HTML Preformatted", "Plain Text"].map(
  (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
);

/**
 * A Word document as Markdown: headings, lists, tables, links, footnotes. Pictures are left out.
 * @throws ProofroomError too_large (a zip bomb), invalid_input (no Word document)
 */
export async function readDocx(bytes: Uint8Array): Promise<ParsedDocument> {
  const names = await checkZip(bytes);
  if (![...names].some((name) => wordPart.test(name)))
    throw invalid("The file is an archive and no Word document.");
  const { default: mammoth } = await import("mammoth");
  const { parseHtml } = await import("../web/html-document.ts");
  const { htmlToMarkdown } = await import("../web/html-to-markdown.ts");
  const { normaliseTables } = await import("../web/page-markup.ts");
  let pictures = 0;
  const convertImage = mammoth.images.imgElement(async () => {
    pictures += 1;
    return { src: "" };
  });
  const html = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(bytes) },
      { convertImage, styleMap: styles, externalFileAccess: false },
    )
    .then(({ value }) => value)
    .catch(() => {
      throw invalid("The file is a broken Word document.", "Save it again as .docx, or as PDF.");
    });
  const page = parseHtml(`<!doctype html><html><body>${html}</body></html>`);
  normaliseTables(page);
  const text = `${htmlToMarkdown(page.body.innerHTML)}\n`;
  const spans = spansOfMarkdown(text);
  return {
    title: headingOf(spans),
    text,
    spans,
    omissions: pictures === 0 ? [] : [`${counted(pictures, "picture")}.`],
  };
}
