import { findChromium } from "../ingest/browser/find-chromium.ts";

/** Where Chromium lies on this machine. @throws where there is none: then what needs it is not tested at all */
export async function installedChromium(): Promise<{ given: string; searchPath: string }> {
  const searchPath = process.env["PATH"] ?? "";
  const given = await findChromium({ given: undefined, searchPath });
  if (given === null) throw new Error("Chromium is needed for this test; npm test installs it");
  return { given, searchPath };
}
