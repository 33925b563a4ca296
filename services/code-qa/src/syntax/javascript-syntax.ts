import type { HelperMode } from "oxc-transform";
import { isTooDeep } from "./too-deep.ts";

/** How Node is to read a piece of JavaScript. */
type ModuleKind = "module" | "script";

export interface SyntaxFault {
  message: string;
  /** 1-based line of the code. */
  line: number;
}

/** The fault of code that was not parsed at all. */
export const tooDeep: SyntaxFault = Object.freeze({
  message: "The code is too long or too deeply nested to be checked.",
  line: 1,
});

/**
 * Whether JavaScript parses, and as what: with static import or export it is a module, else a CommonJS script (where
 * return may stand at top level), else a module (where await may).
 */
export async function readJavaScript(
  code: string,
): Promise<{ kind: ModuleKind; fault: null } | { kind: null; fault: SyntaxFault }> {
  if (isTooDeep(code)) return { kind: null, fault: tooDeep };
  const asModule = await parse(code, "block.mjs", "module");
  const asScript = await parse(code, "block.cjs", "commonjs");
  if (asModule.importsOrExports) {
    return asModule.fault === null ? { kind: "module", fault: null } : { kind: null, fault: asModule.fault };
  }
  if (asScript.fault === null) return { kind: "script", fault: null };
  if (asModule.fault === null) return { kind: "module", fault: null };
  // The reading that got further says more about what is wrong.
  const fault = asModule.fault.line > asScript.fault.line ? asModule.fault : asScript.fault;
  return { kind: null, fault };
}

/** The JavaScript of a TypeScript block, or why there is none. Types are removed and not checked. */
export async function transpile(
  code: string,
): Promise<{ code: string; fault: null } | { code: null; fault: SyntaxFault }> {
  if (isTooDeep(code)) return { code: null, fault: tooDeep };
  const { fault } = await parse(code, "block.ts", "module");
  if (fault !== null) return { code: null, fault };
  const { transformSync } = await import("oxc-transform");
  const result = transformSync("block.ts", code, {
    sourceType: "module",
    target: "esnext",
    // Decorators call helpers that the runner provides; without this, Node could not read them.
    decorator: { legacy: true },
    helpers: { mode: EXTERNAL_HELPERS },
  });
  const error = result.errors.find(isError);
  if (error !== undefined) return { code: null, fault: faultOf(code, error) };
  return { code: result.code, fault: null };
}

/** `HelperMode.External`, an ambient enum that isolated modules cannot name. */
const EXTERNAL_HELPERS = "External" as HelperMode.External;

interface OxcError {
  severity: string;
  message: string;
  labels: { start: number }[];
}

const isError = (error: OxcError) => error.severity === "Error";

async function parse(
  code: string,
  name: string,
  sourceType: "module" | "commonjs",
): Promise<{ fault: SyntaxFault | null; importsOrExports: boolean }> {
  const { parseSync } = await import("oxc-parser");
  const result = parseSync(name, code, { sourceType, showSemanticErrors: true });
  const error =
    result.errors.find(isError) ?? (name.endsWith(".ts") ? undefined : findDecorator(code, result.program));
  const { staticImports, staticExports } = result.module;
  return {
    fault: error === undefined ? null : faultOf(code, error),
    importsOrExports: staticImports.length + staticExports.length > 0,
  };
}

/** The parser knows decorators, which are a proposal that Node does not. */
function findDecorator(code: string, program: unknown): OxcError | undefined {
  if (!code.includes("@")) return undefined;
  const pending: unknown[] = [program];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== "object" || node === null) continue;
    if ("type" in node && node.type === "Decorator" && "start" in node) {
      const labels = [{ start: Number(node.start) }];
      return { severity: "Error", message: "Decorators are no part of JavaScript", labels };
    }
    pending.push(...Object.values(node));
  }
  return undefined;
}

function faultOf(code: string, error: OxcError): SyntaxFault {
  // A name declared twice has two places; the second one is the fault.
  const label = error.message.includes("already been declared") ? error.labels.at(-1) : error.labels[0];
  const start = label?.start ?? 0;
  return { message: `SyntaxError: ${error.message}`, line: lineAt(code, start) };
}

/** The 1-based line on which an offset lies; of the last line of code where it is behind it. */
export function lineAt(code: string, offset: number): number {
  return code.slice(0, Math.min(offset, code.trimEnd().length)).split("\n").length;
}
