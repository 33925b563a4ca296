import { ingestWebPage } from "@proofroom/contracts";
import type { GatherRequest } from "./gather.ts";

/** @param clean whether a model takes out of the page what is not its content */
export function webPageRequest(url: string, clean = false): GatherRequest {
  const input = clean ? { url, clean } : { url };
  return { ref: url, kind: "web_page", job: { capability: ingestWebPage, input } };
}
