import { ProofroomError } from "@proofroom/contracts";
import type { Browser } from "playwright-core";

export interface ChromiumPlace {
  executable: string;
  /** Where it may keep temporary files. */
  tempRoot: string;
  /** The PATH that it is started with; of the environment it gets nothing else. */
  searchPath: string;
}

/** Whether Chromium's own sandbox can be used: it refuses to be started by root with it. */
export function hasChromiumSandbox(): boolean {
  return process.getuid?.() !== 0;
}

/** A proxy that is nowhere: what is sent past the interception of requests (sockets, hints, WebRTC) ends here. */
const nowhere = "http://proofroom.invalid:9";

const args = [
  // No name and no address leads anywhere, that of the proxy included.
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--no-pings",
  "--js-flags=--max-old-space-size=512",
];

/**
 * Starts a Chromium that has no network of its own.
 * @throws ProofroomError dependency_down
 */
export async function launchChromium({ executable, tempRoot, searchPath }: ChromiumPlace): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  try {
    return await chromium.launch({
      executablePath: executable,
      chromiumSandbox: hasChromiumSandbox(),
      args,
      proxy: { server: nowhere, bypass: "<-loopback>" },
      // Keys are in the environment, and nothing of them is a browser's business.
      env: { PATH: searchPath, HOME: tempRoot, LANG: "C.UTF-8" },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 30_000,
    });
  } catch (cause) {
    throw new ProofroomError({
      code: "dependency_down",
      message: "The page shows its text only in a browser, and Chromium could not be started.",
      remedy:
        "Check PROOFROOM_CHROMIUM, and that Chromium's sandbox is allowed here; or give the text as a local file.",
      disposition: { kind: "fail" },
      cause,
    });
  }
}
