import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";

export type Logger = Pick<PinoLogger, "debug" | "info" | "warn" | "error" | "child">;

export interface LoggerOptions {
  level: "debug" | "info" | "warn" | "error" | "silent";
  /** Where lines go: stderr, since stdout belongs to results and protocols. */
  destination: DestinationStream;
  /** Of the work at hand, for every line: its ids. */
  fields?: (() => Record<string, string>) | undefined;
}

/** A structured logger. Never hand it a payload, a prompt or a secret: ids, codes and numbers only. */
export function createLogger({ level, destination, fields }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(fields === undefined
        ? {}
        : {
            mixin(_line: object, _level: number, logger: PinoLogger) {
              const said = logger.bindings();
              return Object.fromEntries(Object.entries(fields()).filter(([name]) => !(name in said)));
            },
          }),
    },
    destination,
  );
}

/** A logger that says nothing, for those who were given none. */
export function silentLogger(): Logger {
  return pino({ level: "silent" });
}
