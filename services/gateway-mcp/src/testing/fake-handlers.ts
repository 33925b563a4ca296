import { artifact, gatheredArtifact, ProofroomError, sectionArtifact } from "@proofroom/contracts";
import type { AnyHandler, StepContext } from "@proofroom/runtime";

const sha256 = "0".repeat(64);
type Input = { round?: number; section_id?: string; allow_draft?: boolean };
type Fake = (input: Input, context: StepContext) => Promise<Record<string, unknown>>;

/** A handler that writes a text and answers the same output every time. */
function writes(name: string, text: string, output: Record<string, unknown>): Fake {
  return async (_input, { artifacts }) => {
    await artifacts.writeText(name, text);
    return { ...output, artifact: name };
  };
}

function gathers(name: string): Fake {
  const counts = { requested: 1, gathered: 1, failed: 0, failures: [], notes: [] };
  return writes(gatheredArtifact(name), "{}", { status: "success", ...counts });
}

/** What no critic of these approves of. */
export const unsupported = "Nobody ever said so.";

const scores = { technical_depth: 25, code_quality: 25, structure_clarity: 18, citation_fidelity: 18 };

const fakes: Readonly<Record<string, Fake>> = {
  extract_guidelines_urls: writes(artifact.references, "{}", {
    github_urls: 0,
    git_urls: 0,
    youtube_videos_urls: 0,
    other_urls: 0,
    local_file_paths: 1,
    rejected: [],
  }),
  process_local_files: gathers("process_local_files"),
  run_web_research: gathers("run_web_research"),
  create_research_file: writes(artifact.research, "# Research\n\nS1: notes.md\n", {
    sources: 1,
    failures: 0,
    words: 3,
  }),
  read_research_summary: async () => ({
    title: "Retrying",
    sections: [],
    sources: [{ id: "S1", kind: "file", title: "Notes", ref: "notes.md", words: 3 }],
    failures: 0,
    words: 3,
  }),
  generate_article_outline: async (_input, { artifacts }) => {
    const section = { title: "A", key_points: [], target_word_count: 100, include_code: false };
    const sections = ["one", "two"].map((section_id) => ({
      ...section,
      section_id,
      citations_to_reference: [],
    }));
    await artifacts.writeJson(artifact.outline, {
      title: "Retrying",
      subtitle: "",
      target_audience: "",
      estimated_read_time_minutes: 1,
      sections,
    });
    return {
      title: "Retrying",
      sections: sections.map(({ section_id, title, target_word_count }) => ({
        section_id,
        title,
        target_word_count,
      })),
      written_by: "extractive",
      artifact: artifact.outline,
    };
  },
  draft_article_section: async ({ section_id = "one" }, { artifacts }) => {
    const name = sectionArtifact(section_id);
    await artifacts.writeText(name, `Section ${section_id} [S1].\n`);
    const facts = { words: 3, citations: 1, sources: ["S1"], code_blocks: 0, written_by: "extractive" };
    return { section_id, ...facts, artifact: name };
  },
  refine_and_save_article: async ({ round = 0 }, { artifacts }) => {
    const texts = await Promise.all(
      ["one", "two"].map((id) => artifacts.tryReadText(sectionArtifact(id)).then((text) => text ?? "")),
    );
    await artifacts.writeText(artifact.article, `# Retrying\n\n${texts.join("\n")}\nRound ${round}.\n`);
    return {
      round,
      words: 10,
      sections: 2,
      references: 1,
      revisions_applied: 0,
      revisions_open: 0,
      changed: true,
      article_sha256: sha256,
      written_by: "extractive",
      artifact: artifact.article,
    };
  },
  critic_evaluate_article: async ({ round = 0 }, { artifacts }) => {
    const article = await artifacts.tryReadText(artifact.article);
    const status = round > 0 && !article?.includes(unsupported) ? "APPROVED" : "REVISE";
    await artifacts.writeJson(artifact.critique, { status });
    return {
      status,
      overall_score: 86,
      category_scores: scores,
      blocking: [],
      required_revisions: 0,
      article_sha256: sha256,
      artifact: artifact.critique,
    };
  },
  verify_citations: async (_input, { artifacts, progress }) => {
    progress({ done: 1, total: 2 });
    await artifacts.tryReadText(artifact.article);
    await artifacts.writeText(artifact.citations, "{}");
    const counts = { supported: 1, uncertain: 0, unsupported: 0, unresolved: 0, uncited: 0 };
    return { sentences: 1, cited: 1, ...counts, article_sha256: sha256, artifact: artifact.citations };
  },
  extract_and_validate_code: writes(artifact.manifest, "{}", {
    total_snippets: 1,
    valid_syntax_count: 1,
    invalid_syntax_count: 0,
    unchecked_count: 0,
    article_sha256: sha256,
  }),
  execute_sandbox_tests: writes(artifact.results, "{}", {
    status: "success",
    total: 1,
    passed: 1,
    failed: 0,
    skipped: 0,
    not_run: 0,
    sandbox: "none",
  }),
  export_publication_bundle: async ({ allow_draft: allowsDraft }, { artifacts }) => {
    const article = await artifacts.readText(artifact.article);
    const isDraft = !(await artifacts.tryReadText(artifact.critique))?.includes("APPROVED");
    if (isDraft && !allowsDraft)
      throw new ProofroomError({ code: "conflict", message: "It is not approved." });
    await artifacts.writeText(artifact.page, `<!doctype html><pre>${article}</pre>`);
    return { status: isDraft ? "draft" : "approved", reasons: [], bytes: 10, artifact: artifact.page };
  },
};

/** The handler of a capability: a small deterministic stand-in that keeps the contract, or none. */
export function fakeHandler(name: string): AnyHandler | undefined {
  return fakes[name] as AnyHandler | undefined;
}
