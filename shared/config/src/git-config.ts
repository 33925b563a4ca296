import { Buffer } from "node:buffer";
import { z } from "zod";
import { Secret } from "./secret.ts";

/** Who one git server lets in: its host as a URL has it (the port only where it is not 443), and the setting that says so. */
export interface GitHostAccess {
  readonly host: string;
  readonly setting: string;
  /** The value of a header; undefined where the setting is not set. */
  readonly authorization: Secret | undefined;
}

const tokensSetting = "PROOFROOM_GIT_TOKENS";

/** A token, or `USER:TOKEN`, as a header can carry it. */
const token = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, { error: "must be a token without spaces" });

/**
 * Git servers: the tokens that let us read private repositories, each for exactly one host (GitHub's for its gists as
 * well), and the servers of one's own whose addresses name repositories.
 */
export const gitConfig = z
  .object({
    GITHUB_TOKEN: token.optional(),
    GITLAB_TOKEN: token.optional(),
    BITBUCKET_TOKEN: token.optional(),
    PROOFROOM_GIT_HOSTS: z.string().default(""),
    PROOFROOM_GIT_TOKENS: z.string().default(""),
  })
  .transform((env, context) => {
    const refuse = (setting: string, message: string) =>
      context.addIssue({ code: "custom", path: [setting], message });
    const known: GitHostAccess[] = [
      accessOf("github.com", "GITHUB_TOKEN", env.GITHUB_TOKEN, "x-access-token"),
      accessOf("gist.github.com", "GITHUB_TOKEN", env.GITHUB_TOKEN, "x-access-token"),
      accessOf("gitlab.com", "GITLAB_TOKEN", env.GITLAB_TOKEN, "oauth2"),
      accessOf("bitbucket.org", "BITBUCKET_TOKEN", env.BITBUCKET_TOKEN, bitbucketUser(env.BITBUCKET_TOKEN)),
    ];
    const own: GitHostAccess[] = [];
    for (const entry of listOf(env.PROOFROOM_GIT_TOKENS)) {
      const [, written = "", secret = ""] = /^([^=]*)=(.*)$/s.exec(entry) ?? [];
      const host = hostOf(written);
      if (host === null || !token.safeParse(secret).success)
        refuse(tokensSetting, "must be host=token or host:port=token, separated by commas");
      else if (known.some((one) => one.host === host))
        refuse(tokensSetting, "names a host that has a setting of its own");
      else if (own.some((one) => one.host === host)) refuse(tokensSetting, "names a host twice");
      else own.push(accessOf(host, tokensSetting, secret.trim(), "oauth2"));
    }
    const listed = listOf(env.PROOFROOM_GIT_HOSTS).map(hostOf);
    if (listed.includes(null))
      refuse("PROOFROOM_GIT_HOSTS", "must be host or host:port, separated by commas");
    const hosts = [...listed.filter((host) => host !== null), ...own.map(({ host }) => host)];
    return { git: { hosts: [...new Set(hosts)], access: [...known, ...own] } };
  });

/** Any user name goes with a token on most servers; where it matters it is given as `USER:TOKEN`. */
function accessOf(host: string, setting: string, secret: string | undefined, user: string): GitHostAccess {
  if (secret === undefined) return { host, setting, authorization: undefined };
  const pair = Buffer.from(secret.includes(":") ? secret : `${user}:${secret}`).toString("base64");
  return { host, setting, authorization: new Secret(`Basic ${pair}`) };
}

/** Bitbucket tells tokens of an account from those of a repository, project or workspace by the name they come with. */
function bitbucketUser(secret: string | undefined): string {
  return secret?.startsWith("ATATT") === true ? "x-bitbucket-api-token-auth" : "x-token-auth";
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** As a URL has it: in lower case, without the default port. */
function hostOf(text: string): string | null {
  return /^[^\s/?#@\\]+$/.test(text) ? (URL.parse(`https://${text}`)?.host ?? null) : null;
}
