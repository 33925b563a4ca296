import type { Handlers } from "../../shared/runtime/src/index.ts";

const nothing = "0".repeat(64);

/** Handlers of the writer that do nothing. */
export const writer: Handlers<"writer"> = {
  read_research_summary: async () => ({ title: "", sections: [], sources: [], failures: 0, words: 0 }),
  generate_article_outline: async () => ({ title: "", sections: [], written_by: "", artifact: "" }),
  draft_article_section: async () => ({
    section_id: "",
    words: 0,
    citations: 0,
    sources: [],
    code_blocks: 0,
    written_by: "",
    artifact: "",
  }),
  refine_and_save_article: async () => ({
    round: 0,
    words: 0,
    sections: 0,
    references: 0,
    revisions_applied: 0,
    revisions_open: 0,
    changed: false,
    article_sha256: nothing,
    written_by: "",
    artifact: "",
  }),
};

/** Handlers of the critic that do nothing. */
export const critic: Handlers<"critic"> = {
  verify_citations: async () => ({
    sentences: 0,
    cited: 0,
    supported: 0,
    uncertain: 0,
    unsupported: 0,
    unresolved: 0,
    uncited: 0,
    article_sha256: nothing,
    artifact: "",
  }),
  critic_evaluate_article: async () => ({
    status: "APPROVED",
    overall_score: 0,
    category_scores: { technical_depth: 0, code_quality: 0, structure_clarity: 0, citation_fidelity: 0 },
    blocking: [],
    required_revisions: 0,
    article_sha256: nothing,
    artifact: "",
  }),
};
