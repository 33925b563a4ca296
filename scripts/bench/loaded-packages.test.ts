import { describe, expect, it } from "vitest";
import { heavyLibraries, loadedOf, packageOf } from "./loaded-packages.ts";

describe("the package of a module", () => {
  it.each([
    ["file:///c/node_modules/zod/index.js", "zod"],
    ["file:///c/node_modules/@aws-sdk/client-s3/dist/index.js", "@aws-sdk/client-s3"],
    ["file:///c/node_modules/repomix/node_modules/linkedom/esm/index.js", "linkedom"],
    ["file:///c/shared/queue/src/index.ts", undefined],
  ])("of %s is %s", (url, name) => {
    expect(packageOf(url)).toBe(name);
  });
});

describe("the heavy libraries among what was loaded", () => {
  it("are named once, sorted, with those of a scope, and without what is only called alike", () => {
    const urls = [
      "file:///c/node_modules/unpdf/dist/index.mjs",
      "file:///c/node_modules/unpdf/dist/pdfjs.mjs",
      "file:///c/node_modules/@aws-sdk/client-s3/dist/index.js",
      "file:///c/node_modules/typescript-eslint/index.js",
      "file:///c/node_modules/zod/index.js",
    ];
    expect(loadedOf(heavyLibraries, urls)).toEqual(["@aws-sdk/client-s3", "unpdf"]);
  });
});
