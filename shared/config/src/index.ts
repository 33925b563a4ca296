export { ConfigError } from "./config-error.ts";
export { homeConfig } from "./home-config.ts";
export { installConfig } from "./install-config.ts";
export { networkConfig } from "./network-config.ts";
export { type Config, parseEnv } from "./parse-env.ts";
export { redisConfig } from "./redis-config.ts";
export { Secret } from "./secret.ts";
export { storeConfig } from "./store-config.ts";
