import { callLimitsSchema, ProofroomError } from "@proofroom/contracts";
import { z } from "zod";
import { extractive, type Role, roles } from "./roles.ts";

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be a short name in lower case");
const setting = z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/, "must be the name of a setting in upper case");
const tokens = z.int().positive();

/** Where a provider is reached. A setting that is named and set wins over what stands here. */
const endpointSchema = z.strictObject({
  api: z.enum(["gemini", "openai"]),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  base_url_setting: setting.optional(),
  key_setting: setting.optional(),
  /** The seconds that one call may take. */
  timeout_setting: setting.optional(),
  /** Whether it answers without a key, as servers on one's own machine do. */
  keyless: z.boolean().default(false),
});
export type Endpoint = z.output<typeof endpointSchema>;

const modelSchema = z.strictObject({
  endpoint: name,
  /** What the provider calls it; or the setting that names it. */
  model: z.string().min(1).max(200).optional(),
  model_setting: setting.optional(),
  /** Tokens that fit in: question and answer, and the answer alone. */
  context: tokens,
  output: tokens,
  /** Whether answers keep to a JSON schema by themselves, and whether it watches videos. */
  structured: z.boolean().default(false),
  video: z.boolean().default(false),
  /** US dollars for a million tokens; absent where it is not known. */
  price: z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() }).optional(),
  limits: callLimitsSchema.prefault({}),
});

const cascade = z.array(name).min(1).max(20);

const fileSchema = z.strictObject({
  endpoints: z.record(name, endpointSchema),
  models: z.record(name, modelSchema),
  /** By search provider: US dollars for a search; absent where it is not known. */
  searches: z.record(name, z.number().nonnegative()).default({}),
  roles: z.strictObject(
    Object.fromEntries(roles.map((role) => [role, cascade])) as Record<Role, typeof cascade>,
  ),
});

export type ModelEntry = z.output<typeof modelSchema> & { name: string };

export interface ModelsFile {
  endpoints: ReadonlyMap<string, Endpoint>;
  models: ReadonlyMap<string, ModelEntry>;
  /** US dollars for a search, by provider; those whose price is not known are missing. */
  searches: ReadonlyMap<string, number>;
  /** Names of models, the first one asked first; `extractive` only as the last. */
  roles: Readonly<Record<Role, readonly string[]>>;
}

interface Fault {
  path: (string | number)[];
  reason: string;
}

/** Faults that the shape alone does not show. */
function faultsOf(file: z.output<typeof fileSchema>): Fault[] {
  const faults: Fault[] = [];
  for (const [model, entry] of Object.entries(file.models)) {
    const path = ["models", model];
    if (model === extractive) faults.push({ path, reason: `${extractive} is not the name of a model` });
    if (file.endpoints[entry.endpoint] === undefined) {
      faults.push({ path: [...path, "endpoint"], reason: `there is no endpoint ${entry.endpoint}` });
    }
    if (entry.model === undefined && entry.model_setting === undefined) {
      faults.push({ path, reason: "needs model, or model_setting" });
    }
    if (entry.output > entry.context)
      faults.push({ path: [...path, "output"], reason: "is larger than context" });
  }
  for (const role of roles) {
    const names = file.roles[role];
    names.forEach((model, at) => {
      const path = ["roles", role, at];
      if (names.indexOf(model) < at) faults.push({ path, reason: `${model} is there twice` });
      if (model === extractive && at < names.length - 1) {
        faults.push({ path, reason: `nothing is asked after ${extractive}` });
      } else if (model !== extractive && file.models[model] === undefined) {
        faults.push({ path, reason: `there is no model ${model}` });
      } else if (role === "transcriber" && file.models[model]?.video !== true) {
        faults.push({ path, reason: `${model} does not watch videos` });
      }
    });
  }
  return faults;
}

/** zod's own messages can quote what stands in the file; nothing secret does, so they are shown. */
function faultOfIssue(issue: z.core.$ZodIssue): Fault {
  return {
    path: issue.path.map((part) => (typeof part === "symbol" ? String(part) : part)),
    reason: issue.message,
  };
}

function refused(file: string, line: number | null, { path, reason }: Fault): ProofroomError {
  const where = path.length === 0 ? "" : `${path.join(".")}: `;
  return new ProofroomError({
    code: "invalid_input",
    message: `${file}${line === null ? "" : `, line ${line}`}: ${where}${reason}`,
    remedy: "Correct the file; infra/models.yaml of the repository shows its form.",
  });
}

/**
 * Reads the text of a models file (YAML).
 * @param file how the file is called in an error
 * @throws ProofroomError invalid_input, naming the line and the reason
 */
export async function parseModelsFile(text: string, file: string): Promise<ModelsFile> {
  const { isNode, LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: "1.2" });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const reason = broken.message.split(" at line ")[0] ?? "is not YAML";
    throw refused(file, lines.linePos(broken.pos[0]).line, { path: [], reason });
  }
  const lineOf = (path: Fault["path"]): number | null => {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range != null) return lines.linePos(node.range[0]).line;
    }
    return null;
  };
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 0 });
  } catch {
    throw refused(file, null, { path: [], reason: "aliases (*name) are not allowed" });
  }
  const parsed = fileSchema.safeParse(content);
  const fault = parsed.success
    ? faultsOf(parsed.data)[0]
    : parsed.error.issues.slice(0, 1).map(faultOfIssue)[0];
  if (fault !== undefined || !parsed.success) {
    throw refused(file, lineOf(fault?.path ?? []), fault ?? { path: [], reason: "is not valid" });
  }
  const { endpoints, models, searches, roles: cascades } = parsed.data;
  return {
    endpoints: new Map(Object.entries(endpoints)),
    models: new Map(Object.entries(models).map(([model, entry]) => [model, { ...entry, name: model }])),
    searches: new Map(Object.entries(searches)),
    roles: cascades,
  };
}
