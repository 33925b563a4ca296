import { expect, test } from "vitest";
import { areRelated } from "./related-words.ts";
import { stem } from "./tokens.ts";

function related(pair: string): boolean {
  const [one = "", other = ""] = pair.split("/").map(stem);
  expect(areRelated(other, one)).toBe(areRelated(one, other));
  return areRelated(one, other);
}

test.each(
  `regulate/regulation normalize/normalization optimise/optimize
  produce/production deploy/deployment expose/exposure exist/existence perform/performance
  generate/generator decode/decoder complex/complexity robust/robustness discover/discovery compatible/compatibility
  reliable/reliably control/controlled region/regional history/historical
  flavour/flavor kilometre/kilometer success/successful automatic/automatically deliveries/delivery`.split(
    /\s+/,
  ),
)("one word may stand for the other: %s", (pair) => {
  expect(related(pair)).toBe(true);
});

test.each(
  `licensor/licensee employer/employee employ/employee caller/callee trainer/trainee train/trainee trainers/trainees
  meaningful/meaningless stateful/stateless server/serverless general/generic generic/generation general/generation
  generation/generator university/universal universe/university producer/product product/produce
  producer/production valid/validate general/generalize configured/configurable journal/journalist
  leader/leadership effect/effective author/authority custom/customer import/importance complete/complex
  define/definite graph/graphql`.split(/\s+/),
)("one word never stands for the other: %s", (pair) => {
  expect(related(pair)).toBe(false);
});
