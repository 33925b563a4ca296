import { createModelMetrics } from "@proofroom/telemetry";
import { geminiError } from "@proofroom/testing";
import { expect, it } from "vitest";
import { otherGood, question, useTestRouter } from "./testing/open-test-router.ts";

const place = useTestRouter();

it("what a model was asked in vain, and what another answered, is counted; a recorded answer is not", async () => {
  const metrics = createModelMetrics();
  place.google.next(geminiError(503, "UNAVAILABLE"));
  place.other.next({ body: otherGood });
  const models = await place.open({ metrics });
  await models.ask(question());
  await models.ask(question());
  const text = metrics.text();
  expect(text).toContain('proofroom_model_faults_total{model="first",fault="busy"} 1');
  expect(text).toMatch(/proofroom_model_calls_total\{model="second",role="\w+"\} 1/);
  expect(text).toMatch(/proofroom_model_tokens_total\{model="second",direction="output"\} [1-9]/);
});
