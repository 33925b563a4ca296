import { InvalidArgumentError, Option } from "commander";

/** @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

/** Options that several commands take; each command has its own. */
export const jsonOption = () =>
  new Option("--json", "print one JSON value on stdout, and nothing else there");

export const eventsOption = () =>
  new Option("--events", "print what happens as NDJSON on stdout, the result last").conflicts("json");

export const remoteOption = () =>
  new Option(
    "--remote <url>",
    "do it at this REST gateway, whose services do the work; PROOFROOM_API_KEY is its key",
  );

export const recordOption = () =>
  new Option(
    "--record <on|off>",
    "whether questions, queries and answers are kept with the run; how many there were always is (default: PROOFROOM_RECORD, else on)",
  )
    .choices(["on", "off"])
    .conflicts("remote");
