import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { type FakeProvider, makeTempFolder, startFakeProvider, type TempFolder } from "@proofroom/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { waitByClock } from "../../search/wait.ts";
import { installedChromium } from "../../testing/chromium.ts";
import { openParsePool } from "../parsing/parse-pool.ts";
import { fetchPage } from "../web/fetch-page.ts";
import { createHostTurns } from "../web/host-turns.ts";
import { createRobots } from "../web/robots.ts";
import { openPageBrowser, type PageBrowser } from "./page-browser.ts";

const prose =
  "A client that repeats a failed request at once makes an outage worse, so it waits, and it waits longer each time. ".repeat(
    4,
  );
const page = (script: string) =>
  `<!doctype html><html><head><title>Retries</title></head><body><div id="root"></div><script>
    const show = (text) => { document.getElementById("root").innerHTML = "<article><h1>Retries</h1><p>" + text + "</p></article>"; };
    ${script}</script></body></html>`;
const shown = `show(${JSON.stringify(prose)});`;

let folder: TempFolder;
let site: FakeProvider;
/** Allowed to be fetched where a person names it, but not to be read by pages of others. */
let other: Server;
let otherHost: string;
let connections = 0;
let browser: PageBrowser;
let chromium: Awaited<ReturnType<typeof installedChromium>>;
const pages = new Map<string, string>();
const parsing = openParsePool();
const now = () => new Date("2026-03-01T12:00:00Z");
const hosts = createHostTurns({ now, wait: waitByClock });

beforeAll(async () => {
  chromium = await installedChromium();
  folder = await makeTempFolder();
  site = await startFakeProvider(({ path }) => {
    const body = pages.get(path);
    if (body === undefined) return undefined;
    const type = path.endsWith(".js")
      ? "text/javascript"
      : path.endsWith(".json")
        ? "application/json"
        : "text/html";
    return { headers: { "content-type": `${type}; charset=utf-8` }, body };
  });
  other = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined);
    socket.end(
      "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\naccess-control-allow-origin: *\r\ncontent-length: 6\r\n\r\nsecret",
    );
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  otherHost = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  browser = openPageBrowser({ chromium, tempRoot: folder.path, timeoutMs: 20_000 });
});

afterAll(async () => {
  await browser.close();
  await parsing.close();
  other.close();
  await site.close();
  await folder.close();
});

beforeEach(() => {
  pages.clear();
  connections = 0;
});

function fetched(path: string, more: Partial<Parameters<typeof fetchPage>[1]> = {}) {
  const allowHosts = new Set([new URL(site.base).host, otherHost]);
  const { signal } = new AbortController();
  const counted = <T>(_url: string, fetch: () => Promise<T>) => fetch();
  return fetchPage(`${site.base}${path}`, {
    allowHosts,
    now,
    hosts,
    parsing,
    browser,
    signal,
    counted,
    ...more,
  });
}

describe("a page that shows nothing without its scripts", { timeout: 60_000 }, () => {
  test("is shown in a browser, with the scripts and data that it asks for, and says so", async () => {
    pages.set("/app", page('import("/app.js").then(async (app) => show(await app.text()));'));
    pages.set("/app.js", 'export const text = async () => (await (await fetch("/data.json")).json()).text;');
    pages.set("/data.json", JSON.stringify({ text: prose }));
    const source = await fetched("/app");
    expect(source).toMatchObject({
      title: "Retries",
      provenance: { method: "browser", media_type: "text/html" },
    });
    expect(source.text).toContain(prose.trim());
    const asked = site.requests.map(({ path }) => path);
    expect(asked.filter((path) => path === "/app")).toHaveLength(1);
  });

  test("a page with text of its own is never shown", async () => {
    pages.set(
      "/plain",
      page("").replace("</body>", `<p>${prose}</p><script src="/never.js"></script></body>`),
    );
    const before = site.requests.length;
    expect((await fetched("/plain")).provenance.method).toBe("http");
    expect(site.requests.slice(before).map(({ path }) => path)).toEqual(["/plain"]);
  });

  test("reaches nothing but what this process fetches for it, and nothing private", async () => {
    pages.set("/data.json", "{}");
    pages.set(
      "/prying",
      page(`
        const at = "${otherHost}";
        const got = [];
        const attempt = async (work) => { try { got.push(await work()); } catch { got.push("refused"); } };
        const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
        (async () => {
          await attempt(async () => (await fetch("http://" + at + "/fetch")).text());
          await attempt(async () => (await fetch("http://" + at + "/post", { method: "POST", mode: "no-cors", body: "x" })).type);
          await attempt(() => { new WebSocket("ws://" + at + "/socket"); return "made"; });
          await attempt(() => { navigator.sendBeacon("http://" + at + "/beacon", "x"); return "made"; });
          await attempt(() => { new EventSource("http://" + at + "/events"); return "made"; });
          await attempt(() => { new Image().src = "http://" + at + "/image"; return "made"; });
          await attempt(() => { open("http://" + at + "/opened"); return "made"; });
          await attempt(() => {
            const code = 'fetch("http://' + at + '/worker").catch(() => 0); new WebSocket("ws://' + at + '/worker")';
            new Worker(URL.createObjectURL(new Blob([code])));
            return "made";
          });
          await attempt(async () => {
            const peer = new RTCPeerConnection({ iceServers: [{ urls: "turn:" + at + "?transport=tcp", username: "u", credential: "c" }] });
            peer.createDataChannel("x");
            await peer.setLocalDescription(await peer.createOffer());
            return "made";
          });
          for (const [tag, attribute] of [["iframe", "src"], ["script", "src"], ["link", "href"], ["object", "data"]]) {
            const element = document.createElement(tag);
            if (tag === "link") element.rel = "preconnect";
            element[attribute] = "http://" + at + "/" + tag;
            document.body.append(element);
          }
          // What it asks of its own site keeps it from being taken before all of this has been tried.
          for (let time = 0; time < 15; time += 1) {
            await fetch("/data.json?" + time).catch(() => 0);
            await wait(100);
          }
          show(got.join(" ") + ". ${prose}");
        })();`),
    );
    const source = await fetched("/prying");
    expect(source.text).toContain("refused refused");
    expect(source.text).not.toContain("secret");
    expect(connections).toBe(0);
  });

  test("whose scripts never end is given up, and the next page is shown", async () => {
    const impatient = openPageBrowser({ chromium, tempRoot: folder.path, timeoutMs: 4_000, idleMs: 1 });
    try {
      pages.set("/endless", page("for (;;);"));
      pages.set("/app", page(shown));
      await expect(fetched("/endless", { browser: impatient })).rejects.toMatchObject({
        code: "timeout",
        disposition: { kind: "fail" },
      });
      expect((await fetched("/app", { browser: impatient })).provenance.method).toBe("browser");
    } finally {
      await impatient.close();
    }
  });

  test("that never stops asking is taken as it is, and asks no more than so often", async () => {
    pages.set(
      "/asking",
      page(`${shown} setInterval(() => fetch("/data.json?" + Math.random()).catch(() => 0), 10);`),
    );
    pages.set("/data.json", "{}");
    const before = site.requests.length;
    expect((await fetched("/asking")).text).toContain(prose.trim());
    expect(site.requests.length - before).toBeLessThanOrEqual(201);
  });

  test("is held to robots.txt in what it asks for, too", async () => {
    pages.set("/robots.txt", "User-agent: Proofroom\nDisallow: /private\n");
    pages.set(
      "/app",
      page(`fetch("/private.json").then(() => show("had"), () => show(${JSON.stringify(prose)}));`),
    );
    pages.set("/private.json", "{}");
    const allowHosts = new Set([new URL(site.base).host]);
    const robots = createRobots({ allowHosts, now, hosts, wait: async () => undefined });
    const before = site.requests.length;
    expect((await fetched("/app", { robots })).text).toContain(prose.trim());
    expect(site.requests.slice(before).map(({ path }) => path)).toEqual(["/robots.txt", "/app"]);
  });

  test("that shows nothing in a browser either is no evidence", async () => {
    pages.set("/empty", page(""));
    await expect(fetched("/empty")).rejects.toMatchObject({ code: "no_evidence" });
  });

  test("is a failure that names the setting where there is no Chromium", async () => {
    pages.set("/app", page(shown));
    for (const given of ["off", "/nowhere/chromium", undefined]) {
      const none = openPageBrowser({ chromium: { given, searchPath: folder.path }, tempRoot: folder.path });
      await expect(fetched("/app", { browser: none })).rejects.toMatchObject({
        code: "no_evidence",
        remedy: expect.stringContaining("PROOFROOM_CHROMIUM"),
      });
    }
  });

  test("is a failure where Chromium cannot be started", async () => {
    pages.set("/app", page(shown));
    const broken = openPageBrowser({
      chromium: { given: "/bin/false", searchPath: folder.path },
      tempRoot: folder.path,
    });
    await expect(fetched("/app", { browser: broken })).rejects.toMatchObject({
      code: "dependency_down",
      disposition: { kind: "fail" },
    });
  });

  test("an abort ends it with the signal's reason, and a closed browser shows nothing more", async () => {
    const closed = openPageBrowser({ chromium, tempRoot: folder.path });
    pages.set("/endless", page("for (;;);"));
    const abort = new AbortController();
    const running = fetched("/endless", { browser: closed, signal: abort.signal });
    const aborted = expect(running).rejects.toThrow("stopped");
    setTimeout(() => abort.abort(new Error("stopped")), 1_500);
    await aborted;
    await closed.close();
    await expect(fetched("/endless", { browser: closed })).rejects.toMatchObject({ code: "cancelled" });
  });
});
