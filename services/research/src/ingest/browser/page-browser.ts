import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import type { Browser } from "playwright-core";
import { createTurns } from "../../search/turns.ts";
import { waitByClock } from "../../search/wait.ts";
import type { Fetched } from "../web/fetch-bytes.ts";
import { untilAborted } from "../web/until-aborted.ts";
import { findChromium } from "./find-chromium.ts";
import { launchChromium } from "./launch-chromium.ts";
import { type ShowOptions, showPage } from "./show-page.ts";

/** A local Chromium in which pages are shown that show nothing without their scripts. */
export interface PageBrowser {
  /** Whether there is a Chromium here. */
  isThere(): Promise<boolean>;
  /**
   * The page as it is once its scripts have run; one at a time. What was fetched already is not fetched again.
   * @throws ProofroomError timeout, dependency_down (it cannot be started), unreachable (it broke down), cancelled
   *   once the browser is closed; or the signal's reason
   */
  show(page: Fetched, options: ShowOptions): Promise<Fetched>;
  close(): Promise<void>;
}

export interface PageBrowserOptions {
  /** A Chromium that is named (`off` for none), and the folders in which one is looked for. */
  chromium: { given: string | undefined; searchPath: string };
  /** Where it may keep temporary files. */
  tempRoot: string;
  /** Of one page, in milliseconds (30,000). */
  timeoutMs?: number;
  /** A browser that had nothing to do for so many milliseconds is closed (30,000). */
  idleMs?: number;
}

const closingMs = 10_000;

/** Starts nothing: the browser is started when a page first needs it. */
export function openPageBrowser(options: PageBrowserOptions): PageBrowser {
  const { chromium, tempRoot, timeoutMs = 30_000, idleMs = 30_000 } = options;
  const turns = createTurns({ wait: waitByClock });
  const closing = new AbortController();
  let found: Promise<string | null> | undefined;
  let running: Promise<Browser> | undefined;
  let stopped: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  const find = () => {
    found ??= findChromium(chromium);
    return found;
  };

  async function launch(): Promise<Browser> {
    const executable = (await find()) ?? "chromium";
    return launchChromium({ executable, tempRoot, searchPath: chromium.searchPath });
  }

  /** The browser that runs, or one that is started; what could not be started or broke down is started anew. */
  function started(): Promise<Browser> {
    if (running !== undefined) return running;
    const starting = launch();
    const forget = () => {
      if (running === starting) running = undefined;
    };
    starting.then((browser) => browser.once("disconnected", forget), forget);
    running = starting;
    return starting;
  }

  /** Whoever comes in the meantime starts another browser. */
  function stop(): Promise<unknown> {
    clearTimeout(idle);
    if (running !== undefined) stopped = Promise.all([stopped, end(running)]);
    running = undefined;
    return stopped;
  }

  /** One that does not end in time is ended with this process. */
  async function end(ending: Promise<Browser>): Promise<void> {
    const browser = await ending.catch(() => undefined);
    await Promise.race([browser?.close().catch(() => undefined), waitByClock(closingMs)]);
  }

  async function showNow(page: Fetched, { signal: asked, ...rest }: ShowOptions): Promise<Fetched> {
    clearTimeout(idle);
    closing.signal.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([asked, closing.signal, deadline]);
    try {
      const browser = await untilAborted(started(), signal);
      return await showPage(browser, page, { ...rest, signal });
    } catch (cause) {
      // What its page was still doing ends with the browser.
      if (signal.aborted) void stop();
      asked.throwIfAborted();
      closing.signal.throwIfAborted();
      // It was not there, or could not be started.
      if (isProofroomError(cause)) throw cause;
      throw deadline.aborted ? endless(cause) : brokenDown(cause);
    } finally {
      idle = setTimeout(() => void stop(), idleMs).unref();
    }
  }

  return {
    isThere: async () => (await find()) !== null,
    show: (page, shown) => turns.take(() => showNow(page, shown), shown.signal),
    async close() {
      closing.abort(new ProofroomError({ code: "cancelled", message: "The work was cancelled." }));
      await stop();
    },
  };
}

const asFile = "Open the page in a browser and give its text as a local file.";

function endless(cause: unknown): ProofroomError {
  const message = "The page's scripts did not come to an end in time.";
  return new ProofroomError({
    code: "timeout",
    message,
    remedy: asFile,
    disposition: { kind: "fail" },
    cause,
  });
}

function brokenDown(cause: unknown): ProofroomError {
  return new ProofroomError({
    code: "unreachable",
    message: "The browser could not show the page.",
    remedy: asFile,
    cause,
  });
}
