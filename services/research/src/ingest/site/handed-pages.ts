import { createHash } from "node:crypto";
import { type SitePages, sitePagesSchema } from "@proofroom/contracts";
import type { StepArtifacts } from "@proofroom/runtime";
import type { Fetched } from "../web/fetch-bytes.ts";

type Handed = SitePages["fetched"];

/** Bytes of one site that are handed on; what is beyond is fetched again. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Keeps the pages that the map of a site fetches for the jobs that read them. They stay as long as the run does: a step
 * cannot delete what it has written, and a job that is executed again reads them again.
 */
export class HandedPages {
  readonly #folder: string;
  readonly #artifacts: Pick<StepArtifacts, "writeBytes">;
  readonly #now: () => Date;
  readonly all: Handed = {};
  #left = mostBytes;

  constructor(
    { stepId, artifacts }: { stepId: string; artifacts: Pick<StepArtifacts, "writeBytes"> },
    now: () => Date,
  ) {
    this.#folder = `.nova/sites/${stepId}/`;
    this.#artifacts = artifacts;
    this.#now = now;
  }

  async keep(page: string, { bytes, finalUrl, contentType, fileName }: Fetched): Promise<void> {
    if (bytes.byteLength > this.#left) return;
    this.#left -= bytes.byteLength;
    // By the page and not by its place: another generation of the map may find it at another.
    const artifact = `${this.#folder}${createHash("sha256").update(page).digest("hex").slice(0, 16)}`;
    await this.#artifacts.writeBytes(artifact, bytes);
    this.all[page] = {
      artifact,
      final_url: finalUrl,
      content_type: contentType,
      ...(fileName === undefined ? {} : { file_name: fileName }),
      retrieved_at: this.#now().toISOString(),
    };
  }
}

/**
 * The page as the map of its site has fetched it in the same generation, or null where it has not: what is tried again is
 * wanted as it is then.
 * @param site the artifact that the map has written
 * @throws ProofroomError as StepArtifacts.readJson and readBytes
 */
export async function handedPage(
  artifacts: Pick<StepArtifacts, "readBytes" | "readJson">,
  { url, site, generation }: { url: string; site: string; generation: number },
): Promise<Fetched | null> {
  const map = await artifacts.readJson(site, sitePagesSchema);
  const page = map.fetched[url];
  if (page === undefined || map.generation !== generation) return null;
  return {
    bytes: await artifacts.readBytes(page.artifact),
    finalUrl: page.final_url,
    contentType: page.content_type,
    ...(page.file_name === undefined ? {} : { fileName: page.file_name }),
    retrievedAt: page.retrieved_at,
  };
}
