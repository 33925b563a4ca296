export { createLogger, type Logger, type LoggerOptions, silentLogger } from "./logger.ts";
