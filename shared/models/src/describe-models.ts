import type { CallLimits } from "@proofroom/contracts";
import { parseModelsFile } from "./models-file.ts";
import { extractive, type Role, roles } from "./roles.ts";

/** Where models are reached, and what sets it. */
export interface EndpointDescription {
  name: string;
  api: "gemini" | "openai";
  /** Names of its models. */
  models: readonly string[];
  /** The settings that it takes; `needed` where without it none of its models is asked. */
  settings: readonly { setting: string; for: "key" | "address" | "timeout" | "model"; needed: boolean }[];
  /** Whether its models are asked. */
  configured: boolean;
  /** Where it is reached; undefined where the provider's own address counts. */
  baseUrl: string | undefined;
  key: string | undefined;
}

export interface ModelsDescription {
  endpoints: readonly EndpointDescription[];
  /** For each role the models that are asked, the first one first; `extractive` where the work needs none. */
  roles: Readonly<Record<Role, readonly string[]>>;
  /** The same with those that are not set. */
  cascades: Readonly<Record<Role, readonly string[]>>;
  /** What may be sent to each model that is asked, by its name. */
  limits: ReadonlyMap<string, CallLimits>;
}

/**
 * What a models file asks for, and what of that is set.
 * @throws ProofroomError invalid_input for a models file that is wrong, naming the line
 */
export async function describeModels(
  file: { text: string; name: string },
  setting: (name: string) => string | undefined,
): Promise<ModelsDescription> {
  const { endpoints, models, roles: cascades } = await parseModelsFile(file.text, file.name);
  const usable = new Set<string>();
  const described = [...endpoints].map(([name, endpoint]): EndpointDescription => {
    const { api, key_setting, base_url_setting, timeout_setting, keyless } = endpoint;
    const own = [...models.values()].filter((model) => model.endpoint === name);
    const value = (of: string | undefined) => (of === undefined ? undefined : setting(of));
    const key = value(key_setting);
    const baseUrl = value(base_url_setting) ?? endpoint.base_url;
    const reached =
      (key !== undefined || (keyless && api === "openai")) && (api === "gemini" || baseUrl !== undefined);
    const asked = own.filter((model) => (value(model.model_setting) ?? model.model) !== undefined);
    if (reached) for (const model of asked) usable.add(model.name);
    const settings: EndpointDescription["settings"][number][] = [];
    if (key_setting !== undefined) settings.push({ setting: key_setting, for: "key", needed: !keyless });
    if (base_url_setting !== undefined) {
      const needed = api === "openai" && endpoint.base_url === undefined;
      settings.push({ setting: base_url_setting, for: "address", needed });
    }
    if (timeout_setting !== undefined)
      settings.push({ setting: timeout_setting, for: "timeout", needed: false });
    for (const { model_setting, model } of own) {
      if (model_setting !== undefined)
        settings.push({ setting: model_setting, for: "model", needed: model === undefined });
    }
    return {
      name,
      api,
      models: own.map((model) => model.name),
      settings,
      configured: reached && asked.length > 0,
      baseUrl,
      key,
    };
  });
  const isAsked = ({ name }: { name: string }) => usable.has(name);
  const asked = (role: Role) => cascades[role].filter((name) => name === extractive || usable.has(name));
  return {
    endpoints: described,
    roles: Object.fromEntries(roles.map((role) => [role, asked(role)])) as Record<Role, string[]>,
    cascades,
    limits: new Map([...models.values()].filter(isAsked).map(({ name, limits }) => [name, limits])),
  };
}
