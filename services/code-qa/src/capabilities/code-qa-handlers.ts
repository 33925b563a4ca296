import type { Handlers } from "@proofroom/runtime";
import type { CodeTools } from "../code-tools.ts";
import type { ProposeRepair } from "../repair/propose-with-model.ts";
import { createExecuteSandboxTests } from "./execute-sandbox-tests.ts";
import { createExtractAndValidateCode } from "./extract-and-validate-code.ts";
import { createFixCodeSnippets } from "./fix-code-snippets.ts";

type CodeHandlers = Pick<
  Handlers<"code-qa">,
  "extract_and_validate_code" | "execute_sandbox_tests" | "fix_code_snippets"
>;

/** The handlers that check, run and repair code. */
export function createCodeQaHandlers(deps: { tools: CodeTools; propose: ProposeRepair }): CodeHandlers {
  return {
    extract_and_validate_code: createExtractAndValidateCode(deps.tools),
    execute_sandbox_tests: createExecuteSandboxTests(deps.tools),
    fix_code_snippets: createFixCodeSnippets(deps.tools, deps.propose),
  };
}
