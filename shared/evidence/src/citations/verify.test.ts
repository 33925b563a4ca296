import { createHash } from "node:crypto";
import type { Citation, CitationReport, Source, SourceIndex } from "@proofroom/contracts";
import { citationReportSchema } from "@proofroom/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storedSource as source } from "./fixtures/stored-source.ts";
import { verifyArticle } from "./verify.ts";

const retries = `# Retries

The client retries a failed request **three times** and waits 200 ms before the first retry.
It doubles the delay after each attempt, up to a limit of 30 seconds.
A request that was answered with status 404 is never retried.

## Queues

Redis keeps the queue in memory and writes an append-only file once per second.
It is not true that the worker loses jobs when it is killed.
Throughput rose by 40% in March 2024, from 1,200 to 1,680 jobs per second.
See [the handbook](https://example.org/handbook?page=9) for the complete list of limits.
“Idempotent handlers make retries safe,” says the guide.
Kafka outperforms RabbitMQ in the replay benchmark.
`;

const timings =
  "The worker starts in 4 ms. The scheduler uses a priority heap with stable ordering for equal keys.";

const cut = retries.indexOf("## Queues");
const first = source("https://a.dev/retries", "Retry guide", retries, [
  { start: 0, end: cut, kind: "prose", locator: { headings: ["Retries"] } },
  { start: cut, end: retries.length, kind: "prose", locator: { headings: ["Retries", "Queues"] } },
]);
const second = source("notes/timings.txt", "Timings", timings);
const index: SourceIndex = {
  v: 1,
  sources: [first, second].map(({ ref, title, kind, sha256 }, at) => ({
    id: `S${at + 1}`,
    ref,
    title,
    kind,
    sha256,
    artifact: `.nova/sources/${at}.json`,
    words: 50,
  })),
  failures: [
    { ref: "https://gone.dev/x", kind: "web_page", code: "unreachable", message: "It did not answer." },
  ],
};
const stored = new Map([
  ["S1", first],
  ["S2", second],
]);

const references =
  "\n\n## References\n\n1. [Retry guide](https://a.dev/retries)\n2. Timings — `notes/timings.txt`\n3. [Gone](https://gone.dev/x)\n4. [Made up](https://nowhere.dev)\n";

async function verify(body: string, corpus: ReadonlyMap<string, Source> = stored): Promise<CitationReport> {
  const report = await verifyArticle({ article: `# T\n\n## Part\n\n${body}${references}`, index, corpus });
  expect(citationReportSchema.parse(report)).toEqual(report);
  return report;
}

async function only(body: string): Promise<Citation> {
  const [citation, ...more] = (await verify(body)).citations;
  expect(more).toEqual([]);
  if (citation === undefined) throw new Error("no citation was found");
  return citation;
}

describe("what the source says word for word is supported", () => {
  test.each([
    ["as it stands", "A request that was answered with status 404 is never retried. [1]"],
    [
      "whatever emphasis and case",
      "The client retries a failed request three times and **waits** 200 ms before the first retry [1].",
    ],
    ["over a line break and a link", "See the handbook for the complete\nlist of limits.[1]"],
    ["other quotes and dashes", '"Idempotent handlers make retries safe," says the guide. [1]'],
  ])("%s", async (_, body) => {
    const { verdict, reasons, evidence } = await only(body);
    expect({ verdict, reasons }).toEqual({ verdict: "supported", reasons: [] });
    const [best] = evidence;
    expect(best?.score).toBe(1);
    expect(retries.slice(best?.start, best?.end)).toBe(best?.quote);
    expect(
      createHash("sha256")
        .update(best?.quote ?? "")
        .digest("hex"),
    ).toBe(best?.sha256);
  });

  test("with the offsets and the place a person finds it at", async () => {
    const { evidence } = await only(
      "It doubles the delay after each attempt, up to a limit of 30 seconds. [1]",
    );
    expect(evidence).toHaveLength(1);
    expect(evidence[0]).toMatchObject({
      source_id: "S1",
      start: retries.indexOf("It doubles"),
      quote: "It doubles the delay after each attempt, up to a limit of 30 seconds.",
      locator: { headings: ["Retries"] },
    });
  });
});

describe("code that a sentence only names the origin of", () => {
  const code = "The client retries a failed request **three times** and waits 200 ms";
  test("is looked up in that source", async () => {
    const { verdict, evidence } = await only(`From Retry guide [1]:\n\n\`\`\`text\n${code}\n\`\`\``);
    expect(verdict).toBe("supported");
    expect(evidence[0]?.quote).toBe(code);
  });

  test("is not supported where it is not there", async () => {
    const { verdict } = await only(
      "From Retry guide [1]:\n\n```js\nfetch(url).then((answer) => answer.json())\n```",
    );
    expect(verdict).not.toBe("supported");
  });
});

describe("paraphrases", () => {
  test("that keep names, numbers and most words are supported", async () => {
    expect(
      (await only("Redis keeps the queue in memory and writes its append-only file every second. [1]"))
        .verdict,
    ).toBe("supported");
    expect((await only("The delay doubles after each attempt up to 30 s. [1]")).verdict).toBe("supported");
  });

  test("that say something else are not", async () => {
    expect((await only("Elephants migrate across the savanna during the dry season. [1]")).verdict).toBe(
      "unsupported",
    );
  });

  test("that rest on two sources together are read together", async () => {
    const { verdict, evidence } = await only(
      "The client retries a failed request three times, and the scheduler uses a priority heap with stable ordering. [1][2]",
    );
    expect(verdict).toBe("supported");
    expect(evidence.map(({ source_id }) => source_id).sort()).toEqual(["S1", "S2"]);
  });
});

describe("what the source does not say is not supported", () => {
  test.each([
    [
      "another number",
      "The client retries a failed request 7 times and waits 200 ms before the first retry. [1]",
    ],
    [
      "another unit",
      "The client retries a failed request three times and waits 200 seconds before the first retry. [1]",
    ],
    ["another percentage", "Throughput rose by 45% in March 2024, from 1,200 to 1,680 jobs per second. [1]"],
    ["another date", "Throughput rose by 40% in March 2023, from 1,200 to 1,680 jobs per second. [1]"],
    [
      "a quotation that is not there",
      "The guide says “idempotent handlers make retries fast” in its text. [1]",
    ],
    ["the opposite by a negation", "A request that was answered with status 404 is retried. [1]"],
    [
      "the opposite by a word",
      "Throughput fell by 40% in March 2024, from 1,200 to 1,680 jobs per second. [1]",
    ],
    ["names exchanged", "RabbitMQ outperforms Kafka in the replay benchmark. [1]"],
  ])("%s", async (_, body) => {
    const { verdict, reasons } = await only(body);
    expect(verdict).toBe("unsupported");
    expect(reasons.length).toBeGreaterThan(0);
  });

  test("words that the source takes back are uncertain", async () => {
    expect((await only("The worker loses jobs when it is killed. [1]")).verdict).toBe("uncertain");
  });

  test.each([
    ["a word", "Redis keeps the queue in memory and writes an append-only table once per second. [1]"],
    ["a modal", "A request that was answered with status 404 must be retried. [1]"],
    [
      "half of the words",
      "The client retries a failed request whenever operators restart the payment gateway. [1]",
    ],
  ])("%s exchanged in the source's sentence is never supported", async (_, body) => {
    expect((await only(body)).verdict).not.toBe("supported");
  });

  test("another name is never supported", async () => {
    expect(
      (await only("Postgres keeps the queue in memory and writes an append-only file once per second. [1]"))
        .verdict,
    ).not.toBe("supported");
    expect(
      (await only("In replay, Pulsar outperforms RabbitMQ in the replay benchmark. [1]")).verdict,
    ).not.toBe("supported");
  });

  test("a number that stands elsewhere in the source is uncertain", async () => {
    const { verdict, reasons } = await only(
      "The client retries a failed request three times and waits 1,680 ms before the first retry. [1]",
    );
    expect(verdict).not.toBe("supported");
    expect(reasons.join(" ")).toContain("1,680");
  });

  test("a small number word that differs is not supported", async () => {
    expect(
      (
        await only(
          "The client retries a failed request five times and waits 200 ms before the first retry. [1]",
        )
      ).verdict,
    ).not.toBe("supported");
  });

  test("the right sentence cited to the wrong source", async () => {
    expect((await only("A request that was answered with status 404 is never retried. [2]")).verdict).toBe(
      "unsupported",
    );
  });
});

describe("what leads to no intact source is unresolved", () => {
  test.each([
    ["a number without reference", "The worker starts in 4 ms. [9]", "no reference [9]"],
    ["a reference to a failure", "The worker starts in 4 ms. [3]", "could not be obtained"],
    ["a reference to no source", "The worker starts in 4 ms. [2][4]", "names no stored source"],
    ["an id left in the text", "The worker starts in 4 ms. [S2]", "[S2]"],
  ])("%s", async (_, body, reason) => {
    const { verdict, reasons } = await only(body);
    expect(verdict).toBe("unresolved");
    expect(reasons.join(" ")).toContain(reason);
  });

  test("evidence that was altered after it was stored", async () => {
    const altered = new Map([["S2", { ...second, text: `${second.text} And more.` }]]);
    const [citation] = (await verify("The worker starts in 4 ms. [2]", altered)).citations;
    expect(citation).toMatchObject({
      verdict: "unresolved",
      reasons: ["The stored evidence of reference [2] was altered."],
    });
  });

  test("a source that is not stored", async () => {
    expect((await verify("The worker starts in 4 ms. [2]", new Map())).citations[0]?.verdict).toBe(
      "unresolved",
    );
  });
});

test("every article gives the same report twice, with the article's hash", async () => {
  const body = "Redis keeps the queue in memory. [1] The worker starts in 4 ms. [2]";
  expect(await verify(body)).toEqual(await verify(body));
  expect((await verify(body)).summary).toEqual({
    sentences: 2,
    cited: 2,
    supported: 2,
    uncertain: 0,
    unsupported: 0,
    unresolved: 0,
    uncited: 0,
  });
});

test("whatever the texts, evidence is what the source says at its offsets", async () => {
  const text = fc.string({
    unit: fc.constantFrom(..."ab cd 12.%“”\"'[]()<>*_`#|-\n\u00e9語"),
    minLength: 1,
    maxLength: 120,
  });
  await fc.assert(
    fc.asyncProperty(text, text, async (words, sentence) => {
      const drawn = source("notes/timings.txt", "Timings", `${words} The scheduler uses a heap.`);
      const drawnIndex: SourceIndex = {
        ...index,
        sources: index.sources.map((entry) =>
          entry.id === "S2" ? { ...entry, sha256: drawn.sha256 } : entry,
        ),
      };
      const article = `# T\n\n## Part\n\n${sentence} [2]. The scheduler uses a heap. [2]${references}`;
      const report = await verifyArticle({ article, index: drawnIndex, corpus: new Map([["S2", drawn]]) });
      expect(citationReportSchema.parse(report)).toEqual(report);
      for (const { evidence } of report.citations) {
        for (const { start, end, quote } of evidence) expect(drawn.text.slice(start, end)).toBe(quote);
      }
    }),
    { numRuns: 60 },
  );
});

test("a sentence of the source is found however it is wrapped and marked up", async () => {
  const sentences =
    retries.match(
      /(?:The client|It doubles|A request|Redis keeps|Throughput rose|Kafka outperforms)[^.]*\.(?!\d)/g,
    ) ?? [];
  expect(sentences).toHaveLength(6);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sentences),
      fc.nat(),
      fc.constantFrom("\n", "  ", " **", " _"),
      async (sentence, at, change) => {
        const words = sentence.replace(/\*\*/g, "").split(/\s+/);
        const middle = 1 + (at % (words.length - 1));
        const close = change.trim();
        const word = words[middle] ?? "";
        const marked =
          close === "" ? `${change}${word}` : `${change}${word.replace(/\W*$/, (end) => `${close}${end}`)}`;
        const body =
          `${words.slice(0, middle).join(" ")}${marked} ${words.slice(middle + 1).join(" ")}`.trimEnd();
        expect((await only(`${body} [1]`)).evidence[0]?.score).toBe(1);
      },
    ),
    { numRuns: 60 },
  );
});
