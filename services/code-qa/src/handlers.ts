import type { Models } from "@proofroom/models";
import type { Handlers, StepContext } from "@proofroom/runtime";
import { createCodeQaHandlers as createCheckHandlers } from "./capabilities/code-qa-handlers.ts";
import type { CodeTools } from "./code-tools.ts";
import { createExportPublicationBundle } from "./publication/export-publication-bundle.ts";
import { createRepairProposer } from "./repair/propose-with-model.ts";

export interface CodeQaDeps {
  /** The interpreters and the sandbox; opened when the first block of code is to be checked. */
  tools(signal: AbortSignal): Promise<CodeTools>;
  /** Where none is configured for the repairer's role, only the known repairs are tried. */
  models: Models;
}

/** Every capability of the service. */
export function createCodeQaHandlers(deps: CodeQaDeps): Handlers<"code-qa"> {
  const propose = createRepairProposer(deps.models);
  const withTools = async (context: StepContext) =>
    createCheckHandlers({ tools: await deps.tools(context.signal), propose });
  return {
    extract_and_validate_code: async (input, context) =>
      (await withTools(context)).extract_and_validate_code(input, context),
    execute_sandbox_tests: async (input, context) =>
      (await withTools(context)).execute_sandbox_tests(input, context),
    fix_code_snippets: async (input, context) => (await withTools(context)).fix_code_snippets(input, context),
    export_publication_bundle: createExportPublicationBundle(),
  };
}
