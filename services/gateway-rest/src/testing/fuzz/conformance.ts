import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Schema } from "./schema-arbitrary.ts";
import type { Received } from "./send.ts";

export interface Operation {
  operationId: string;
  parameters: readonly { name: string; in: "path" | "query" | "header"; required: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Readonly<Record<string, { schema?: Schema }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: object }>> }>>;
}

export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, object>> };
}

const problemType = "application/problem+json";

function essence(type: unknown): string {
  return String(type ?? "").replace(/;.*/, "");
}

/** What an OpenAPI document says of answers and of JSON bodies, to be held against what happens. */
export interface Conformance {
  /** What is wrong with an answer of an operation; null where nothing is. */
  faultOf(operation: Operation, method: string, answer: Received): string | null;
  /** Whether a body is one that the operation takes, by its schema. */
  takes(operation: Operation, value: unknown): boolean;
}

/** A time as RFC 3339 has it, of a day that there is. */
function isDateTime(text: string): boolean {
  const [, day] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** A format that is passed over would be one that nothing checks. */
const logger = {
  log: () => undefined,
  warn: (warning: unknown) => {
    throw new Error(String(warning));
  },
  error: () => undefined,
};

export function conformanceTo(document: ApiDocument): Conformance {
  const ajv = new Ajv2020({ strict: false, logger });
  ajv.addFormat("date-time", isDateTime);
  ajv.addSchema({ ...document, $id: "openapi" });
  const problem = ajv.getSchema("openapi#/components/schemas/Problem") as ValidateFunction;
  const compiled = new Map<object, ValidateFunction>();

  function validate(schema: object, value: unknown): string | null {
    const check = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, check);
    return check(value) ? null : ajv.errorsText(check.errors);
  }

  function faultOfProblem({ status, headers, body }: Received): string | null {
    if (essence(headers["content-type"]) !== problemType) return `${status} is no problem document: ${body}`;
    const value: { status?: unknown } = JSON.parse(body);
    if (!problem(value)) return `the problem is not as declared: ${ajv.errorsText(problem.errors)}`;
    return value.status === status ? null : `the problem of ${status} says ${String(value.status)}`;
  }

  function faultOfContent(operation: Operation, { status, headers, body }: Received): string | null {
    const { content } = operation.responses[status] ?? {};
    if (content === undefined) return body === "" ? null : `${status} has a body that is not declared`;
    const type = essence(headers["content-type"]);
    const declared = content[type];
    if (declared === undefined) return `${status} is ${type}, which is not declared`;
    if (type !== "application/json" || declared.schema === undefined) return null;
    return validate(declared.schema, JSON.parse(body));
  }

  function faultOf(operation: Operation, method: string, answer: Received): string | null {
    const { status, headers, body } = answer;
    if (status >= 500) return `${status}: ${body}`;
    if (operation.responses[status] === undefined) return `${status} is not declared: ${body}`;
    if (method === "HEAD") {
      const isProblem = essence(headers["content-type"]) === problemType;
      return body === "" && isProblem === status >= 400 ? null : `${status} is not what HEAD answers`;
    }
    return status >= 400 ? faultOfProblem(answer) : faultOfContent(operation, answer);
  }

  return {
    faultOf,
    takes(operation, value) {
      const schema = operation.requestBody?.content["application/json"]?.schema;
      return schema === undefined || validate(schema, value) === null;
    },
  };
}
