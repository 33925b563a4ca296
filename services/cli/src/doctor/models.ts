import type { CallLimits } from "@proofroom/contracts";
import { type EndpointDescription, extractive, type ModelsDescription } from "@proofroom/models";
import type { Settings } from "../settings.ts";
import type { Finding } from "./finding.ts";

/** A run stops where none of its models can be reached: the evidence stands in for answers that are of no use, and for no others. */
function cascadeText(models: readonly string[]): string {
  const asked = models.filter((model) => model !== extractive);
  if (asked.length === 0 || asked.length === models.length) return models.join(" → ");
  return `${asked.join(" → ")}; ${extractive} where none of their answers is of use`;
}

/** The settings that an endpoint still needs before it is asked. */
function wantedBy({ settings }: EndpointDescription, given: ReadonlySet<string>): string[] {
  return settings
    .filter(({ setting, needed }) => needed && !given.has(setting))
    .map(({ setting }) => setting);
}

/** Whether a model can draft, and if none can, exactly what would make one: the settings of each endpoint that has one for it. */
function draftingFinding(
  { endpoints, roles, cascades }: ModelsDescription,
  given: ReadonlySet<string>,
): Finding {
  const name = "Models";
  const asked = roles.drafter.filter((model) => model !== extractive);
  if (asked.length > 0) return { name, state: "ok", what: asked.join(", ") };
  const what = "none is set: articles are composed from the evidence itself";
  const ways = endpoints
    .filter(({ models }) => models.some((model) => cascades.drafter.includes(model)))
    .map((endpoint) => wantedBy(endpoint, given).join(" and "))
    .filter((way) => way !== "");
  const fix = ways.length === 0 ? "Name a drafter in the models file." : `Set one of: ${ways.join("; ")}.`;
  return { name, state: "optional", what, fix };
}

function limitsText(limits: CallLimits): string {
  const parts = [
    [limits.requests_per_minute, "requests a minute"],
    [limits.tokens_per_minute, "tokens a minute"],
    [limits.requests_per_day, "requests a day"],
    [limits.tokens_per_day, "tokens a day"],
  ] as const;
  const named = parts.flatMap(([most, of]) => (most === undefined ? [] : [`${most} ${of}`]));
  return named.length === 0 ? "no limits" : named.join(", ");
}

/** Which models are asked, for what, and, where the file is the user's own, what may be sent to them. */
export function modelFindings(description: ModelsDescription, { given }: Pick<Settings, "given">): Finding[] {
  const findings = [draftingFinding(description, given)];
  for (const [role, models] of Object.entries(description.roles)) {
    findings.push(
      models.length === 0
        ? { name: `role ${role}`, state: "optional", what: "no model: this cannot be done" }
        : { name: `role ${role}`, state: "ok", what: cascadeText(models) },
    );
  }
  if (!given.has("PROOFROOM_MODELS")) return findings;
  const limits = [...description.limits].map(
    ([model, of]): Finding => ({ name: `model ${model}`, state: "ok", what: limitsText(of) }),
  );
  return [...findings, ...limits];
}

/** The seconds that a call to each endpoint may take, by the setting that says so. */
export function callTimeouts(
  { endpoints }: ModelsDescription,
  { setting, modelTimeoutMs }: Pick<Settings, "setting" | "modelTimeoutMs">,
): Map<string, string> {
  const names = endpoints.flatMap(({ settings }) =>
    settings.filter((one) => one.for === "timeout").map((one) => one.setting),
  );
  return new Map(names.map((name) => [name, `${setting(name) ?? modelTimeoutMs / 1_000} s`]));
}
