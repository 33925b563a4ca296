import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import type { McpServer } from "@modelcontextprotocol/server";
import { createLogger } from "@proofroom/telemetry";
import { askAs, openTestPlace, postAs, type TestPlace } from "@proofroom/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  audience,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from "../../testing/authorization-server.ts";
import { apiKeyOf, startTestGateway } from "../../testing/start-test-gateway.ts";
import type { HttpGatewayOptions } from "../gateway.ts";

let place: TestPlace;
let server: TestAuthorizationServer;

beforeEach(async () => {
  [place, server] = await Promise.all([openTestPlace(), startAuthorizationServer()]);
  place.closing(() => server.close());
});

afterEach(() => place.close());

async function serve(scopes: string[] = [], options: Partial<HttpGatewayOptions> = {}): Promise<string> {
  const { issuer } = server;
  const oauth = { issuer, audience, jwksUrl: null, tenantClaim: "tenant", needsTenant: false, scopes };
  const gateway = await startTestGateway(place, { oauth, ...options });
  place.closing(() => gateway.close(100));
  return gateway.url;
}

const metadataUrl = "https://proofroom.example/.well-known/oauth-protected-resource/mcp";

describe("a client that finds its way", () => {
  it("is led from the refusal to the resource's metadata and from there to the issuer", async () => {
    const url = await serve(["proofroom"]);
    const refused = await postAs(url, null, "tools/list", {});
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer scope="proofroom", resource_metadata="${metadataUrl}"`,
    );
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(refused);
    expect([resourceMetadataUrl?.href, scope]).toEqual([metadataUrl, "proofroom"]);
    expect(await refused.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32_000 }, id: null });
    for (const path of ["", "/mcp"]) {
      const told = await fetch(`${new URL(url).origin}/.well-known/oauth-protected-resource${path}`);
      expect(told.status).toBe(200);
      expect(told.headers.get("access-control-allow-origin")).toBe("*");
      expect(await told.json()).toMatchObject({
        resource: audience,
        authorization_servers: [server.issuer],
        scopes_supported: ["proofroom"],
        bearer_methods_supported: ["header"],
      });
    }
    const token = await server.sign({ scope: "proofroom" });
    expect((await postAs(url, token, "tools/list", {})).status).toBe(200);
  });

  it("is told what is wrong with its token in the way that the standards have it", async () => {
    const url = await serve(["proofroom"]);
    const expired = await postAs(url, await server.sign({ exp: 1 }), "tools/list", {});
    expect(expired.status).toBe(401);
    expect(expired.headers.get("www-authenticate")).toContain('Bearer error="invalid_token"');
    expect(expired.headers.get("www-authenticate")).toContain(`resource_metadata="${metadataUrl}"`);
    const powerless = await postAs(url, await server.sign({ scope: "other" }), "tools/list", {});
    expect(powerless.status).toBe(403);
    const told = powerless.headers.get("www-authenticate");
    expect(told).toContain('error="insufficient_scope"');
    expect(told).toContain('scope="proofroom"');
  });

  it("is not sent away as unknown while the issuer does not answer, and keys are let in all the same", async () => {
    const url = await serve([], { apiKeys: [apiKeyOf("default", "a-key")] });
    const token = await server.sign();
    server.fail(true);
    const refused = await postAs(url, token, "tools/list", {});
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("www-authenticate")).toBeNull();
    expect((await postAs(url, "a-key", "tools/list", {})).status).toBe(200);
  });
});

describe("tokens", () => {
  it("open their tenant's runs alone, as keys do", async () => {
    const url = await serve([], { apiKeys: [apiKeyOf("docs", "a-key")] });
    const docs = await server.sign({ tenant: "docs" });
    const nobody = await server.sign();
    const create = { name: "create_run", arguments: { guideline: "# Secret\n" } };
    const made = await askAs(url, docs, "tools/call", create);
    const run_id = String(made.result?.structuredContent?.["run_id"]);
    const get = { name: "get_run", arguments: { run_id } };
    expect((await askAs(url, "a-key", "tools/call", get)).result?.structuredContent).toMatchObject({
      run_id,
    });
    expect((await askAs(url, nobody, "tools/call", get)).result).toMatchObject({ isError: true });
  });

  it("are counted by their subject, whichever of its tokens comes", async () => {
    const url = await serve([], { ratePerSecond: 0.01 });
    expect((await postAs(url, await server.sign(), "tools/list", {})).status).toBe(200);
    expect((await postAs(url, await server.sign({ jti: "2" }), "tools/list", {})).status).toBe(429);
    expect((await postAs(url, await server.sign({ sub: "user-2" }), "tools/list", {})).status).toBe(200);
  });

  it("are seen by nothing behind the door, and stand in no log", async () => {
    const seen: string[] = [];
    const register = (mcp: McpServer) =>
      mcp.registerTool("look", { description: "Looks." }, ({ http }) => {
        seen.push(JSON.stringify([...(http?.req?.headers ?? [])]), JSON.stringify(http?.authInfo ?? null));
        return { content: [] };
      });
    const destination = new PassThrough();
    const log = createLogger({ level: "debug", destination });
    const extension = { tools: [], options: {}, register };
    const url = await serve([], { apiKeys: [apiKeyOf("default", "a-key-to-look-for")], extension, log });
    const [token, bad] = [await server.sign(), await server.sign({ aud: "https://other.example" })];
    for (const shown of [token, "a-key-to-look-for", bad])
      await postAs(url, shown, "tools/call", { name: "look", arguments: {} });
    expect(seen).toHaveLength(4);
    expect(seen.join()).toContain("mcp-method");
    destination.end();
    const told = `${seen.join()}${await text(destination)}`;
    expect(told).toContain("token refused");
    const [signature = ""] = token.split(".").slice(-1);
    for (const secret of [signature, "a-key-to-look-for", bad]) expect(told).not.toContain(secret);
  });

  it("open a gateway beyond loopback, which asks for one", async () => {
    const { port } = new URL(await serve([], { host: "0.0.0.0" }));
    const url = `http://127.0.0.1:${port}/mcp`;
    expect((await postAs(url, null, "tools/list", {})).status).toBe(401);
    expect((await postAs(url, await server.sign(), "tools/list", {})).status).toBe(200);
  });
});
