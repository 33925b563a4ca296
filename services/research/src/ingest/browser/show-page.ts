import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Fetched } from "../web/fetch-bytes.ts";
import type { HostTurns } from "../web/host-turns.ts";
import { createPublicDispatcher, isAllowedHost } from "../web/public-host.ts";
import type { Robots } from "../web/robots.ts";
import { untilAborted } from "../web/until-aborted.ts";
import { PageRequests } from "./page-requests.ts";

export interface ShowOptions {
  signal: AbortSignal;
  now: () => Date;
  hosts: HostTurns;
  /** Private addresses that may be fetched, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  robots?: Robots | undefined;
}

/** How long a page may go on to ask for things before it is taken as it is, in milliseconds. */
const settleMs = 8_000;

/**
 * Shows a page in a context of its own, which nothing outlives, and answers it as its scripts have made it.
 * @throws the signal's reason, or what the browser fails with
 */
export async function showPage(browser: Browser, page: Fetched, options: ShowOptions): Promise<Fetched> {
  const { signal, now, hosts, robots } = options;
  const dispatcher = await createPublicDispatcher({ allowHosts: ownHost(page, options.allowHosts) });
  try {
    const opened = browser.newContext({ acceptDownloads: false, serviceWorkers: "block" });
    const context = await untilAborted(opened, signal);
    try {
      const requests = new PageRequests({ page, dispatcher, hosts, robots, now, signal });
      return await untilAborted(show(context, page, requests), signal);
    } finally {
      const closed = context.close().catch(() => undefined);
      // A page that never rests may not let itself be closed; whoever gave it up ends the browser.
      if (!signal.aborted) await closed;
    }
  } finally {
    await dispatcher.destroy();
  }
}

/** A page from elsewhere must not read what is private here, though it may be fetched when a person names it. */
function ownHost({ finalUrl }: Fetched, allowHosts: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...allowHosts].filter((host) => isAllowedHost(new URL(finalUrl), new Set([host]))));
}

async function show(context: BrowserContext, page: Fetched, requests: PageRequests): Promise<Fetched> {
  await context.route("**/*", (route) => requests.answer(route));
  await context.routeWebSocket(/.*/, (socket) => void socket.close());
  const tab = await context.newPage();
  context.on("page", (opened) => void opened.close().catch(() => undefined));
  await tab.goto(page.finalUrl, { waitUntil: "domcontentloaded", timeout: 0 });
  await tab.waitForLoadState("networkidle", { timeout: settleMs }).catch(() => undefined);
  const html = await tab.content();
  return {
    bytes: Buffer.from(html),
    contentType: "text/html; charset=utf-8",
    finalUrl: addressOf(tab, page),
  };
}

/** Scripts can lead to another page. */
function addressOf(tab: Page, page: Fetched): string {
  const url = URL.parse(tab.url());
  if (url === null || !/^https?:$/.test(url.protocol)) return page.finalUrl;
  url.hash = "";
  return url.href;
}
