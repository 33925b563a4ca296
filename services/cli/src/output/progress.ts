import type { RunEvent, StepRecord } from "@proofroom/contracts";
import pc from "picocolors";
import { localTime } from "./local-time.ts";
import { plainText } from "./plain-text.ts";
import { failureLines, noteLines, summaryOf, titleOf } from "./step-summary.ts";
import type { Terminal } from "./terminal.ts";

export interface ProgressView {
  /** @param record of the step that has finished: what it was and what it made */
  show(event: RunEvent, record: Pick<StepRecord, "capability" | "output"> | null): void;
  close(): void;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

function eventsView(terminal: Terminal): ProgressView {
  return { show: (event) => terminal.event(event), close: () => undefined };
}

interface Active {
  title: string;
  progress: string;
}

/** Lines that stay for what is finished; on a live terminal one more below them for what is under way. */
function linesView(terminal: Terminal): ProgressView {
  const active = new Map<string, Active>();
  let frame = 0;

  function clear(): void {
    if (terminal.live) terminal.write("\r\u001b[2K");
  }

  function draw(): void {
    if (!terminal.live || active.size === 0) return;
    frame = (frame + 1) % frames.length;
    const shown = [...active.values()].map(({ title, progress }) =>
      progress === "" ? title : `${title} ${progress}`,
    );
    const text = ` ${frames[frame]} ${shown.join(" · ")}`;
    terminal.write(`\r\u001b[2K${plainText(text.slice(0, terminal.columns - 1))}`);
  }

  function line(mark: string, stepId: string, text: string): void {
    const { service, title } = titleOf(stepId);
    clear();
    terminal.note(` ${mark} ${pc.dim(service.padEnd(9))} ${title}${text === "" ? "" : pc.dim(`: ${text}`)}`);
  }

  const timer = terminal.live ? setInterval(draw, 120) : undefined;
  timer?.unref();

  return {
    show(event, record) {
      const step = event.step ?? "";
      if (event.type === "step.started") active.set(step, { title: titleOf(step).title, progress: "" });
      if (event.type === "step.progress" && event.progress !== undefined) {
        const entry = active.get(step);
        const { done, total } = event.progress;
        if (entry !== undefined) entry.progress = event.message ?? `${done}/${total ?? "?"}`;
        if (event.message !== undefined && !terminal.live) line("…", step, event.message);
      }
      if (event.type === "step.finished") {
        active.delete(step);
        const summary = record === null ? "" : summaryOf(record);
        const failures = record === null ? [] : failureLines(record);
        line(
          failures.length === 0 ? pc.green("✓") : pc.yellow("!"),
          step,
          [summary, event.message ?? ""].filter((part) => part !== "").join("; "),
        );
        const notes = record === null ? [] : noteLines(record);
        for (const told of [...failures, ...notes]) terminal.note(pc.dim(`     - ${told}`));
      }
      if (event.type === "step.waiting") {
        active.delete(step);
        const until =
          event.waiting_until === undefined ? "" : ` It goes on at ${localTime(event.waiting_until)}.`;
        line(pc.yellow("◷"), step, `${event.error?.message ?? ""}${until}`);
      }
      if (event.type === "step.retrying") line(pc.yellow("↻"), step, event.error?.message ?? "");
      if (event.type === "step.failed") {
        active.delete(step);
        line(pc.red("✗"), step, event.error?.message ?? "");
      }
      draw();
    },
    close() {
      clearInterval(timer);
      clear();
    },
  };
}

/** Shows a run's events as the user asked: NDJSON, a live terminal, or plain lines. */
export function createProgressView(terminal: Terminal): ProgressView {
  return terminal.events ? eventsView(terminal) : linesView(terminal);
}
