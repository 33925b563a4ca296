import { artifactNameSchema } from "@proofroom/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { artifactUri, parseArtifactUri } from "./artifact-uri.ts";

const runId = `run_${"0".repeat(26)}`;

describe("the address of an artifact", () => {
  it("is read back as it was made, whatever the name holds", () => {
    const names = fc
      .array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("/"))
      .filter((name) => artifactNameSchema.safeParse(name).success && name.isWellFormed());
    fc.assert(
      fc.property(names, fc.nat(), (name, offset) => {
        expect(parseArtifactUri(new URL(artifactUri(runId, name, offset)))).toEqual({ runId, name, offset });
      }),
    );
  });

  it.each([
    `http://${runId}/research.md`,
    "run://run_1/research.md",
    `run://${runId}/`,
    `run://${runId}/..%2F..%2Fother`,
    `run://${runId}/a%00b`,
    `run://${runId}/a%FF`,
    `run://${runId}/a%5C..%5Cb`,
    `run://${runId}/research.md?offset=-1`,
    `run://${runId}/research.md?offset=1e9`,
  ])("%s is none", (uri) => {
    expect(() => parseArtifactUri(new URL(uri))).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });
});
