import { expect, it } from "vitest";
import { createJobMetrics } from "./job-metrics.ts";

it("an execution counts as begun at once, and as ended by how it did", () => {
  const metrics = createJobMetrics();
  const first = metrics.begin("draft");
  metrics.begin("draft");
  first("failed");
  const text = metrics.text();
  expect(text).toContain('proofroom_jobs_started_total{capability="draft"} 2');
  expect(text).toContain('proofroom_jobs_ended_total{capability="draft",outcome="failed"} 1');
  expect(text).toContain('proofroom_job_duration_seconds_count{capability="draft"} 1');
});
