import { ProofroomError } from "@proofroom/contracts";
import { decodePage } from "./decode-page.ts";
import type { Fetched } from "./fetch-bytes.ts";
import { pageKind } from "./page-kind.ts";

/** Scripts that run: not data in a script element. */
const script = /<script\b(?![^<>]*\btype\s*=\s*["']?application\/(?:ld\+)?json)[^<>]*>/i;

/** Whether what was fetched is a page that scripts may fill. */
export function isScriptDriven({ bytes, contentType, finalUrl }: Fetched): boolean {
  return (
    pageKind(bytes, contentType, finalUrl).kind === "html" && script.test(decodePage(bytes, contentType))
  );
}

/** The error of a page without content that a browser might show, where there is none. */
export function needsBrowser({ code, message }: ProofroomError): ProofroomError {
  return new ProofroomError({
    code,
    message: `${message} It may show more in a browser, and none was found here.`,
    remedy:
      "Install Chromium or name one in PROOFROOM_CHROMIUM, or open the page in a browser and give its text as a local file.",
  });
}
