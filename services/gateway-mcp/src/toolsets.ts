import { ProofroomError } from "@proofroom/contracts";

/** The groups into which the tools fall. */
export const toolsetNames = ["research", "writer", "critic", "code", "runs", "jobs"] as const;
export type Toolset = (typeof toolsetNames)[number];

const known: ReadonlySet<string> = new Set(toolsetNames);

function isToolset(name: string): name is Toolset {
  return known.has(name);
}

/**
 * Reads a selection such as `research,writer`. Null or nothing selects everything. Whatever can start a job brings the
 * tools for jobs along: without them its handle could not be followed.
 * @throws ProofroomError invalid_input for a name that is none
 */
export function parseToolsets(text: string | null | undefined): ReadonlySet<Toolset> {
  const names = (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) return new Set(toolsetNames);
  const chosen = new Set<Toolset>();
  for (const name of names) {
    if (!isToolset(name)) {
      throw new ProofroomError({
        code: "invalid_input",
        message: "There is no such toolset.",
        remedy: `Toolsets are ${toolsetNames.join(", ")}.`,
      });
    }
    chosen.add(name);
  }
  if ([...chosen].some((name) => name !== "runs")) chosen.add("jobs");
  return chosen;
}
