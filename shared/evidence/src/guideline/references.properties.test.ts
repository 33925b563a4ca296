import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseGuidelineReferences } from "./references.ts";

// Fragments that mean something to the parser, so that random texts reach its corners.
const fragment = fc.constantFrom(
  ..."https://|http://|//|www.|example.com|github.com/o/r|youtu.be/abcdefghijk|10.0.0.1|[::1]|localhost|2130706433|user:pw@".split(
    "|",
  ),
  ...'[|]|(|)|](|<|>|!|`|"|\u201C|\u201D|*|_|~|\\|\n|\n\n|- |1. |> |# |    |\t|[a]: |[a]|[^1]: |[^1]|---\n|```\n|<!--|-->|$'.split(
    "|",
  ),
  ..."src/|../|./|~/|/|C:\\|a.py|b.md|node.js|.git|%2e%2e%2f|%00|?utm_source=x|&t=1m|#f|\u3002|\uFF0C|\u00A0|\u00E9|\uD83D\uDE00|:|.|,|;|&amp;".split(
    "|",
  ),
);
const guideline = fc.oneof(
  fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 200 }),
);

function urlsOf(text: string): string[] {
  const found = parseGuidelineReferences(text);
  return [...found.github_urls, ...found.youtube_videos_urls, ...found.git_urls, ...found.other_urls];
}

describe("for any text", () => {
  test("every URL comes out normalised: written as an autolink it is found again, in the same list", () => {
    fc.assert(
      fc.property(guideline, (text) => {
        const { local_file_paths: _, rejected: __, ...lists } = parseGuidelineReferences(text);
        const again = parseGuidelineReferences(
          urlsOf(text)
            .map((url) => `- <${url}>\n`)
            .join(""),
        );
        expect(again).toEqual({ ...lists, local_file_paths: [], rejected: [] });
      }),
      { numRuns: 500 },
    );
  });

  test("a local path never leaves the guideline's folder", () => {
    fc.assert(
      fc.property(guideline, (text) => {
        for (const path of parseGuidelineReferences(text).local_file_paths) {
          expect(path).not.toMatch(/^$|^[/~]|^[A-Za-z]:|\\|(?:^|\/)\.{0,2}(?:\/|$)(?!$)/);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("no URL with credentials or an address in its host's private ranges is accepted", () => {
    fc.assert(
      fc.property(guideline, (text) => {
        for (const url of urlsOf(text).map((one) => new URL(one))) {
          expect(url.protocol).toMatch(/^https?:$/);
          expect(url.username + url.password).toBe("");
          expect(url.hostname).not.toMatch(/^(?:localhost$|10\.|127\.|\[::1\])/);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("private addresses", () => {
  const byte = fc.nat(255);
  const privateV4 = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127, 224, 239, 240, 255), byte, byte, byte),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constant(198), fc.constantFrom(18, 19), byte, byte),
    fc
      .constantFrom([169, 254], [192, 168])
      .chain(([a = 0, b = 0]) => fc.tuple(fc.constant(a), fc.constant(b), byte, byte)),
    fc
      .constantFrom([192, 0, 0], [192, 0, 2], [198, 51, 100], [203, 0, 113])
      .chain(([a = 0, b = 0, c = 0]) => fc.tuple(fc.constant(a), fc.constant(b), fc.constant(c), byte)),
  );
  const notations: ((bytes: number[]) => string)[] = [
    (bytes) => bytes.join("."),
    (bytes) => `${bytes.join(".")}.`,
    (bytes) => bytes.map((one) => `0${one.toString(8)}`).join("."),
    (bytes) => bytes.map((one) => `0x${one.toString(16)}`).join("."),
    (bytes) => String(Buffer.from(bytes).readUInt32BE()),
    (bytes) => `0x${Buffer.from(bytes).toString("hex")}`,
    ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
    (bytes) => bytes.join("\uFF0E").replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    (bytes) => [...bytes.join(".")].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(""),
    (bytes) => `[::ffff:${bytes.join(".")}]`,
    (bytes) => `[::${bytes.join(".")}]`,
    (bytes) => `[64:ff9b::${bytes.join(".")}]`,
    (bytes) =>
      `[2002:${Buffer.from(bytes)
        .toString("hex")
        .replace(/(?=.{4}$)/, ":")}::1]`,
  ];

  test("are refused in every notation", () => {
    fc.assert(
      fc.property(privateV4, fc.constantFrom(...notations), (bytes, notation) => {
        const url = `http://${notation(bytes)}/x`;
        const found = parseGuidelineReferences(`[x](${url})`);
        expect(found.rejected).toEqual([{ ref: url, reason: "private_address" }]);
        expect(found.other_urls).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "198.17.0.1",
    "198.20.0.1",
    "223.255.255.255",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::808:808]",
    "[2002:808:808::1]",
    "[fec0:0:0:0:0:0:0:1]",
    "[2001:db7::1]",
  ])("the neighbours of the ranges: %s", (host) => {
    expect(urlsOf(`<http://${host}/>`)).toHaveLength(host.startsWith("[fec0") ? 0 : 1);
  });
});
