import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compare } from "./file-order.ts";

/** First words of well-known licences, and their SPDX ids. The order matters: variants stand before the plain. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/SPDX-License-Identifier:\s*([\w.+-]+)/, "$1"],
  [/GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/i, "AGPL-3.0"],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/i, "LGPL-3.0"],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1/i, "LGPL-2.1"],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 3/i, "GPL-3.0"],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 2/i, "GPL-2.0"],
  [/Apache License,?\s+Version 2\.0/i, "Apache-2.0"],
  [/Mozilla Public License,? (?:Version|v\.?) ?2\.0/i, "MPL-2.0"],
  [/Eclipse Public License -? ?v ?2\.0/i, "EPL-2.0"],
  [/Boost Software License - Version 1\.0/i, "BSL-1.0"],
  [/Creative Commons Attribution-ShareAlike 4\.0/i, "CC-BY-SA-4.0"],
  [/Creative Commons Attribution 4\.0/i, "CC-BY-4.0"],
  [/CC0 1\.0 Universal/i, "CC0-1.0"],
  [/This is free and unencumbered software released into the public domain/i, "Unlicense"],
  [/Permission to use, copy, modify, and\/?(?:or)? distribute this software for any\s+purpose/i, "ISC"],
  [/Permission is hereby granted, free of charge, to any person obtaining a copy/i, "MIT"],
  [/Redistribution and use in source and binary forms[\s\S]*Neither the name/i, "BSD-3-Clause"],
  [/Redistribution and use in source and binary forms/i, "BSD-2-Clause"],
];

/** The SPDX id that the beginning of a licence's text tells; null where it is none of the well-known ones. */
export function guessLicence(text: string): string | null {
  const head = text.slice(0, 3_000);
  for (const [mark, id] of marks) {
    const match = mark.exec(head);
    if (match !== null) return id === "$1" ? (match[1] ?? null) : id;
  }
  return null;
}

export function isLicenceFile(path: string): boolean {
  return /^(?:licen[cs]e|copying|unlicense)(?:[.-][\w.-]+)?$/i.test(path);
}

/** The licence that a file in the outermost folder of a repository tells. */
export async function licenceOf(root: string): Promise<string | null> {
  for (const name of (await readdir(root)).filter(isLicenceFile).sort(compare)) {
    const licence = guessLicence(await readFile(join(root, name), "utf8").catch(() => ""));
    if (licence !== null) return licence;
  }
  return null;
}
