import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { geminiBody, makeTempFolder, openAiBody, type Script, startFakeProvider } from "@proofroom/testing";
import { describe, expect, it } from "vitest";
import type { RunResult } from "./output/results.ts";
import { articleShape } from "./testing/article-shape.ts";
import { askedIn, goodAnswer, type Stage } from "./testing/good-model.ts";
import { runCli } from "./testing/run-cli.ts";

const subjects = ["delivery", "retries", "idempotency", "timeouts", "ordering", "monitoring"];
const sections = [...subjects, "leases", "replicas"];
const things = "broker worker client queue message lease offset partition replica ledger cursor batch".split(
  " ",
);

/** A source of about 1,400 words, of which no sentence is like another. */
function notesOn(subject: string, nth: number): string {
  const thing = (at: number) => things[(at * 7 + nth * 5) % things.length];
  const chapters = Array.from({ length: 12 }, (_, chapter) => {
    const sentences = Array.from({ length: 6 }, (_, at) => {
      const n = chapter * 6 + at;
      return `In ${subject} part ${n + 10} the ${thing(n)} reads every ${thing(n + 1)} of the ${thing(n + 3)} before the ${thing(n * n + 2)} moves for ${subject}.`;
    });
    return `## ${subject} of the ${thing(chapter)}, ${chapter}\n\n${sentences.join(" ")}`;
  });
  return [`# Notes on ${subject}`, ...chapters, ""].join("\n\n");
}

function outline(): string {
  const planned = sections.map((subject) => ({
    title: `About ${subject}`,
    key_points: [`${subject} of the broker`, `${subject} of the worker`],
    target_word_count: 250,
    include_code: false,
  }));
  return JSON.stringify({ sections: planned });
}

/** Never content: all sections are to be written anew, each time. */
function nagging(text: string): string {
  const ids = new Set(text.match(/section_\d+/g));
  const revisions = [...ids].map((section_id) => ({ section_id, instruction: "Say more about why." }));
  return JSON.stringify({ technical_depth: 5, structure_clarity: 5, critiques: [], revisions });
}

/** Writes an article of 2,000 words from six sources; answers what it cost, and the calls by stage. */
async function costOf(api: "gemini" | "openai", critic: (text: string) => string | null) {
  const folder = await makeTempFolder();
  const calls = new Map<Stage, number>();
  const script: Script = (request) => {
    const asked = askedIn(request);
    calls.set(asked.stage, (calls.get(asked.stage) ?? 0) + 1);
    const own = { planner: outline, critic: () => critic(asked.text) } as Partial<
      Record<Stage, () => string | null>
    >;
    const answer = own[asked.stage]?.() ?? goodAnswer(asked);
    const tokens = (text: string) => Math.ceil(text.length / 4);
    const used = { inputTokens: tokens(request.text), outputTokens: tokens(answer) };
    return { body: api === "gemini" ? geminiBody(answer, used) : openAiBody(answer, used) };
  };
  const fake = await startFakeProvider(script);
  try {
    await mkdir(join(folder.path, "notes"));
    for (const [nth, subject] of subjects.entries())
      await writeFile(join(folder.path, "notes", `${subject}.md`), notesOn(subject, nth));
    const list = subjects.map((subject) => `- \`notes/${subject}.md\``).join("\n");
    const guideline = `# Guideline: Reliable message queues\n\nExpected length: 2000 words\n\n## Sources\n\n${list}\n`;
    await writeFile(join(folder.path, "guideline.md"), guideline);
    const { stdout, stderr } = await runCli(["write", "guideline.md", "--out", "out", "--json"], {
      home: join(folder.path, "home"),
      cwd: folder.path,
      env:
        api === "gemini"
          ? { GEMINI_API_KEY: "key-of-a-test", GEMINI_BASE_URL: fake.base }
          : { OPENAI_BASE_URL: `${fake.base}/v1`, OPENAI_MODEL: "local" },
    });
    if (stdout === "") throw new Error(stderr);
    const { status, cost } = JSON.parse(stdout) as RunResult;
    expect(status).toBe("succeeded");
    expect(cost?.calls).toBe(fake.requests.length);
    const { words, references } = articleShape(
      await readFile(join(folder.path, "out", "article.md"), "utf8"),
    );
    expect(words).toBeGreaterThanOrEqual(1_800);
    expect(words).toBeLessThanOrEqual(2_600);
    expect(references).toHaveLength(subjects.length);
    return { cost, calls };
  } finally {
    await fake.close();
    await folder.close();
  }
}

describe("an article of 2,000 words from six sources", { timeout: 120_000 }, () => {
  it("fits a free tier many times over: each section is asked for once, and little is mended", async () => {
    const { cost, calls } = await costOf("gemini", () => null);
    expect(calls.get("planner")).toBe(1);
    expect(calls.get("drafter")).toBeLessThanOrEqual(16);
    expect(cost?.calls).toBeLessThanOrEqual(20);
    expect(cost?.input_tokens).toBeLessThanOrEqual(60_000);
    expect(cost?.usd).toBeLessThanOrEqual(0.05);
  });

  it("stays below sixty calls with a critic whom nothing satisfies", async () => {
    const { cost, calls } = await costOf("openai", nagging);
    expect(calls.get("critic")).toBeLessThanOrEqual(4);
    expect(cost?.calls).toBeLessThanOrEqual(45);
    expect(cost?.input_tokens).toBeLessThanOrEqual(250_000);
  });
});
