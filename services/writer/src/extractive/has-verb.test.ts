import { describe, expect, it } from "vitest";
import { hasVerb } from "./has-verb.ts";

describe("a sentence", () => {
  it.each([
    "Marie Curie discovered radium in 1898.",
    "Pierre Curie measured radiation with an electrometer.",
    "Radium glows blue in the dark.",
    "Bokashi ferments kitchen waste in a sealed bucket.",
    "The temperature of the heap fell by a third in the second week.",
    "Retries multiply the load on a service.",
    "Factories closed after lawsuits in 1928.",
    "Der Deckel schließt den Eimer luftdicht ab.",
  ])("%s has a verb", (text) => {
    expect(hasVerb(text)).toBe(true);
  });

  it.each([
    "Client libraries for the browser and the server.",
    "A short history of the measured flow in the valley.",
  ])("%s is a title", (text) => {
    expect(hasVerb(text)).toBe(false);
  });
});
