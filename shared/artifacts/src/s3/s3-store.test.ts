import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, expect, it } from "vitest";
import type { ObjectStore } from "../store.ts";
import { collect, expectFailure, keysOf, streamOf } from "../testing/bytes.ts";
import type { S3StoreOptions } from "./bucket.ts";
import { createS3Store } from "./s3-store.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

const servers: Server[] = [];
const stores: ObjectStore[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const bucketIsThere: Answer = (_request, response) => void response.writeHead(200).end();

/** A store on a server that answers as the test wants, which only a server at fault does; also when it is asked for its bucket. */
async function storeOn(
  answer: Answer,
  options: Partial<S3StoreOptions> = {},
  answerOfBucket: Answer = bucketIsThere,
): Promise<ObjectStore> {
  const listening = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url } = request;
    const ofBucket = method === "HEAD" && /^\/bucket\/?$/.test(url ?? "");
    (ofBucket ? answerOfBucket : answer)(request, response, Buffer.concat(chunks));
  }).listen(0, "127.0.0.1");
  servers.push(listening);
  await once(listening, "listening");
  const address = listening.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const store = await createS3Store({
    bucket: "bucket",
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    ...options,
  });
  stores.push(store);
  return store;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret text of theirs</Message></Error>`,
  );
}

it.each([
  [403, "AccessDenied", "dependency_down", "fail", /credentials/],
  [403, "InvalidAccessKeyId", "dependency_down", "fail", /credentials/],
  [403, "SignatureDoesNotMatch", "dependency_down", "fail", /credentials/],
  [404, "NoSuchBucket", "not_configured", "fail", /no such bucket/],
  [301, "PermanentRedirect", "not_configured", "fail", /region/],
  [400, "AuthorizationHeaderMalformed", "not_configured", "fail", /region/],
  [507, "XMinioStorageFull", "dependency_down", "fail", /no space/],
  [400, "EntityTooLarge", "too_large", "fail", /larger/],
  [400, "XMinioParentIsObject", "invalid_input", "fail", /folder/],
  [404, "NoSuchKey", "not_found", "fail", /no such object/],
  [501, "NotImplemented", "dependency_down", "fail", /refused/],
  [400, "InvalidArgument", "dependency_down", "fail", /refused/],
])("turns %i %s into %s", async (status, name, code, kind, message) => {
  const failing = await storeOn((_request, response) => refuse(response, status, name));
  const failure = { code, disposition: { kind }, message: expect.stringMatching(message) };
  const work = failing.create("a.txt", "text");
  await expect(work).rejects.toMatchObject(failure);
  await expect(work).rejects.not.toMatchObject({ message: expect.stringContaining("theirs") });
});

it("sets its clock by the server's where the two differ", async () => {
  const skewMs = 3 * 60 * 60 * 1_000;
  const signed: string[] = [];
  const ahead = await storeOn((request, response) => {
    const at = String(request.headers["x-amz-date"]);
    signed.push(at);
    const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(at) ?? [];
    const told = Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s));
    const now = Date.now() + skewMs;
    response.setHeader("date", new Date(now).toUTCString());
    if (Math.abs(now - told) > 15 * 60_000) refuse(response, 403, "RequestTimeTooSkewed");
    else response.writeHead(200, { etag: '"e"' }).end();
  });
  expect(await ahead.create("a.txt", "text")).toMatchObject({ etag: "e" });
  expect(signed).toHaveLength(2);
});

it("says that the clock is wrong where the server goes on refusing it", async () => {
  const strict = await storeOn((_request, response) => refuse(response, 403, "RequestTimeTooSkewed"));
  await expect(strict.create("a.txt", "text")).rejects.toMatchObject({
    code: "dependency_down",
    disposition: { kind: "fail" },
    message: expect.stringContaining("clock"),
  });
});

it("sends no checksums of the SDK's own accord, which other servers than AWS do not take", async () => {
  const sent: string[][] = [];
  const plain = await storeOn((request, response) => {
    const { headers, method = "", url = "" } = request;
    const names = Object.keys(headers).filter((name) =>
      /^x-amz-(?:checksum|trailer|sdk-checksum)/.test(name),
    );
    const chunked = /aws-chunked/.test(String(headers["content-encoding"])) ? ["aws-chunked"] : [];
    const streamed = /^STREAMING-/.test(String(headers["x-amz-content-sha256"])) ? ["streamed"] : [];
    sent.push([`${method}${url.includes("partNumber") ? " part" : ""}`, ...names, ...chunked, ...streamed]);
    if (method === "POST" && url.includes("uploads")) {
      response.end("<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>");
    } else if (method === "POST") {
      response.end('<CompleteMultipartUploadResult><ETag>"e-2"</ETag></CompleteMultipartUploadResult>');
    } else if (method === "HEAD") response.writeHead(404).end();
    else response.writeHead(200, { etag: '"e"' }).end();
  });
  await plain.create("a.txt", "text");
  await plain.create("b.bin", streamOf(Buffer.alloc(9 * 1024 * 1024)));
  expect(sent.map(([kind]) => kind)).toEqual(["PUT", "HEAD", "POST", "PUT part", "PUT part", "POST"]);
  expect(sent.flatMap(([, ...found]) => found)).toEqual([]);
});

it("asks a busy server again, but not for ever", async () => {
  let asked = 0;
  const busy = await storeOn((_request, response) => {
    asked += 1;
    refuse(response, 500, "InternalError");
  });
  await expect(busy.get("a.txt")).rejects.toMatchObject({
    code: "dependency_down",
    disposition: { kind: "retry" },
  });
  expect(asked).toBe(4);
});

it("succeeds where the server has been busy once", async () => {
  let asked = 0;
  const busy = await storeOn((_request, response) => {
    asked += 1;
    if (asked === 1) refuse(response, 503, "SlowDown");
    else response.writeHead(200, { etag: '"e1"' }).end();
  });
  expect(await busy.create("a.txt", "text")).toMatchObject({ etag: "e1", size: 4 });
});

it("says that a server cannot be reached", async () => {
  const lost = await storeOn(() => undefined);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  const failure = { code: "dependency_down", disposition: { kind: "retry" } };
  await expect(lost.get("a.txt")).rejects.toMatchObject(failure);
});

it("gives a server up that never answers", async () => {
  const silent = await storeOn(() => undefined, { idleTimeoutMs: 50 });
  await expectFailure(silent.head("a.txt"), "dependency_down");
});

it("ends a write with the signal while the server has not answered", async () => {
  let asked = Promise.withResolvers<void>();
  const silent = await storeOn((request, response) => {
    if (request.method === "HEAD") response.writeHead(404).end();
    else asked.resolve();
  });
  for (const body of ["text", streamOf(Buffer.from("text"))]) {
    asked = Promise.withResolvers<void>();
    const abort = new AbortController();
    const work = silent.create("a.txt", body, { signal: abort.signal });
    await asked.promise;
    abort.abort();
    await expectFailure(work, "cancelled");
  }
});

it("fails a read whose connection breaks in the middle, instead of ending it", async () => {
  const broken = await storeOn((_request, response) => {
    response.writeHead(200, { "content-length": 1_000_000, etag: '"e"' });
    response.write(Buffer.alloc(1_000), () => response.destroy());
  });
  const { body } = await broken.get("a.txt");
  await expectFailure(collect(body), "dependency_down");
});

it("fails a read that stops in the middle", async () => {
  const stuck = await storeOn(
    (_request, response) => {
      response.writeHead(200, { "content-length": 1_000_000, etag: '"e"' });
      response.write(Buffer.alloc(1_000));
    },
    { idleTimeoutMs: 100 },
  );
  const { body } = await stuck.get("a.txt");
  await expectFailure(collect(body), "dependency_down");
});

it("refuses a whole object where it asked for a part", async () => {
  const deaf = await storeOn((_request, response) => {
    response.writeHead(200, { "content-length": 4, etag: '"e"' }).end("text");
  });
  await expectFailure(deaf.get("a.txt", { range: { start: 2 } }), "dependency_down");
});

/** Keeps one object, with conditions on the etag in the form given. */
function oneObject(options: { quoted: boolean; loseAnswers: number; undecided?: number }): Answer {
  let content: { etag: string; mark: string } | null = null;
  let states = 0;
  let { loseAnswers, undecided = 0 } = options;
  return (request, response) => {
    if (request.method === "HEAD") {
      if (content === null) return void response.writeHead(404).end();
      return void response
        .writeHead(200, { etag: `"${content.etag}"`, "x-amz-meta-write": content.mark })
        .end();
    }
    if (undecided > 0) {
      undecided -= 1;
      return refuse(response, 409, "ConditionalRequestConflict");
    }
    const wanted = request.headers["if-match"];
    const present = content === null ? undefined : options.quoted ? `"${content.etag}"` : content.etag;
    const holds = wanted === undefined ? content === null : wanted === present;
    if (!holds) return refuse(response, 412, "PreconditionFailed");
    states += 1;
    content = { etag: `state${states}`, mark: String(request.headers["x-amz-meta-write"]) };
    if (loseAnswers > 0) {
      loseAnswers -= 1;
      return void response.destroy();
    }
    return void response.writeHead(200, { etag: `"${content.etag}"` }).end();
  };
}

it.each([true, false])("replaces on a server whose conditions want quoted etags: %s", async (quoted) => {
  const picky = await storeOn(oneObject({ quoted, loseAnswers: 0 }));
  const first = await picky.create("a.txt", "one");
  const second = await picky.replace("a.txt", "two", first.etag);
  expect(await picky.replace("a.txt", "three", second.etag)).toMatchObject({ etag: "state3" });
  await expectFailure(picky.replace("a.txt", "four", first.etag), "conflict");
  await expectFailure(picky.create("a.txt", "five"), "conflict");
});

it("recognises its own write, the answer to which was lost", async () => {
  const lossy = await storeOn(oneObject({ quoted: false, loseAnswers: 1 }));
  const created = await lossy.create("a.txt", "one");
  expect(created.etag).toBe("state1");
  await expectFailure(lossy.create("a.txt", "other"), "conflict");
  const again = await storeOn(oneObject({ quoted: false, loseAnswers: 1 }));
  expect((await again.create("a.txt", streamOf(Buffer.from("one")))).etag).toBe("state1");
});

it("writes again where the server could not decide between concurrent writers", async () => {
  const torn = await storeOn(oneObject({ quoted: false, loseAnswers: 0, undecided: 2 }));
  expect((await torn.create("a.txt", "one")).etag).toBe("state1");
});

it("passes over keys in the bucket that are none of Proofroom's", async () => {
  const foreign = await storeOn(
    (_request, response) => {
      const keys = ["p/a.txt", "p//b", "p/folder/", "p/back\\slash", "p/.store/x"];
      const contents = keys.map(
        (key) => `<Contents><Key>${key}</Key><Size>1</Size><ETag>"e"</ETag></Contents>`,
      );
      response.writeHead(200, { "content-type": "application/xml" });
      response.end(
        `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`,
      );
    },
    { prefix: "p" },
  );
  expect(await keysOf(foreign, "")).toEqual(["a.txt"]);
});

it("signs links for the address that their readers use, and asks nobody", async () => {
  const silent = await storeOn(() => expect.unreachable(), {
    prefix: "p",
    publicEndpoint: "https://files.example:9000",
  });
  const { url } = await (silent.presign?.("a/b c.txt", { seconds: 90, mediaType: "text/plain", name: "b" }) ??
    Promise.reject());
  expect(url).toMatch(/^https:\/\/files\.example:9000\/bucket\/p\/a\/b%20c\.txt\?.*X-Amz-Expires=90&/);
  await expectFailure(
    Promise.resolve().then(() => silent.presign?.("../x", { seconds: 1, mediaType: "a/b", name: "x" })),
    "invalid_input",
  );
});

it("asks once whether the bucket is there, before anything is put into it", async () => {
  let isThere = false;
  let looks = 0;
  let puts = 0;
  const picky = await storeOn(
    (_request, response) => {
      puts += 1;
      response.writeHead(200, { etag: '"e"' }).end();
    },
    {},
    (_request, response) => {
      looks += 1;
      response.writeHead(isThere ? 200 : 404).end();
    },
  );
  await expectFailure(picky.create("a.txt", "text"), "not_configured");
  await expectFailure(picky.head("a.txt"), "not_configured");
  expect(puts).toBe(0);
  isThere = true;
  await picky.create("a.txt", "text");
  await picky.create("b.txt", "text");
  expect([looks, puts]).toEqual([3, 2]);
});

it.each([403, 301, 400])(
  "leaves it to the request itself where the look at the bucket gets %i",
  async (status) => {
    const shy = await storeOn(
      (_request, response) => response.writeHead(200, { etag: '"e"' }).end(),
      {},
      (_request, response) => response.writeHead(status).end(),
    );
    expect(await shy.create("a.txt", "text")).toMatchObject({ etag: "e" });
  },
);

it("takes the parts back that it has sent to try a server, also where the trial ends early", async () => {
  const asked: string[] = [];
  const stop = new AbortController();
  const slow = await storeOn((request, response) => {
    const { method = "", url = "" } = request;
    asked.push(`${method} ${new URL(url, "http://x").searchParams.get("uploadId") ?? "-"}`);
    if (method === "PUT") return stop.abort();
    const started = "<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>";
    response.writeHead(method === "POST" ? 200 : 204, { "content-type": "application/xml" });
    response.end(method === "POST" ? started : undefined);
  });
  const trial = slow.tryWriting?.("probes/a", new Uint8Array(8), { signal: stop.signal });
  await expectFailure(trial ?? Promise.resolve(), "cancelled");
  expect(asked).toEqual(["POST -", "PUT u1", "DELETE u1"]);
});

it.each(["../x", "a//b", ".store", "x".repeat(121)])("refuses the prefix %s", async (prefix) => {
  await expectFailure(createS3Store({ bucket: "bucket", prefix }), "invalid_input");
});
