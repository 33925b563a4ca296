import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { prepareStore } from "./prepare-store.ts";

// MinIO has a time of its own for uploads that were cut short, and does not repeat the rule: hence what is sent.
it("asks that uploads that were cut short go after a day, as do markers of what was deleted", async () => {
  let rule = "";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method, url = "" } = request;
    if (method === "PUT" && url.includes("lifecycle")) rule = body;
    response.writeHead(method === "GET" ? 404 : 200).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await prepareStore({
      store: { kind: "s3", bucket: "runs", prefix: "team" },
      s3: {
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        forcePathStyle: true,
        accessKeyId: "a",
        secretAccessKey: { reveal: () => "b" },
      },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  expect(rule).toContain("<Prefix>team/</Prefix>");
  expect(rule).toContain("<DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>");
  expect(rule).toContain("<ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker>");
  expect(rule).toContain("<NoncurrentDays>7</NoncurrentDays>");
});
