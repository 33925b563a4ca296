import { expect, test } from "vitest";
import { parseGuidelineReferences } from "./references.ts";

const urlsOf = (text: string) => parseGuidelineReferences(text).other_urls;
const site = "https://docs.example.com/guide/*";

test.each([
  [`<${site}>`, [site]],
  [`[the guide](${site}*)`, [`${site}*`]],
  [`- ${site}\n- https://b.example.com/**\n`, [site, "https://b.example.com/**"]],
  [`see ${site} for more`, [site]],
  ["*https://docs.example.com/guide/*", ["https://docs.example.com/guide/"]],
  ["**https://docs.example.com/guide/**", ["https://docs.example.com/guide/"]],
  ["https://docs.example.com/guide*", ["https://docs.example.com/guide"]],
  ["参见https://docs.example.com/guide/*。", [site]],
])("%s asks for what its stars say", (text, urls) => {
  expect(urlsOf(text)).toEqual(urls);
});
