import { isProofroomError } from "@proofroom/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRepositoryUrl } from "./repository-url.ts";
import { findRevision, wordsOf } from "./revision.ts";

const isName = (text: string) => !/^\.{0,2}$|\.git$|^-$/.test(text);
const name = fc.stringMatching(/^[\w.-]{1,12}$/).filter(isName);
/** Of a file or branch: anything that a path may hold. */
const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  .filter((text) => isName(text) && !/[/\\\p{Cc}]/u.test(text) && text.isWellFormed());
const words = (minLength: number) => fc.array(word, { minLength, maxLength: 4 });
const encoded = (parts: readonly string[]) => parts.map(encodeURIComponent).join("/");

/** How each site writes a revision and a path of a repository. */
const forms: ((repository: string, rest: string) => string)[] = [
  (repository, rest) => `https://github.com/${repository}/tree/${rest}`,
  (repository, rest) => `https://www.github.com/${repository}/blob/${rest}?plain=1#L3-L9`,
  (repository, rest) => `https://github.com/${repository}.git/raw/${rest}`,
  (repository, rest) => `https://raw.githubusercontent.com/${repository}/${rest}?token=x`,
  (repository, rest) => `https://gitlab.com/${repository}/-/tree/${rest}/`,
  (repository, rest) => `https://git.example.org/${repository}/-/blob/${rest}`,
  (repository, rest) => `https://bitbucket.org/${repository}/src/${rest}`,
  (repository, rest) => `https://bitbucket.org/${repository}/raw/${rest}?at=x`,
  (repository, rest) => `https://codeberg.org/${repository}/src/branch/${rest}`,
  (repository, rest) => `https://git.example.org/${repository}.git/tree/${rest}`,
];

describe("for any repository, revision and path", () => {
  test("the address of every site gives back the repository, and all of revision and path in their order", () => {
    fc.assert(
      fc.property(name, name, words(1), fc.constantFrom(...forms), (owner, repository, rest, form) => {
        fc.pre(rest[0] !== "refs");
        const parsed = parseRepositoryUrl(form(`${owner}/${repository}`, encoded(rest)));
        expect(parsed.name).toBe(`${owner}/${repository}`);
        expect([...wordsOf(parsed.rest)]).toEqual(rest);
        expect(parsed.url.search + parsed.url.hash).toBe("");
      }),
    );
  });

  test("nested groups of GitLab are part of the name", () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 2, maxLength: 6 }), words(1), (path, rest) => {
        fc.pre(rest[0] !== "refs");
        const parsed = parseRepositoryUrl(`https://gitlab.com/${path.join("/")}/-/tree/${encoded(rest)}`);
        expect(parsed).toMatchObject({ name: path.join("/"), rest });
      }),
    );
  });

  test("of the refs that a server lists the longest that fits is taken, in whatever order they come", () => {
    const refs = fc.uniqueArray(words(1), { minLength: 1, maxLength: 6, selector: (ref) => ref.join("/") });
    fc.assert(
      fc.property(refs, fc.boolean(), fc.nat(5), words(0), (branches, isReversed, at, path) => {
        const branch = branches[at % branches.length] ?? [];
        const rest = [...branch, ...path];
        fc.pre(rest[0] !== "refs");
        const lines = branches.map((ref) => `0\trefs/heads/${ref.join("/")}`);
        const { name: found, path: below } = findRevision(
          (isReversed ? lines.toReversed() : lines).join("\n"),
          rest,
        );
        const fitting = branches
          .map((ref) => ref.join("/"))
          .filter((ref) => `${rest.join("/")}/`.startsWith(`${ref}/`));
        expect(found).toBe(fitting.toSorted((one, other) => other.length - one.length)[0]);
        expect([found, below].filter((part) => part !== "").join("/")).toBe(rest.join("/"));
      }),
    );
  });
});

describe("for any text", () => {
  const fragment = fc.constantFrom(
    ..."https://|http://|ssh://|git@|user:pw@|github.com|gist.github.com|gitlab.com|bitbucket.org|codeberg.org|raw.githubusercontent.com|git.example.org".split(
      "|",
    ),
    ..."/|/-/|/tree/|/blob/|/raw/|/src/|/commit/|/releases/tag/|/pull/|/refs/heads/|.git|o|r|:|..|%2e%2e|%2F|%00|%zz|\\|?ref_type=tags|#L1|--upload-pack=x| |0123456789abcdef0123".split(
      "|",
    ),
  );
  const text = fc.oneof(
    fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 60 }),
  );

  test("the address is refused in our words, or what git and the file system are given is clean", () => {
    fc.assert(
      fc.property(text, (ref) => {
        let parsed: ReturnType<typeof parseRepositoryUrl>;
        try {
          parsed = parseRepositoryUrl(ref);
        } catch (error) {
          expect(isProofroomError(error)).toBe(true);
          expect(error).toMatchObject({ code: "invalid_input" });
          return;
        }
        const { url, rest } = parsed;
        expect(url.protocol).toMatch(/^https?:$/);
        expect(url.username + url.password + url.search + url.hash).toBe("");
        expect(decodeURIComponent(url.pathname)).not.toMatch(/\/\.{1,2}(?:\/|$)|\\/);
        for (const part of rest) expect(part).not.toMatch(/^\.{0,2}$|[/\\\p{Cc}]/u);
      }),
      { numRuns: 2_000 },
    );
  });
});
