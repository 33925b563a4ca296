import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTempFolder, type TempFolder } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attributionOf } from "./citation-file.ts";

let folder: TempFolder;

beforeEach(async () => {
  folder = await makeTempFolder();
});

afterEach(() => folder.close());

async function attribution(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  return attributionOf(folder.path);
}

const mit = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy";

const citation = `cff-version: 1.2.0
title: Waits
message: Cite it
authors:
  - given-names: Ada
    family-names: Byron
    email: ada@x.dev
  - name: The Waits Team
doi: 10.5281/zenodo.123
date-released: 2026-01-02
license: Apache-2.0
preferred-citation:
  type: article
  title: On waiting
  journal: Journal of Waits
  year: 2025
  doi: 10.1000/ABC
  authors:
    - family-names: Beethoven
      name-particle: van
      given-names: Ludwig
`;

describe("what a repository says of itself", () => {
  it("is in its CITATION.cff: authors, date, licence, DOI, and what to cite", async () => {
    expect(await attribution({ "CITATION.cff": citation })).toEqual({
      author: "Ada Byron, The Waits Team",
      published: "2026-01-02",
      licence: "Apache-2.0",
      cite_as: "Ludwig van Beethoven (2025). On waiting. Journal of Waits. https://doi.org/10.1000/abc",
      identifiers: { doi: "10.5281/zenodo.123" },
    });
  });

  it("of its licence is the licence's own text, and nothing that a README shows", async () => {
    const readme = "# Waits\n\n![MIT](https://img.shields.io/badge/license-MIT-blue)\n";
    expect(await attribution({ "README.md": readme })).toEqual({});
    expect(await attribution({ "CITATION.cff": citation, LICENSE: mit })).toMatchObject({ licence: "MIT" });
  });

  it("of a choice of licences is the choice", async () => {
    const choice = "title: Waits\nlicense:\n  - MIT\n  - Apache-2.0\n";
    expect((await attribution({ "CITATION.cff": choice })).licence).toBe("MIT OR Apache-2.0");
  });

  it("is in AUTHORS where nothing else names them, without addresses and sentences", async () => {
    const authors =
      "# Authors\n\nThis project was begun by many people.\n\n- Ada Byron <ada@x.dev>\n* Ludwig van Beethoven (composer)\n3. 李 四\nhttps://x.dev/all of them\n";
    expect(await attribution({ "AUTHORS.md": authors })).toEqual({
      author: "Ada Byron, Ludwig van Beethoven, 李 四",
    });
  });

  it.each([
    ["broken", "title: [\n"],
    ["no mapping", "- a\n- b\n"],
    ["empty", ""],
    [
      "a bomb of aliases",
      `a: &a [x, x]\n${"bcdefghijklm"
        .split("")
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghijkl"[at]}`)}]`)
        .join("\n")}\n`,
    ],
    ["too large", `title: ${"x".repeat(300_000)}\n`],
  ])("a file that is %s says nothing", async (_what, text) => {
    expect(await attribution({ "CITATION.cff": text })).toEqual({});
  });

  it("keeps what fits of a file whose other parts do not, and passes over folders", async () => {
    await mkdir(join(folder.path, "AUTHORS"));
    const odd = "title: Waits\nauthors: Ada\nidentifiers: 4\nlicense: {a: b}\npreferred-citation: yes\n";
    expect(await attribution({ "CITATION.cff": odd })).toEqual({ cite_as: "Waits" });
  });
});
