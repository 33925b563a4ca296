import type { RequiredRevision } from "@proofroom/contracts";
import { describe, expect, it } from "vitest";
import { outlineOf } from "../testing/test-run.ts";
import { isMended } from "./mended.ts";

const [section] = outlineOf([{ title: "Penguins", target_word_count: 20 }]).sections;
const claim = "A queue keeps each job until a worker has finished it.";
const other = "Workers extend the timeout with a heartbeat. [S2]";
const body = (...sentences: string[]) => `## Penguins\n\n${sentences.join(" ")}\n`;
const cited = `${claim} [S1]`;

describe("a revision of a section that was written anew", () => {
  it.each<[string, RequiredRevision["kind"], string | undefined, string, string, boolean]>([
    ["the sentence is gone", "unsupported_citation", claim, body(cited, other), body(other), true],
    ["the sentence cites another", "unsupported_citation", claim, body(cited), body(`${claim} [S2]`), true],
    ["the sentence stands as it was", "unsupported_citation", claim, body(cited), body(cited, other), false],
    ["it is cited now", "uncited_claim", claim, body(claim), body(cited), true],
    ["it still cites nothing", "uncited_claim", claim, body(claim), body(claim, other), false],
    ["it stands once", "repeated_text", claim, body(cited, cited), body(cited), true],
    ["it stands twice", "repeated_text", claim, body(cited, cited), body(cited, other, cited), false],
    ["it is about as long as asked", "over_budget", undefined, body(cited, other, cited), body(cited), true],
    ["it is too long", "over_budget", undefined, body(cited), body(cited, other, cited), false],
    ["it is longer", "under_budget", undefined, body(other), body(cited, other), true],
    ["it is shorter", "under_budget", undefined, body(cited, other), body(other), false],
    ["the topic is there", "missing_key_point", "Heartbeats", body(cited), body(cited, other), true],
    ["the topic is in the heading alone", "missing_key_point", "Penguins", body(cited), body(other), false],
    ["nothing can be looked up", "editorial", undefined, body(cited), body(other), true],
  ])("where %s (%s) is mended or not", (_name, kind, target, before, after, mended) => {
    if (section === undefined) throw new Error("there is no section");
    const revision = { section: "section_1", kind, blocking: false, instruction: "Mend it." };
    const asked = target === undefined ? revision : { ...revision, target };
    expect(isMended(asked, section, before, after)).toBe(mended);
  });
});
