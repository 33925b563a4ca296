import { type ObjectStore, openRunArtifacts, type RunArtifacts, type Version } from "@proofroom/artifacts";
import {
  artifact,
  isProofroomError,
  outlineSchema,
  ProofroomError,
  sectionArtifact,
  sectionFolder,
} from "@proofroom/contracts";
import type { EventLog } from "@proofroom/queue";

/** A text that is put into a run may be this large, in bytes of UTF-8. */
export const textLimit = 4 * 1024 * 1024;

export interface PutText {
  runId: string;
  /** The artifact's name. Which may be put is the caller's to say. */
  name: string;
  text: string;
  author: string;
  /**
   * Throws where the text must not stand over the newest version (null: there is none). It is asked again of a version
   * that comes between.
   */
  assertOver?: ((newest: Version | null) => void) | undefined;
}

/**
 * Puts what a person or an agent wrote into a run as its newest version, whichever way it came, and tells of it unless
 * it is what stood there already.
 * @throws ProofroomError invalid_input for a text that says nothing, is no Unicode, or is a section that the outline does
 *   not have; too_large; whatever `assertOver` throws
 */
export async function putText(
  { store, events }: { store: ObjectStore; events: Pick<EventLog, "publish"> },
  { runId, name, text, author, assertOver }: PutText,
): Promise<Version> {
  const bytes = checked(text);
  const artifacts = openRunArtifacts(store, runId);
  await assertInOutline(artifacts, name);
  for (;;) {
    const newest = await artifacts.latest(name);
    assertOver?.(newest);
    const over = assertOver === undefined ? undefined : (newest?.n ?? 0);
    try {
      const { version } = await artifacts.write(name, bytes, { author, over });
      if (version !== newest?.n) events.publish({ run_id: runId, type: "artifact.written", artifact: name });
      return await artifacts.version(name, version);
    } catch (error) {
      const isOvertaken = isProofroomError(error) && error.code === "conflict" && over !== undefined;
      if (!isOvertaken || (await artifacts.latest(name))?.n === newest?.n) throw error;
    }
  }
}

function checked(text: string): Uint8Array {
  if (text.trim() === "") throw new ProofroomError({ code: "invalid_input", message: "The text is empty." });
  if (!text.isWellFormed())
    throw new ProofroomError({ code: "invalid_input", message: "The text must be well-formed Unicode." });
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= textLimit) return bytes;
  throw new ProofroomError({
    code: "too_large",
    message: `A text may have ${textLimit} bytes at most.`,
  });
}

/** Refuses a section that the outline does not have: nothing would ever read it. */
async function assertInOutline(artifacts: RunArtifacts, name: string): Promise<void> {
  if (!name.startsWith(sectionFolder)) return;
  const outline = await artifacts.readPlain(artifact.outline);
  const ids = outline === null ? null : sectionIds(outline);
  if (ids === null || ids.some((id) => sectionArtifact(id) === name)) return;
  throw new ProofroomError({
    code: "invalid_input",
    message: "The outline has no such section.",
    remedy: `Its sections are ${ids.join(", ")}.`,
  });
}

/** The ids of an outline's sections, or null where it is none: a person may have written it. */
function sectionIds(outline: Uint8Array): string[] | null {
  try {
    const { sections } = outlineSchema.parse(JSON.parse(Buffer.from(outline).toString("utf8")));
    return sections.map(({ section_id }) => section_id);
  } catch {
    return null;
  }
}
