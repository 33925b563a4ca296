import { isIPv6 } from "node:net";
import { isProofroomError, ProofroomError } from "@proofroom/contracts";
import { assertPublicHost, createPublicDispatcher, isAllowedHost } from "../web/public-host.ts";
import { accessError, isLimit, type Refusal } from "./access-error.ts";
import type { GitHeader } from "./git-process.ts";
import { type Credential, credentialFor, type GitSettings, settingFor } from "./git-settings.ts";

interface GitAccess {
  /** Where the repository really is, after redirects that were each checked. */
  url: URL;
  /** Settings of git that pin the host to the address that was checked. */
  config: string[];
  /** What lets git in, where the host lets in nobody without. */
  header?: GitHeader;
}

export interface NetworkPolicy {
  /** Private hosts that may be fetched all the same, as `host:port`. */
  allowHosts: ReadonlySet<string>;
  git: Pick<GitSettings, "access">;
  now(): Date;
}

const maxRedirects = 5;
const advertisement = "/info/refs";
const userAgent = "git/2.39.5";

/**
 * Asks a repository's host whether it is there, following redirects itself so that each host is checked. Without a
 * token first: one is shown only where that is refused, and only to the host of the address that was given.
 * @throws ProofroomError not_found (also where it is private), not_configured (the token is refused), private_address,
 *   unreachable, invalid_input; or the signal's reason
 */
export async function accessRepository(
  start: URL,
  policy: NetworkPolicy,
  signal: AbortSignal,
): Promise<GitAccess> {
  const dispatcher = await createPublicDispatcher(policy);
  try {
    const first = secured(start, policy.allowHosts);
    const credential = credentialFor(first, policy.git, policy.allowHosts);
    const ask = (shown: Credential | null) => locate(first, { shown, policy, dispatcher, signal });
    let answer = await ask(null);
    if (credential !== null && isRefused(answer)) answer = await ask(credential);
    const { url, isShown } = answer;
    if (answer.status !== 200) {
      throw accessError(answer, { setting: settingFor(url, policy.git), isShown }, policy.now());
    }
    return {
      url,
      config: await pinned(url, { ...policy, signal }),
      ...(isShown && credential !== null ? { header: headerOf(url, credential) } : {}),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw isProofroomError(error) ? error : unreachable("The repository's host cannot be reached.", error);
  } finally {
    await dispatcher.destroy();
  }
}

interface Question {
  shown: Credential | null;
  policy: NetworkPolicy;
  dispatcher: Awaited<ReturnType<typeof createPublicDispatcher>>;
  signal: AbortSignal;
}

interface Answer extends Refusal {
  url: URL;
  /** Whether the host that answered was shown the token. */
  isShown: boolean;
}

async function locate(start: URL, { shown, policy, dispatcher, signal }: Question): Promise<Answer> {
  const { request } = await import("undici");
  let url = start;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    assertProtocol(url, policy.allowHosts);
    const credential = url.origin === start.origin ? shown : null;
    const reply = await request(`${url.href}${advertisement}?service=git-upload-pack`, {
      dispatcher,
      signal,
      headersTimeout: 30_000,
      headers: {
        "user-agent": userAgent,
        accept: "*/*",
        ...(credential === null ? {} : { authorization: credential.authorization.reveal() }),
      },
    });
    reply.body.on("error", () => {}).destroy();
    const headers = readable(reply.headers);
    const isShown = credential !== null;
    if (!redirects.has(reply.statusCode)) return { url, status: reply.statusCode, headers, isShown };
    const next = redirectOf(url, headers.get("location"));
    // Elsewhere than to a repository a host sends those who must log in.
    if (next === null) return { url, status: 401, headers, isShown };
    url = next;
  }
  throw unreachable("The repository's host redirects without end.");
}

/** Whether a token might change the answer. */
function isRefused(answer: Answer): boolean {
  return [401, 403, 404].includes(answer.status) || isLimit(answer);
}

function headerOf(url: URL, { authorization }: Credential): GitHeader {
  return { origin: url.origin, line: { reveal: () => `Authorization: ${authorization.reveal()}` } };
}

function readable(headers: Readonly<Record<string, string | string[] | undefined>>): Refusal["headers"] {
  return {
    get: (name) => {
      const value = headers[name];
      return typeof value === "string" ? value : null;
    },
  };
}

/** Old addresses say http; hosts of repositories answer by https. */
function secured(url: URL, allowHosts: ReadonlySet<string>): URL {
  if (url.protocol === "https:" || isAllowedHttp(url, allowHosts)) return url;
  return new URL(url.href.replace(/^http:/, "https:"));
}

function isAllowedHttp(url: URL, allowHosts: ReadonlySet<string>): boolean {
  return url.protocol === "http:" && isAllowedHost(url, allowHosts);
}

function assertProtocol(url: URL, allowHosts: ReadonlySet<string>): void {
  if (url.protocol === "https:" || isAllowedHttp(url, allowHosts)) return;
  throw new ProofroomError({
    code: "invalid_input",
    message: "Repositories are fetched by https only.",
    remedy: "Give the repository's https address.",
  });
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectOf(url: URL, location: string | null): URL | null {
  const target = location === null ? null : URL.parse(location, url.href);
  if (target?.pathname.endsWith(advertisement) !== true) return null;
  const next = new URL(target.origin);
  next.pathname = target.pathname.slice(0, -advertisement.length);
  return next;
}

/** Git resolves the name again: it must come to an address that was checked. */
async function pinned(
  url: URL,
  options: Pick<NetworkPolicy, "allowHosts"> & { signal: AbortSignal },
): Promise<string[]> {
  const addresses = await assertPublicHost(url, options);
  if (addresses.length === 0) return [];
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const listed = addresses.map((address) => (isIPv6(address) ? `[${address}]` : address));
  return [`http.curloptResolve=${url.hostname}:${port}:${listed.join(",")}`];
}

function unreachable(message: string, cause?: unknown): ProofroomError {
  return new ProofroomError({ code: "unreachable", message, ...(cause === undefined ? {} : { cause }) });
}
