export { eventually } from "./eventually.ts";
export { startTestRedis, type TestRedis } from "./redis.ts";
export { startS3Server, type TestS3 } from "./s3-server.ts";
export { makeTempFolder, type TempFolder } from "./temp-folder.ts";
