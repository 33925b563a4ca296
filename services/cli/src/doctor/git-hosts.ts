import type { GitHostAccess } from "@proofroom/config";
import type { CommandContext } from "../commands/context.ts";
import type { Finding } from "./finding.ts";

/** How long a host has to answer, in milliseconds. */
const patience = 10_000;

/** No such repository: whoever is let in is told so, and whoever is not is refused. */
const nowhere = "/proofroom/doctor.git/info/refs?service=git-upload-pack";

const loopback = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3}):\d+$/;

/** Which tokens for git servers are set, and with `online` whether each is accepted by its host, which alone is shown it. */
export async function gitFindings({ settings, signal }: CommandContext, online: boolean): Promise<Finding[]> {
  const { access, hosts } = settings.git;
  const hostsOf = Map.groupBy(access, ({ setting }) => setting);
  const findings = [...hostsOf].map(([name, entries]) => tokenFinding(name, entries));
  if (!hostsOf.has("PROOFROOM_GIT_TOKENS")) findings.push(tokenFinding("PROOFROOM_GIT_TOKENS", []));
  const own: Finding = settings.given.has("PROOFROOM_GIT_HOSTS")
    ? { name: "PROOFROOM_GIT_HOSTS", state: "ok", what: hosts.join(", ") }
    : { name: "PROOFROOM_GIT_HOSTS", state: "optional", what: "not set; no servers of your own" };
  findings.push(own);
  if (!online) return findings;
  const asked = access.map((entry) => accepted(entry, settings.allowHosts, signal));
  return [...findings, ...(await Promise.all(asked)).filter((finding) => finding !== null)];
}

function tokenFinding(name: string, entries: readonly GitHostAccess[]): Finding {
  const hosts = entries.length === 0 ? "servers of your own" : entries.map(({ host }) => host).join(", ");
  return entries.some(({ authorization }) => authorization !== undefined)
    ? { name, state: "ok", what: `set, for ${hosts}` }
    : { name, state: "optional", what: `not set; it enables private repositories on ${hosts}` };
}

async function accepted(
  { host, setting, authorization }: GitHostAccess,
  allowHosts: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Finding | null> {
  if (authorization === undefined) return null;
  const name = `${host} (online)`;
  const scheme = loopback.test(host) && allowHosts.has(host) ? "http" : "https";
  try {
    const { status } = await fetch(`${scheme}://${host}${nowhere}`, {
      headers: { authorization: authorization.reveal() },
      // A token is for this host alone.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    });
    if (status === 401) {
      const fix = `Set ${setting} to a token that is valid.`;
      return { name, state: "missing", what: `reached, but the token in ${setting} is not accepted`, fix };
    }
    // The repository is not there, as whoever is let in learns.
    if (status === 200 || status === 403 || status === 404)
      return { name, state: "ok", what: "reached; it accepts the token" };
    return { name, state: "optional", what: `reached; it answers with status ${status}` };
  } catch {
    signal.throwIfAborted();
    return { name, state: "missing", what: "not reached", fix: "Check the host and the network." };
  }
}
