export { eventually } from "./eventually.ts";
export { startTestRedis, type TestRedis } from "./redis.ts";
export { makeTempFolder, type TempFolder } from "./temp-folder.ts";
