import { describe, expect, test } from "vitest";
import { byImportance, inReadingOrder, packFiles } from "./file-order.ts";
import { guessLicence } from "./licence.ts";

const file = (path: string, length = 10) => ({ path, content: "x".repeat(length) });

describe("the order of files", () => {
  test("README, documents, manifest, small code, large code, tests, data", () => {
    const expected = [
      file("README.md"),
      file("packages/a/README.md"),
      file("docs/guide.md"),
      file("docs/deep/more.rst"),
      file("pyproject.toml"),
      file("src/small.py", 5),
      file("src/large.py", 500),
      file("CHANGELOG.md"),
      file("tests/test_a.py"),
      file("data/rows.csv"),
    ];
    expect(byImportance([...expected].reverse()).map(({ path }) => path)).toEqual(
      expected.map(({ path }) => path),
    );
  });

  test("what is shown goes by path behind the documents", () => {
    const shown = inReadingOrder([
      file("b.py", 1),
      file("a.py", 9),
      file("README.md"),
      file(".github/a.md"),
      file("a_test/x.py"),
    ]);
    expect(shown.map(({ path }) => path)).toEqual([
      "README.md",
      "a.py",
      "a_test/x.py",
      "b.py",
      ".github/a.md",
    ]);
  });

  test("a file that does not fit leaves room for smaller ones behind it", () => {
    const { kept, left } = packFiles([file("README.md", 990), file("docs/a.md"), file("b.py")], 1_000, 0.6);
    expect(kept.map(({ path }) => path)).toEqual(["docs/a.md", "b.py"]);
    expect(left.map(({ path }) => path)).toEqual(["README.md"]);
  });

  test("documents leave room for code, and take what code does not need", () => {
    const documents = Array.from({ length: 9 }, (_, index) => file(`docs/${index}.md`, 50));
    expect(packFiles([...documents, file("a.py", 350)], 1_000, 0.6).kept.map(({ path }) => path)).toContain(
      "a.py",
    );
    expect(packFiles([...documents, file("a.py", 1)], 1_000, 0.6).left).toEqual([]);
  });

  test("translations stand behind the originals and the code", () => {
    const files = [
      file("docs/de/guide.md"),
      file("README.zh-CN.md"),
      file("docs/en/guide.md"),
      file("src/a.py"),
    ];
    expect(byImportance(files).map(({ path }) => path)).toEqual([
      "docs/en/guide.md",
      "src/a.py",
      "README.zh-CN.md",
      "docs/de/guide.md",
    ]);
  });
});

describe("licences", () => {
  test.each([
    ["MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy", "MIT"],
    [
      "                                 Apache License\n                           Version 2.0, January 2004",
      "Apache-2.0",
    ],
    [
      "                    GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007",
      "GPL-3.0",
    ],
    ["GNU LESSER GENERAL PUBLIC LICENSE\n Version 2.1, February 1999", "LGPL-2.1"],
    [
      "Redistribution and use in source and binary forms, with or without\n3. Neither the name of",
      "BSD-3-Clause",
    ],
    ["SPDX-License-Identifier: EUPL-1.2\n", "EUPL-1.2"],
    ["All rights reserved.", null],
  ])("%j", (text, id) => {
    expect(guessLicence(text)).toBe(id);
  });
});
