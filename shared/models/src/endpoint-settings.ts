import { ProofroomError } from "@proofroom/contracts";
import type { Endpoint } from "./models-file.ts";

/** A call may take no longer than this, in seconds, whatever a setting says. */
const longestSeconds = 3_600;

/** What the settings say of an endpoint. */
interface EndpointSettings {
  apiKey: string | undefined;
  /** Undefined where the provider's own address counts, or there is none. */
  baseUrl: string | undefined;
  /** Undefined where what holds for all models counts. */
  timeoutMs: number | undefined;
}

/**
 * Reads the settings that an endpoint names; a base URL may stand in the models file as well.
 * @throws ProofroomError invalid_input, naming the setting but not what it holds
 */
export function readEndpointSettings(
  endpoint: Endpoint,
  setting: (name: string) => string | undefined,
): EndpointSettings {
  const given = (name: string | undefined) => (name === undefined ? undefined : setting(name));
  const { base_url_setting, timeout_setting } = endpoint;
  const address = given(base_url_setting);
  if (address !== undefined && !isBaseUrl(address))
    throw wrong(base_url_setting, "must be an http:// or https:// URL without user, query and fragment");
  const timeout = given(timeout_setting);
  const seconds = timeout === undefined ? undefined : Number(timeout);
  if (seconds !== undefined && !(seconds > 0 && seconds <= longestSeconds))
    throw wrong(timeout_setting, `must be a number of seconds above 0, at most ${longestSeconds}`);
  return {
    apiKey: given(endpoint.key_setting),
    baseUrl: address ?? endpoint.base_url,
    timeoutMs: seconds === undefined ? undefined : seconds * 1_000,
  };
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

function wrong(name: string | undefined, what: string): ProofroomError {
  return new ProofroomError({
    code: "invalid_input",
    message: `The setting ${name} ${what}.`,
    remedy: `Correct ${name} in the environment, or unset it.`,
  });
}
