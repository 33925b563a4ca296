import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ProofroomError } from "@proofroom/contracts";
import type { RedisOptions } from "ioredis";

/** What one side of a TLS connection shows, and whom it believes: texts in PEM. */
interface RedisTls {
  /** The authorities that may have signed the server's certificate, in place of the usual ones. */
  ca?: string | undefined;
  /** The client's own certificate and key, for servers that ask for one. */
  cert?: string | undefined;
  key?: string | undefined;
  /** The name that the server's certificate is for, where it is not that of the address. */
  servername?: string | undefined;
}

/** Where Redis is, and what it takes to be let in. */
export interface RedisAddress {
  /**
   * `redis://…`, over TLS `rediss://…`, the path of a unix socket, or `redis+sentinel://user:password@host:port,host:port/NAME`
   * (`rediss+sentinel://…`): the server that these Sentinels name as the master NAME. The user is the server's.
   */
  url: string;
  tls?: RedisTls | undefined;
  /** What the Sentinels themselves ask for. */
  sentinel?: { username?: string | undefined; password?: string | undefined } | undefined;
}

/** The settings of an address as the environment tells them: secrets show themselves only when asked, files are named. */
export interface RedisSettings {
  url: { reveal(): string };
  tls: RedisTls;
  sentinel: { username?: string | undefined; password?: { reveal(): string } | undefined };
}

/**
 * Reads the files that an address names.
 * @param cwd what their paths are relative to
 * @throws ProofroomError invalid_input for one that cannot be read, or an address that cannot be one
 */
export async function readRedisAddress(settings: RedisSettings, cwd: string): Promise<RedisAddress> {
  const { tls, sentinel } = settings;
  const [ca, cert, key] = await Promise.all([
    pem("REDIS_TLS_CA", tls.ca, cwd),
    pem("REDIS_TLS_CERT", tls.cert, cwd),
    pem("REDIS_TLS_KEY", tls.key, cwd),
  ]);
  const address: RedisAddress = {
    url: settings.url.reveal(),
    tls: { ca, cert, key, servername: tls.servername },
    sentinel: { username: sentinel.username, password: sentinel.password?.reveal() },
  };
  placeOf(address);
  return address;
}

async function pem(setting: string, file: string | undefined, cwd: string): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(resolve(cwd, file), "utf8").catch(() => "");
  if (text.includes("-----BEGIN ")) return text;
  throw new ProofroomError({
    code: "invalid_input",
    message: `${setting} names no file in PEM that can be read.`,
    remedy: `Correct ${setting}, or unset it.`,
  });
}

const sentinelForm =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<who>[^@/]*)@)?(?<hosts>[^@/?#]+)\/(?<name>[^/?#]+)(?:\/(?<db>\d+))?$/;

const usualSentinelPort = 26_379;

function malformed(): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: "REDIS_URL is not an address of Redis.",
    remedy:
      "It is redis://HOST:PORT, rediss://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME or a path.",
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed();
  }
}

/** The platform's own error for what is no URL would show it, with its password. */
function partsOf(url: string) {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.hostname === "") throw malformed();
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ""),
    port: parsed.port === "" ? undefined : Number(parsed.port),
    username: decoded(parsed.username),
    password: decoded(parsed.password),
    pathname: parsed.pathname,
    searchParams: parsed.searchParams,
  };
}

/** What is given, without what is not: TLS takes an undefined name for a name. */
function given(tls: RedisTls | undefined) {
  return Object.fromEntries(Object.entries(tls ?? {}).filter(([, value]) => value !== undefined));
}

/**
 * What ioredis is told of where to connect.
 * @throws ProofroomError invalid_input for what is no address
 */
export function placeOf({ url, tls, sentinel }: RedisAddress): Omit<RedisOptions, "replyMapping"> {
  if (url.startsWith("/")) return { path: url };
  const form = sentinelForm.exec(url)?.groups;
  if (form === undefined) {
    if (!/^rediss?:/.test(url)) throw malformed();
    const { host, port, username, password, pathname, searchParams } = partsOf(url);
    const db = Number(pathname.slice(1) || searchParams.get("db") || 0);
    if (!Number.isInteger(db)) throw malformed();
    const family = Number(searchParams.get("family") ?? Number.NaN);
    return {
      host,
      ...(port === undefined ? {} : { port }),
      ...(password === "" && username === "" ? {} : { username, password }),
      db,
      ...(Number.isNaN(family) ? {} : { family }),
      ...(url.startsWith("rediss:") ? { tls: given(tls) } : {}),
    };
  }
  const { username, password } = partsOf(`redis://${form["who"] ?? ""}@host`);
  const sentinels = (form["hosts"] ?? "").split(",").map((at) => {
    const { host, port = usualSentinelPort } = partsOf(`redis://${at}`);
    return { host, port };
  });
  const secure = form["tls"] === "s" ? given(tls) : undefined;
  return {
    sentinels,
    name: decoded(form["name"] ?? ""),
    db: Number(form["db"] ?? 0),
    ...(password === "" && username === "" ? {} : { username, password }),
    ...(sentinel?.username === undefined ? {} : { sentinelUsername: sentinel.username }),
    ...(sentinel?.password === undefined ? {} : { sentinelPassword: sentinel.password }),
    ...(secure === undefined ? {} : { tls: secure, sentinelTLS: secure, enableTLSForSentinelMode: true }),
  };
}
