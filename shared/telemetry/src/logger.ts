import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";

export type Logger = Pick<PinoLogger, "debug" | "info" | "warn" | "error" | "child">;

export interface LoggerOptions {
  level: "debug" | "info" | "warn" | "error" | "silent";
  /** Where lines go: stderr, since stdout belongs to results and protocols. */
  destination: DestinationStream;
}

/** A structured logger. Never hand it a payload, a prompt or a secret: ids, codes and numbers only. */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    options.destination,
  );
}

/** A logger that says nothing, for those who were given none. */
export function silentLogger(): Logger {
  return pino({ level: "silent" });
}
