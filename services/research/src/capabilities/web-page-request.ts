import { ingestWebPage } from "@proofroom/contracts";
import type { GatherRequest } from "./gather.ts";

export function webPageRequest(url: string): GatherRequest {
  return { ref: url, kind: "web_page", job: { capability: ingestWebPage, input: { url } } };
}
