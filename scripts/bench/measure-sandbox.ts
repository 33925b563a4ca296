import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { openCodeTools } from "../../services/code-qa/src/index.ts";
import { findPython } from "../../services/code-qa/src/sandbox/interpreters.ts";
import { defaultLimits } from "../../services/code-qa/src/sandbox/sandbox-driver.ts";
import { silentLogger } from "../../shared/telemetry/src/index.ts";
import type { Measure } from "./measurement.ts";
import { alternate, elapsedMs } from "./rounds.ts";
import { median, pairedRatio } from "./statistics.ts";
import { inTempHome } from "./temp-home.ts";

const run = promisify(execFile);
const program = "print('hi')\n";

/** A Python that says hi, in the sandbox that this machine offers and without one. Finding and testing the sandbox is not part of it. */
export const measureSandbox: Measure = ({ signal }) =>
  inTempHome(async (home) => {
    const python = await findPython(signal);
    if (python === null) throw new Error("there is no Python 3.9 or newer in the usual places");
    const tools = await openCodeTools({ log: silentLogger(), signal });
    try {
      const { driver } = tools;
      const file = join(home, "hi.py");
      await writeFile(file, program);
      const times = await alternate(
        {
          sandbox: () =>
            elapsedMs(async () => {
              const { stdout } = await driver.run({
                files: [{ path: "hi.py", content: program }],
                command: "python",
                args: [{ file: "hi.py" }],
                limits: defaultLimits,
                signal,
              });
              if (stdout !== "hi\n") throw new Error(`the sandbox ${driver.name} ran nothing`);
            }),
          bare: () => elapsedMs(() => run(python.path, [file], { env: {}, cwd: home, signal })),
        },
        { rounds: 41, warmUp: 3, signal },
      );
      return [
        {
          what: `print('hi') in ${driver.name}`,
          value: median(times.sandbox),
          unit: "ms",
          base: { what: "python3", value: median(times.bare) },
          ratio: pairedRatio(times.sandbox, times.bare),
        },
      ];
    } finally {
      await tools.close();
    }
  });
