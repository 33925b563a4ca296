import { createHash } from "node:crypto";
import {
  artifact,
  gatheredArtifact,
  ingestDocument,
  ingestWebPage,
  sectionArtifact,
} from "@proofroom/contracts";
import type { StepContext } from "@proofroom/runtime";
import type { ChaosScript } from "./chaos-script.ts";

/** What a fake step knows: its input, what it may use, and the script of its run. */
interface FakeCall {
  input: Readonly<Record<string, unknown>>;
  context: StepContext;
  script: ChaosScript;
}
type FakeStep = (call: FakeCall) => Promise<Record<string, unknown>>;

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const roundOf = ({ input }: FakeCall) => Number(input["round"] ?? 0);

async function gather(call: FakeCall, capability: string): Promise<Record<string, unknown>> {
  const { context, script } = call;
  await context.artifacts.readText(artifact.references);
  const local = capability === "process_local_files";
  const outcomes = local
    ? await context.fanOut(
        ingestDocument,
        script.documents.map(({ ref }) => ({ path: ref })),
      )
    : await context.fanOut(
        ingestWebPage,
        script.pages.map(({ ref }) => ({ url: ref })),
      );
  const sources = outcomes.flatMap(({ output }) => (output === undefined ? [] : [output]));
  const failures = outcomes.flatMap(({ error }) => (error === undefined ? [] : [error.code]));
  const name = gatheredArtifact(capability);
  await context.artifacts.writeJson(name, { sources, failures });
  return {
    status: failures.length === 0 ? "success" : "partial_success",
    requested: outcomes.length,
    gathered: sources.length,
    failed: failures.length,
    artifact: name,
    failures: [],
  };
}

async function ingest({ context }: FakeCall, kind: "document" | "web_page", ref: string) {
  const name = `.nova/sources/${ref}.json`;
  const text = `what ${ref} says`;
  await context.artifacts.writeJson(name, { text });
  return { ref, kind, title: ref, artifact: name, sha256: hash(text) };
}

async function writeArticle(call: FakeCall, text: string): Promise<string> {
  await call.context.artifacts.writeText(artifact.article, text);
  return hash(text);
}

/** Each artifact is made of the hashes of what was read, so that a wrong order or a lost version shows in the last one. */
export const fakeSteps: Readonly<Record<string, FakeStep>> = {
  async extract_guidelines_urls({ context, script }) {
    await context.artifacts.writeJson(artifact.references, {
      documents: script.documents,
      pages: script.pages,
    });
    return {
      github_urls: 0,
      git_urls: 0,
      youtube_videos_urls: 0,
      other_urls: script.pages.length,
      local_file_paths: script.documents.length,
      rejected: [],
      artifact: artifact.references,
    };
  },
  process_local_files: (call) => gather(call, "process_local_files"),
  scrape_and_clean_other_urls: (call) => gather(call, "scrape_and_clean_other_urls"),
  ingest_document: (call) => ingest(call, "document", String(call.input["path"])),
  ingest_web_page: (call) => ingest(call, "web_page", String(call.input["url"])),
  async create_research_file({ context }) {
    const files = await Promise.all(
      ["process_local_files", "scrape_and_clean_other_urls"].map((name) =>
        context.artifacts.tryReadText(gatheredArtifact(name)),
      ),
    );
    await context.artifacts.writeText(artifact.research, files.join("\n"));
    await context.artifacts.writeJson(artifact.sources, { of: hash(files.join()) });
    return { sources: 1, failures: 0, words: 1, artifact: artifact.research };
  },
  async generate_article_outline({ context, script }) {
    await context.artifacts.writeText(
      artifact.outline,
      hash(await context.artifacts.readText(artifact.sources)),
    );
    const sections = Array.from({ length: script.sections }, (_, n) => ({
      section_id: `section_${n + 1}`,
      title: `Section ${n + 1}`,
      target_word_count: 10,
    }));
    return { title: "t", sections, written_by: "extractive", artifact: artifact.outline };
  },
  async draft_article_section({ context, input }) {
    const id = String(input["section_id"]);
    const outline = await context.artifacts.readText(artifact.outline);
    await context.artifacts.writeText(sectionArtifact(id), `## ${id}\n${outline}\n`);
    const written = { words: 1, citations: 1, sources: [], code_blocks: 0, written_by: "extractive" };
    return { section_id: id, ...written, artifact: sectionArtifact(id) };
  },
  async refine_and_save_article(call) {
    const { artifacts } = call.context;
    const round = roundOf(call);
    let text = "";
    if (round === 0) {
      for (let n = 1; n <= call.script.sections; n += 1)
        text += await artifacts.readText(sectionArtifact(`section_${n}`));
    } else {
      const critique = await artifacts.readText(artifact.critique);
      text = `${await artifacts.readText(artifact.article)}refined ${round} by ${hash(critique)}\n`;
    }
    const done = { revisions_applied: 0, revisions_open: 0, changed: true, written_by: "extractive" };
    const sha = await writeArticle(call, text);
    return {
      round,
      words: 1,
      sections: 1,
      references: 1,
      ...done,
      article_sha256: sha,
      artifact: artifact.article,
    };
  },
  async extract_and_validate_code(call) {
    const article = await call.context.artifacts.readText(artifact.article);
    await call.context.artifacts.writeText(artifact.manifest, `code of ${hash(article)}`);
    const total = call.script.snippets;
    const counts = {
      total_snippets: total,
      valid_syntax_count: total,
      invalid_syntax_count: 0,
      unchecked_count: 0,
    };
    return { ...counts, article_sha256: hash(article), artifact: artifact.manifest };
  },
  async execute_sandbox_tests(call) {
    const manifest = await call.context.artifacts.readText(artifact.manifest);
    await call.context.artifacts.writeText(artifact.results, `results of ${hash(manifest)}`);
    const failed = call.script.breaks && roundOf(call) === 0 ? 1 : 0;
    const counts = { total: 2, passed: 2 - failed, failed, skipped: 0, not_run: 0 };
    return { status: "success", ...counts, sandbox: "s", artifact: artifact.results };
  },
  async fix_code_snippets(call) {
    const { artifacts } = call.context;
    const repair = hash(await artifacts.readText(artifact.results));
    const sha = await writeArticle(
      call,
      `${await artifacts.readText(artifact.article)}repaired by ${repair}\n`,
    );
    const done = { repaired: [], still_failing: [], fixed_code: null };
    return { ...done, article_sha256: sha, artifact: artifact.article };
  },
  async verify_citations({ context }) {
    const article = await context.artifacts.readText(artifact.article);
    await context.artifacts.writeText(artifact.citations, `citations of ${hash(article)}`);
    const counts = {
      sentences: 1,
      cited: 1,
      supported: 1,
      uncertain: 0,
      unsupported: 0,
      unresolved: 0,
      uncited: 0,
    };
    return { ...counts, article_sha256: hash(article), artifact: artifact.citations };
  },
  async critic_evaluate_article(call) {
    const { artifacts } = call.context;
    const article = await artifacts.readText(artifact.article);
    const citations = await artifacts.readText(artifact.citations);
    await artifacts.writeText(artifact.critique, `verdict on ${hash(article)} and ${hash(citations)}`);
    const scores = { technical_depth: 1, code_quality: 1, structure_clarity: 1, citation_fidelity: 1 };
    return {
      status: roundOf(call) >= call.script.approvedIn ? "APPROVED" : "REVISE",
      overall_score: 1,
      category_scores: scores,
      blocking: [],
      required_revisions: 1,
      article_sha256: hash(article),
      artifact: artifact.critique,
    };
  },
  async export_publication_bundle({ context }) {
    const article = await context.artifacts.readText(artifact.article);
    const critique = await context.artifacts.readText(artifact.critique);
    await context.artifacts.writeText(artifact.page, `<p>${hash(article)} ${hash(critique)}</p>`);
    return { status: "approved", reasons: [], bytes: 1, artifact: artifact.page };
  },
};
