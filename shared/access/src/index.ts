export { type AccessConfig, type ApiKey, accessConfig } from "./access-config.ts";
export { askedHost } from "./asked-host.ts";
export { bearerToken } from "./bearer.ts";
export { type Caller, openCaller } from "./caller.ts";
export { assertProtected, isLoopback } from "./exposure.ts";
export { nestsDeeper } from "./json-depth.ts";
export { createKeyring, type Keyring } from "./keyring.ts";
export { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
