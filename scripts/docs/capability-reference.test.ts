import { readFile } from "node:fs/promises";
import { publicCapabilities } from "@proofroom/contracts";
import { expect, it } from "vitest";
import { capabilityReference } from "./capability-reference.ts";

it("has a committed page that says what the catalog says (npm run docs makes it anew)", async () => {
  const committed = await readFile(new URL("../../docs/capabilities.md", import.meta.url), "utf8");
  expect(committed).toBe(capabilityReference());
});

/** By the names that clients of the reference system call. */
const ofReferenceSystem = [
  "extract_guidelines_urls",
  "process_local_files",
  "scrape_and_clean_other_urls",
  "process_github_urls",
  "transcribe_youtube_urls",
  "generate_next_queries",
  "run_web_research",
  "run_perplexity_research",
  "select_research_sources_to_keep",
  "select_research_sources_to_scrape",
  "scrape_research_urls",
  "create_research_file",
  "read_research_summary",
  "generate_article_outline",
  "draft_article_section",
  "critic_evaluate_article",
  "refine_and_save_article",
  "extract_and_validate_code",
  "execute_sandbox_tests",
  "fix_code_snippets",
  "export_publication_bundle",
];

it("covers every public capability: the 21 of the reference system and verify_citations", () => {
  const names = publicCapabilities().map(({ name }) => name as string);
  expect(names.toSorted()).toEqual([...ofReferenceSystem, "verify_citations"].toSorted());
  for (const name of names) expect(capabilityReference()).toContain(`## ${name}\n`);
});
