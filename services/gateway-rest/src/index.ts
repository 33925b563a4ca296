export { buildApp } from "./app.ts";
export type { AppDeps, AuthOptions } from "./deps.ts";
