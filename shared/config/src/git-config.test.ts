import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { gitConfig } from "./git-config.ts";
import { parseEnv } from "./parse-env.ts";

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

function shown(env: Record<string, string>) {
  const { hosts, access } = parseEnv(gitConfig, env).git;
  const set = access.filter(({ authorization }) => authorization !== undefined);
  return {
    hosts,
    set: set.map(({ host, setting, authorization }) => [host, setting, authorization?.reveal()]),
  };
}

describe("tokens for git servers", () => {
  test("each is bound to one host, GitHub's to its gists as well; nothing is set by default", () => {
    expect(shown({})).toEqual({ hosts: [], set: [] });
    expect(
      shown({ GITHUB_TOKEN: "ghp_a", GITLAB_TOKEN: "glpat-b", BITBUCKET_TOKEN: "ATCTT3=C" }).set,
    ).toEqual([
      ["github.com", "GITHUB_TOKEN", basic("x-access-token:ghp_a")],
      ["gist.github.com", "GITHUB_TOKEN", basic("x-access-token:ghp_a")],
      ["gitlab.com", "GITLAB_TOKEN", basic("oauth2:glpat-b")],
      ["bitbucket.org", "BITBUCKET_TOKEN", basic("x-token-auth:ATCTT3=C")],
    ]);
    expect(shown({ BITBUCKET_TOKEN: "ATATT3=D" }).set).toEqual([
      ["bitbucket.org", "BITBUCKET_TOKEN", basic("x-bitbucket-api-token-auth:ATATT3=D")],
    ]);
  });

  test("servers of one's own are host=token; a host with a token is one whose addresses name repositories", () => {
    expect(
      shown({
        PROOFROOM_GIT_HOSTS: "Code.example.org:443, git.example.org:8443",
        PROOFROOM_GIT_TOKENS: "gitlab.example.org=gitlab+deploy:x=y, git.example.org:8443=z",
      }),
    ).toEqual({
      hosts: ["code.example.org", "git.example.org:8443", "gitlab.example.org"],
      set: [
        ["gitlab.example.org", "PROOFROOM_GIT_TOKENS", basic("gitlab+deploy:x=y")],
        ["git.example.org:8443", "PROOFROOM_GIT_TOKENS", basic("oauth2:z")],
      ],
    });
  });

  test.each([
    ["PROOFROOM_GIT_TOKENS", "hunter2"],
    ["PROOFROOM_GIT_TOKENS", "git.example.org="],
    ["PROOFROOM_GIT_TOKENS", "=hunter2"],
    ["PROOFROOM_GIT_TOKENS", "git.example.org/group=hunter2"],
    ["PROOFROOM_GIT_TOKENS", "git.example.org=hunter2 x"],
    ["PROOFROOM_GIT_TOKENS", "git.example.org=hunter2,git.example.org:443=hunter2"],
    ["PROOFROOM_GIT_TOKENS", "github.com=hunter2"],
    ["PROOFROOM_GIT_HOSTS", "https://git.example.org"],
    ["GITHUB_TOKEN", "hunter2 hunter2"],
  ])("an unusable %s (%s) is named, and no token is shown", (setting, value) => {
    let error: unknown;
    try {
      parseEnv(gitConfig, { [setting]: value });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ variable: setting });
    expect(inspect(error)).not.toContain("hunter2");
  });

  test("a token does not show itself", () => {
    const config = parseEnv(gitConfig, { GITHUB_TOKEN: "hunter2" });
    const text = inspect(config, { depth: 9, showHidden: true }) + JSON.stringify(config);
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain(Buffer.from("x-access-token:hunter2").toString("base64"));
  });
});
