import fc from "fast-check";

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

/** Values that are hardly ever meant. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      null,
      true,
      -1,
      0.5,
      1e308,
      Number.MAX_SAFE_INTEGER + 2,
      "",
      " ",
      "\0",
      "\ud800",
      "a\udfff",
      "\u202e",
    ],
    ...[[], {}, [[]], { toString: 1 }, { constructor: {} }, "x".repeat(5_000), "../../etc/passwd"],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

type Mutation = (value: unknown, junk: unknown, at: number) => unknown;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Changes one member, at any depth. */
const replaceOne: Mutation = (value, junk, at) => {
  const keys = isRecord(value) ? Object.keys(value) : [];
  const key = keys[at % Math.max(keys.length, 1)];
  if (!isRecord(value) || key === undefined || at % 7 === 0) return junk;
  return { ...value, [key]: replaceOne(value[key], junk, Math.floor(at / 7)) };
};

const dropOne: Mutation = (value, _junk, at) => {
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  const dropped = keys[at % Math.max(keys.length, 1)];
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== dropped));
};

const addOne: Mutation = (value, junk, at) => {
  const names = ["extra", "__proto__", "constructor", "", "run_id", "\ud800", "a.b", "x".repeat(300)];
  if (!isRecord(value)) return [value];
  return Object.fromEntries([...Object.entries(value), [names[at % names.length] ?? "", junk]]);
};

/** A JSON body with something wrong in it, as text. */
export function brokenJson(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array> {
  const changed = fc
    .tuple(valid, fc.constantFrom(replaceOne, dropOne, addOne), strange, fc.nat(1_000))
    .map(([value, mutate, junk, at]) => JSON.stringify(mutate(value, junk, at)) ?? "");
  const torn = fc
    .tuple(valid, fc.nat(200))
    .map(([value, at]) => (JSON.stringify(value) ?? "").slice(0, -1 - at));
  const raw = fc.constantFrom<string | Uint8Array>(
    ...[
      "",
      " ",
      "{",
      "nul",
      "NaN",
      "1e999",
      '{"guideline":1e999}',
      '{"a":1,"a":2}',
      "\ufeff{}",
      "{}{}",
      "'x'",
    ],
    ...[deep(31), deep(33), deep(50_000), `{"guideline":${deep(40)}}`, '{"x":"\\ud800"}', '{"x":"\\u0000"}'],
    ...[
      Buffer.from([0xff, 0xfe]),
      Buffer.from('{"guideline":"\xff"}', "latin1"),
      Buffer.from([0xed, 0xa0, 0x80]),
    ],
    ...[Buffer.from("{}", "utf16le"), Buffer.from([0])],
  );
  return fc.oneof({ weight: 4, arbitrary: changed }, torn, raw);
}

export const brokenBytes: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.constantFrom<string | Uint8Array>("", " \n", "\0", Buffer.from([0xc3, 0x28]), "x".repeat(70_000)),
);

/** A part of a path, as it goes over the wire. */
export const hostilePart: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["..", ".", "%2e%2e", "..%2f..%2fetc%2fpasswd", "..%5c..%5cx", "%2F", "%2f%2e%2e", "a%2F%2Fb", "%00"],
    ...[
      "x%00.md",
      "%0d%0aX:%20y",
      "%ff",
      "%c0%af",
      "%ED%A0%80",
      "%",
      "%zz",
      "%25%32%65",
      "%20",
      "+",
      ";",
      "*",
    ],
    ...["run_01J0000000000000000000000I", "RUN_01J00000000000000000000000", "constructor", "__proto__"],
    ...["x".repeat(250), "x".repeat(1_000), "x".repeat(2_699), "x".repeat(2_701), "%C3%A9".repeat(400)],
    ...["-g1", "run_-g1", "article.md%3Fx", "article.md%23", "{run_id}", "~", "\u00e9"],
  ),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 20 })
    .map((one) => encodeURIComponent(one.toWellFormed())),
);

/** A query that no route declares, or a broken one. */
export const hostileQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["x=1", "force=1", "force=true&force=false", "wait=26", "wait=-1", "wait=1.5", "wait=", "limit=0"],
    ...[
      "limit=1e1",
      "limit=100&limit=1",
      "limit=999999999999",
      "cursor=",
      "cursor=%00",
      "cursor=abc",
      "path=",
    ],
    ...[
      "cursor=MSBydW4",
      "path=..%2fx",
      "path=%00",
      "path=%ff",
      "path=a%2F%2Fb",
      "path=x&path=y",
      "&&&",
      "=",
    ],
    ...[
      "%00=1",
      "%ff",
      "__proto__=1",
      "__proto__[x]=1",
      "constructor=1",
      `x=${"y".repeat(3_000)}`,
      "?",
      "a[]=1",
    ],
  ),
  fc.webQueryParameters(),
);

/** A value that HTTP lets through in a header. */
export const hostileHeader: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["", "*", '"', '""', 'W/"x"', '"a", "b"', ",,,", "0-0", "0-1", "-1", "1-", "99999999999999999999-0"],
    ...["18446744073709551615-18446744073709551615", "18446744073709551616-0", "$", "+", "bytes=", "bytes=-"],
    ...[
      "bytes=0-",
      "bytes=-0",
      "bytes=5-2",
      "bytes=0-0,1-1",
      "bytes=999999999999999-",
      "bytes=1e3-",
      "items=0-1",
    ],
    ...["bytes=9999999999999999999999-", "a b", "\u00e9", "x".repeat(256), "x".repeat(4_000), "key\u00ff"],
  ),
  fc.stringMatching(/^[!-~]([ -~\u00a1-\u00ff]{0,30}[!-~])?$/),
);

export const hostileType: fc.Arbitrary<string> = fc.constantFrom(
  ...["", "a", "a/b", ";;;", "application/json;charset=utf-16", "application/jsonx", "APPLICATION/JSON"],
  ...["text/plain", "text/markdown", "multipart/form-data", "multipart/form-data; boundary=x", "*/*"],
  ...[
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "application/problem+json",
    "\u00e9/x",
  ],
);
