import { z } from "zod";
import { Secret } from "./secret.ts";

/** Stands for a language in the address of a provider that has one for each. */
export const languagePlace = "{language}";

/** An address that requests are made below; without a slash at its end. */
export const baseUrl = z
  .string()
  .refine((value) => isBaseUrl(value.replace(languagePlace, "en")), {
    error: "must be an http:// or https:// URL without user, query and fragment",
  })
  .transform((value) => value.replace(/\/+$/, ""));

/** A key as a header can carry it. */
export const apiKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, { error: "must be a key without spaces" })
  .transform((value) => new Secret(value));

/** How long one request may take: given in seconds, taken as milliseconds. */
export const requestTimeout = z.coerce
  .number()
  .positive()
  .max(3_600)
  .transform((seconds) => seconds * 1_000);

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}
