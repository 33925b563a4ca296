export { type CheckOptions, checkMarkdown, type MarkdownCheck } from "./check.ts";
export { type CodeTools, type CodeToolsOptions, openCodeTools } from "./code-tools.ts";
export { openCodeQa } from "./open-code-qa.ts";
