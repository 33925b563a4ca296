import type { Answer, Peer } from "./clients.ts";

/** A call as the instructions write it: a tool's name and its arguments, both in backquotes. */
const callPattern = /[Cc]all `([a-z_]+)` with `(\{[^`]*\})`/g;

type Args = Record<string, unknown>;
type Output = Record<string, unknown>;

/**
 * Reads the calls of a prompt, by tool: the first that it gives for each, or the one for any ROUND. Words in capitals
 * in the arguments are filled in by the values given.
 */
function callsIn(text: string): Map<string, (values: Record<string, unknown>) => Args> {
  const calls = new Map<string, (values: Record<string, unknown>) => Args>();
  for (const [, name = "", template = ""] of text.matchAll(callPattern)) {
    if (calls.has(name) && !template.includes("ROUND")) continue;
    calls.set(name, ({ ROUND = 0, SECTION_ID = "" }) =>
      JSON.parse(template.replace("ROUND", String(ROUND)).replace("SECTION_ID", String(SECTION_ID))),
    );
  }
  return calls;
}

/** A call that broke off is made once more: it finds the job that the first one left. */
function called(peer: Peer, tool: string, args: Args): Promise<Answer> {
  return peer.call(tool, args).catch(() => peer.call(tool, args));
}

async function settled(peer: Peer, answer: Answer): Promise<Output> {
  let current = answer;
  while (["queued", "running"].includes(String(current.structuredContent?.["status"]))) {
    current = await called(peer, "job_wait", { job_id: current.structuredContent?.["job_id"] });
  }
  if (current.isError === true) throw new Error(current.content[0]?.text);
  return (current.structuredContent?.["output"] ?? {}) as Output;
}

/** The tools that gather, and the counts of the guideline's sources for which the instructions have them called. */
const gatherers = [
  ["process_local_files", "local_file_paths"],
  ["scrape_and_clean_other_urls", "other_urls"],
  ["process_github_urls", "github_urls", "git_urls"],
  ["transcribe_youtube_urls", "youtube_videos_urls"],
] as const;

/** Makes an article of a run, or of a folder that stands for one, by nothing but the three prompts, as a careful reader would follow them. */
export async function followPrompts(
  peer: Peer,
  subject: { run_id: string } | { research_directory: string },
): Promise<void> {
  async function follow(prompt: string) {
    const calls = callsIn(await peer.prompt(prompt, { ...subject }));
    return async (tool: string, values: Record<string, unknown> = {}): Promise<Output> => {
      const args = calls.get(tool)?.(values);
      if (args === undefined) throw new Error(`${prompt} does not say how to call ${tool}`);
      return settled(peer, await called(peer, tool, args));
    };
  }

  const research = await follow("full_research_instructions");
  const found = await research("extract_guidelines_urls");
  for (const [tool, ...kinds] of gatherers) {
    if (kinds.some((kind) => Number(found[kind]) > 0)) await research(tool);
  }
  await research("create_research_file");
  await research("read_research_summary");

  const write = await follow("full_writer_instructions");
  const outline = await write("generate_article_outline");
  for (const { section_id } of outline["sections"] as { section_id: string }[]) {
    await write("draft_article_section", { SECTION_ID: section_id });
  }
  await write("refine_and_save_article", { ROUND: 0 });
  const evaluate = async (ROUND: number) => {
    const code = await write("extract_and_validate_code", { ROUND });
    const ran = Number(code["total_snippets"]) > 0 ? await write("execute_sandbox_tests", { ROUND }) : {};
    if (Number(ran["failed"] ?? 0) + Number(code["invalid_syntax_count"]) > 0)
      await write("fix_code_snippets", { ROUND });
    await write("verify_citations", { ROUND });
    return (await write("critic_evaluate_article", { ROUND }))["status"];
  };
  await evaluate(0);
  for (const ROUND of [1, 2, 3]) {
    const refined = await write("refine_and_save_article", { ROUND });
    if (refined["changed"] !== true || (await evaluate(ROUND)) === "APPROVED") break;
  }

  const publish = await follow("full_publishing_instructions");
  await publish("export_publication_bundle");
}
