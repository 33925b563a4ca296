import { describe, expect, it } from "vitest";
import { suitability } from "./suitability.ts";

const judge = (text: string, form: "paragraph" | "item" = "paragraph", headings: string[] = []) =>
  suitability({ text, form, headings });

describe("suitability", () => {
  it.each([
    "A message queue stores jobs until a worker has finished them.",
    "`tool_choice` lets a caller force one tool of several.",
    "Use a dead letter queue for jobs that fail on every attempt.",
    "The parser walks the tree and skips every comment.",
    "Since GPT-4 models accept images, prompts may hold pictures.",
    "3 workers share the load of the whole cluster.",
    "消息队列会一直保存任务，直到某个工作进程完成它们为止。",
    "Zwei Prozesse teilen sich eine Warteschlange ohne Sperren.",
  ])("lets %j stand on its own", (text) => {
    expect(judge(text)).toBe("opener");
  });

  it.each([
    "This lets a web server answer at once.",
    "However, the queue keeps every job until then.",
    "It keeps a struggling server from being flooded.",
    "For example, a timeout may be set to thirty seconds.",
    "You can also use the client without any server.",
    "The technical implementation of this mechanism relies on locks.",
    "Through thousands of such samples the model learns three skills.",
    "Typically, a worker holds one job at a time.",
    "If it fails, the job returns to the queue.",
    "As a result, the queue grows without any bound.",
  ])("keeps %j behind its predecessor", (text) => {
    expect(judge(text)).toBe("follower");
  });

  it.each([
    ["a heading", "Visibility timeout and heartbeats of workers"],
    ["an introduction to a list", "The worker acknowledges a job in three steps:"],
    ["a fragment in lower case", "and then it moves on to the next job."],
    ["too few words", "Queues are useful."],
    ["a question", "What does a queue do when a worker dies?"],
    ["a trailing off", "The worker then waits for the next job..."],
    ["what points elsewhere", "The code below shows how a worker acknowledges a job."],
    ["what points at an example", "In the following example the worker acknowledges too early."],
    ["what points at a figure", "Figure 3 shows the life of a job in the queue."],
    ["what speaks of its page", "This guide explains how a queue is set up."],
    ["an invitation", "Subscribe to our newsletter for more tips about queues."],
    ["a licence", "The software is provided as is without warranty of any kind."],
    ["a copyright", "Copyright 2024 by the authors of the queue library."],
    ["cookies", "We use cookies to make the site better for you."],
    ["a first person", "I think that a queue is the best choice here."],
    ["a label", "Visibility timeout: how long a job stays hidden from others."],
    ["a numbered step", "2. Start the worker and wait for the first job."],
    ["half an enumeration", "(2) Network failures are those of the connection itself."],
    ["words run together", "OverviewModelsAgentsToolsVoice is the name of the menu here."],
    ["a title with a stop", "How To Build Reliable Queues For Your Company."],
    ["an unclosed bracket", "The queue (which is kept in memory stores all jobs."],
    ["a bare URL", "Read https://example.com/queues about the queue for more."],
    ["no verb", "Each entry with an identifier, a name and encoded arguments."],
    ["emoji", "🚀 The queue is the fastest of all the queues."],
    ["a table row", "| timeout | 30 | the default of the queue is 30."],
    ["numbers", "12 34 56 78 90 12.5 33.1 44.2 and 17.9."],
  ])("refuses %s", (_name, text) => {
    expect(judge(text)).toBe("unsuitable");
  });

  it("refuses sentences of reference lists and licences by their heading", () => {
    const text = "A message queue stores jobs until a worker has finished them.";
    expect(judge(text, "paragraph", ["Queues", "References"])).toBe("unsuitable");
    expect(judge(text, "paragraph", ["Queues", "License"])).toBe("unsuitable");
    expect(judge(text, "paragraph", ["Queues", "References to jobs"])).toBe("opener");
  });

  it("asks more words of list items", () => {
    const text = "Jobs wait in the queue now.";
    expect(judge(text, "item")).toBe("unsuitable");
  });
});
