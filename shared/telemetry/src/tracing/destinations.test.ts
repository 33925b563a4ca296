import { expect, it } from "vitest";
import { destinationsOf } from "./destinations.ts";

const secret = (value: string) => ({ reveal: () => value });

it("headers of a setting are decoded, and what is none is left out", () => {
  const headers = secret("X-Api-Key=a%20b, authorization = Basic%20abc==,nonsense,=empty,bad=%zz");
  const [one] = destinationsOf({
    otlp: { url: "http://c/v1/traces", headers },
    langfuse: undefined,
    opik: undefined,
  });
  expect(one?.headers).toEqual({ "x-api-key": "a b", authorization: "Basic abc==", bad: "%zz" });
});

it("an Opik of one's own is found whether its address has /api or not, and needs no key", () => {
  for (const baseUrl of ["http://opik:5173", "http://opik:5173/api"]) {
    const opik = { baseUrl, apiKey: undefined, workspace: undefined, project: undefined };
    const [one] = destinationsOf({ otlp: undefined, langfuse: undefined, opik });
    expect(one).toEqual({ name: "opik", url: "http://opik:5173/api/v1/private/otel/v1/traces", headers: {} });
  }
});
