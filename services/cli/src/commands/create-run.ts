import { basename, dirname } from "node:path";
import { ProofroomError, type RunOptions, runOptionsSchema } from "@proofroom/contracts";
import { createRun } from "@proofroom/runtime/records";
import { copyUploads } from "../create/copy-uploads.ts";
import { foldersWithoutSlash } from "../create/folders-without-slash.ts";
import { loadGuideline } from "../create/load-guideline.ts";
import { guidelineOfTopic } from "../create/topic-guideline.ts";
import { hasSearchProvider, searchSettings } from "../search-providers.ts";
import { userPath } from "../settings.ts";
import type { CommandContext } from "./context.ts";

export interface NewRunRequest {
  guideline: string | undefined;
  topic: string | undefined;
  sources: readonly string[];
  /** As given on the command line; what was not given takes its default. */
  options: Readonly<Record<string, unknown>>;
}

/** @throws ProofroomError invalid_input */
export function parseOptions(
  { typed }: Pick<CommandContext, "typed">,
  given: NewRunRequest["options"],
): RunOptions {
  const parsed = runOptionsSchema.safeParse(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const flag = String(issue?.path[0]).replaceAll("_", "-");
  throw new ProofroomError({
    code: "invalid_input",
    message: `--${flag} is not valid: ${issue?.message ?? ""}`,
    remedy: `${typed("write --help")} shows what it takes.`,
  });
}

/** Rounds of search where nobody says how many: whoever has set a provider wants it used. */
const usualRounds = 3;

/** Where the web cannot be searched, whoever asks for it is told before the run what would make it so. */
function noteVainSearch({ terminal }: CommandContext): void {
  terminal.note(
    `! --search-rounds: no search provider is set, and nothing will be searched. One of ${searchSettings.join(", ")} enables it.`,
  );
}

/** The guideline that is asked for, from a file or a topic, with its local sources. @throws ProofroomError invalid_input, not_found, too_large */
export async function describeRequest(context: CommandContext, request: NewRunRequest) {
  const resolvePath = (path: string) => userPath(context.settings, path);
  if (request.guideline !== undefined) {
    if (request.topic !== undefined || request.sources.length > 0) {
      throw new ProofroomError({
        code: "invalid_input",
        message: "A guideline and --topic or --source exclude each other.",
        remedy: "List the sources in the guideline, or leave the guideline out.",
      });
    }
    const path = resolvePath(request.guideline);
    const loaded = await loadGuideline(path);
    for (const name of await foldersWithoutSlash(loaded.text, dirname(path)))
      context.terminal.note(
        `! ${name} is a folder, and no source as it stands: write ${name}/ to have it read.`,
      );
    return {
      ...loaded,
      title: loaded.title === "Untitled" ? basename(request.guideline, ".md") : loaded.title,
    };
  }
  if (request.topic === undefined) {
    throw new ProofroomError({
      code: "invalid_input",
      message: "There is nothing to write about.",
      remedy: `Name a guideline (${context.typed("write GUIDELINE.md")}), or give --topic "…" and --source ….`,
    });
  }
  return {
    ...(await guidelineOfTopic(request.topic, request.sources, resolvePath)),
    title: request.topic.trim(),
  };
}

/** Creates a run from a guideline, or from a topic and sources, with the local sources copied into it. */
export async function createRunFrom(context: CommandContext, request: NewRunRequest): Promise<string> {
  const canSearch = hasSearchProvider(context.settings);
  const options = parseOptions(context, {
    ...request.options,
    search_rounds: request.options["search_rounds"] ?? (canSearch ? usualRounds : 0),
  });
  if (options.search_rounds > 0 && !canSearch) noteVainSearch(context);
  const { text, uploads, title } = await describeRequest(context, request);
  const store = await context.store();
  return createRun(store, {
    title,
    plan: "write",
    options,
    guideline: text,
    author: "person",
    fill: ({ base }) => copyUploads({ store, base, signal: context.signal }, uploads),
  });
}
