import { z } from "zod";
import { between, seeded } from "./random.ts";

const childSchema = z.object({
  ref: z.string(),
  /** `stumbles` fails once and then succeeds; `fails` fails for good. */
  fate: z.enum(["succeeds", "stumbles", "fails"]),
});

/** What the fake handlers do in one run. It is the text of the run's guideline, so that every process knows it. */
export const chaosScriptSchema = z.object({
  seed: z.int(),
  documents: z.array(childSchema),
  pages: z.array(childSchema),
  sections: z.int(),
  snippets: z.int(),
  /** Whether the code of the first round fails, so that it is repaired. */
  breaks: z.boolean(),
  /** The round whose evaluation approves. */
  approvedIn: z.int(),
  /** Capabilities whose first execution in the run fails. */
  stumbling: z.array(z.string()),
  /** The capability that fails for good, so that the run does. */
  doomed: z.string().nullable(),
});
export type ChaosScript = z.infer<typeof chaosScriptSchema>;

const mayStumble = [
  "extract_guidelines_urls",
  "create_research_file",
  "draft_article_section",
  "verify_citations",
  "fix_code_snippets",
];

function children(random: () => number, kind: string) {
  return Array.from({ length: between(random, 5, 20) }, (_, index) => {
    const luck = random();
    const fate = luck < 0.1 ? "fails" : luck < 0.25 ? "stumbles" : "succeeds";
    return { ref: `${kind}-${index}`, fate } as const;
  });
}

/** The script of a seed. Every fifth seed or so makes a run that has to fail. */
export function scriptOf(seed: number): ChaosScript {
  const random = seeded(seed);
  return {
    seed,
    documents: children(random, "document"),
    pages: random() < 0.5 ? children(random, "page") : [],
    sections: between(random, 2, 5),
    snippets: between(random, 0, 2),
    breaks: random() < 0.5,
    approvedIn: between(random, 1, 3),
    stumbling: mayStumble.filter(() => random() < 0.25),
    doomed: random() < 0.2 ? "generate_article_outline" : null,
  };
}
