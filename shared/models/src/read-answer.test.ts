import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Expectation, Flawed, readAnswer, schemaOf } from "./read-answer.ts";
import type { ModelReply } from "./request.ts";

const schema = z.object({ queries: z.array(z.string()) });
const json: Expectation<z.output<typeof schema>> = { kind: "json", schema };

function reply(text: string, finish: ModelReply["finish"] = "stop"): ModelReply {
  return { text, finish, usage: { inputTokens: 1, outputTokens: 1 } };
}

async function flawOf(text: string, finish?: ModelReply["finish"]): Promise<string | null> {
  const answer = await readAnswer(reply(text, finish), json);
  return answer instanceof Flawed ? answer.flaw : null;
}

describe("an answer", () => {
  it.each([
    '{"queries":["a"]}',
    '```json\n{"queries":["a"]}\n```',
    'Here it is:\n```\n{"queries":["a"]}\n```\nAnything else?',
    '<think>{"queries":["no"]}</think>\n{"queries":["a"]}',
    'thinking without an opening tag </think> {"queries":["a"]}',
    'Sure! {"queries":["a"]} Hope it helps.',
  ])("of %j is read", async (text) => {
    expect(await readAnswer(reply(text), json)).toEqual({ queries: ["a"] });
  });

  it.each([
    ['{"queries":["a"]}', "length", "truncated"],
    ['{"queries":["a"]}', "open", "unfinished"],
    ["", "blocked", "blocked"],
    ["", "stop", "empty"],
    ["<think>for ever and ever", "stop", "empty"],
    ["no JSON at all", "stop", "not_json"],
    ['{"queries":["a"', "stop", "not_json"],
    ['{"query":"a"}', "stop", "off_schema"],
    ['[{"queries":["a"]}]', "stop", "off_schema"],
  ] as const)("of %j that ended by %s is %s, and never passes", async (text, finish, flaw) => {
    expect(await flawOf(text, finish)).toBe(flaw);
  });

  it("is refused by the caller's own check with the caller's words", async () => {
    const check = () => "Only listed ids may be chosen.";
    const answer = await readAnswer(reply('{"queries":["a"]}'), { kind: "json", schema, check });
    expect(answer).toMatchObject({ flaw: "unfit", hint: "Only listed ids may be chosen." });
  });

  it("is asked for with a schema that names no dialect and refers to nothing", () => {
    const nested = z.object({ item: z.string() });
    const text = JSON.stringify(schemaOf({ kind: "json", schema: z.object({ a: nested, b: nested }) }));
    expect(text).not.toMatch(/\$ref|\$defs|\$schema/);
  });
});
