import fc from "fast-check";
import { expect, it } from "vitest";
import { authorOf, isPersons, personThrough, stepOfAuthor } from "./canonical.ts";

it("whatever an agent calls itself, its text is a person's and never a step's", () => {
  fc.assert(
    fc.property(fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }), (name) => {
      const author = personThrough(name);
      expect(isPersons(author)).toBe(true);
      expect(stepOfAuthor(author)).toBeNull();
    }),
  );
  expect(personThrough("verify_citations.g1")).toBe("person (through verify_citations.g1)");
  expect(isPersons(authorOf("person", 1))).toBe(false);
  expect(isPersons("import")).toBe(false);
});
