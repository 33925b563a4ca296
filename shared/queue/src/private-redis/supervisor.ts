import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  type Instance,
  readInstance,
  redisFolder,
  releaseLock,
  takeLock,
  updateLock,
} from "./instance-lock.ts";
import { identify, isRunning } from "./process-identity.ts";
import { RedisKeeper } from "./redis-keeper.ts";
import { lastWords, planRedis, removeContainer } from "./redis-plan.ts";
import { LEAVE, type SupervisorOrder, type SupervisorReport } from "./supervisor-protocol.ts";

const START_TIMEOUT_MS = 20_000;
const FIRST_MEMBER_TIMEOUT_MS = 3_000;
const FOLDER_PREFIX = "proofroom-redis-";
const DATA_PREFIX = "data-";
/** sun_path of sockaddr_un holds 108 bytes on Linux and 104 on macOS, with the closing zero; our names need 14 of them. */
const LONGEST_TEMP_PATH = 60;

/**
 * Runs the private Redis of one home for as long as it has members. A member is an open connection to the control socket: the
 * kernel closes it when the member's process ends in whatever way, so nothing has to be polled and no dead member can be counted.
 * Resolves when all is over and tidied up.
 *
 * @param report told once that Redis serves or that another supervisor has the home
 * @throws {Error} where Redis could not be started; by then all is tidied up
 */
export async function supervise(
  order: SupervisorOrder,
  report: (report: SupervisorReport) => void,
  signal: AbortSignal,
): Promise<void> {
  const before = readInstance(order.home);
  if (order.resume !== undefined && before?.folder !== order.resume) throw new Error("it has ended");
  if (before && isRunning(before.supervisor)) return report({ state: "held" });
  const resumed = order.resume === undefined ? undefined : before;
  mkdirSync(redisFolder(order.home), { recursive: true });
  const instance = resumed ? renewed(resumed) : created(order);
  let claim: ReturnType<typeof takeLock> | undefined;
  try {
    claim = takeLock(order.home, instance);
  } finally {
    if (claim?.state !== "taken" && !resumed) rmSync(instance.folder, { recursive: true, force: true });
  }
  if (claim.state === "held") return report({ state: "held" });
  if (claim.abandoned) removeRemains(claim.abandoned, resumed !== undefined);
  removeOldData(order.home, instance.data);

  const run = new InstanceRun(order, instance);
  let failure: unknown;
  try {
    await run.start();
    report({ state: "ready" });
    await run.untilDeserted(signal);
  } catch (error) {
    failure = error;
  }
  await run.end();
  if (failure !== undefined) throw failure;
}

class InstanceRun {
  readonly #order: SupervisorOrder;
  #instance: Instance;
  #keeper: RedisKeeper | undefined;
  #server: Server | undefined;
  #url: string | undefined;
  readonly #members = new Set<Socket>();
  readonly #leaving = new Set<Socket>();
  #deserted: () => void = () => {};
  /** While members of a resumed instance may still be on their way, an empty house is no reason to end. */
  #mayBeDeserted: boolean;

  constructor(order: SupervisorOrder, instance: Instance) {
    this.#order = order;
    this.#instance = instance;
    this.#mayBeDeserted = order.resume === undefined;
  }

  async start(): Promise<void> {
    const { control, data } = this.#instance;
    rmSync(control, { force: true });
    this.#server = createServer((socket) => this.#admit(socket));
    await new Promise<void>((resolve, reject) => {
      this.#server?.once("error", reject).listen(control, resolve);
    });
    const plan = await planRedis(this.#order.backend, this.#instance);
    this.#keeper = new RedisKeeper(plan, (pid) => this.#know({ redis: identify(pid) }));
    this.#know(plan.container === undefined ? {} : { container: plan.container });
    if (!(await this.#keeper.start(START_TIMEOUT_MS))) throw new Error(lastWords(data) || "it ended at once");
    this.#url = plan.url;
    for (const member of this.#members) this.#greet(member);
  }

  /** Resolves when the last member has gone, when none has come in time, or on a signal. */
  async untilDeserted(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#deserted = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
      setTimeout(() => {
        this.#mayBeDeserted = true;
        if (this.#members.size === 0) resolve();
      }, FIRST_MEMBER_TIMEOUT_MS).unref();
    });
  }

  async end(): Promise<void> {
    // From here a newcomer finds no lock and no open door, and starts an instance of its own.
    releaseLock(this.#order.home, this.#instance);
    this.#server?.close();
    for (const member of this.#members) member.destroy();
    await this.#keeper?.stop();
    rmSync(this.#instance.data, { recursive: true, force: true });
    rmSync(this.#instance.folder, { recursive: true, force: true });
    for (const socket of this.#leaving) socket.end();
  }

  #admit(socket: Socket): void {
    this.#members.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#leaving.delete(socket);
      this.#dismiss(socket);
    });
    socket.setEncoding("utf8").on("data", (text: string) => {
      if (text !== LEAVE) return;
      this.#leaving.add(socket);
      this.#dismiss(socket);
      if (this.#members.size > 0) socket.end();
    });
    if (this.#url !== undefined) this.#greet(socket);
  }

  #greet(socket: Socket): void {
    socket.write(`${JSON.stringify({ url: this.#url })}\n`);
  }

  #dismiss(socket: Socket): void {
    if (this.#members.delete(socket) && this.#members.size === 0 && this.#mayBeDeserted) this.#deserted();
  }

  #know(facts: Partial<Instance>): void {
    this.#instance = { ...this.#instance, ...facts };
    updateLock(this.#order.home, this.#instance);
  }
}

function created({ home, backend }: SupervisorOrder): Instance {
  const base = Buffer.byteLength(tmpdir()) > LONGEST_TEMP_PATH ? "/tmp" : tmpdir();
  const folder = mkdtempSync(join(base, FOLDER_PREFIX));
  const data = join(redisFolder(home), DATA_PREFIX + basename(folder).slice(FOLDER_PREFIX.length));
  return { supervisor: ownIdentity(), folder, control: join(folder, "control.sock"), data, backend };
}

function renewed(instance: Instance): Instance {
  return { ...instance, supervisor: ownIdentity() };
}

function ownIdentity(): Instance["supervisor"] {
  const own = identify(process.pid);
  if (!own) throw new Error("The operating system does not tell when this process was started.");
  return own;
}

/** A supervisor that was killed cannot tidy up: whoever takes its place does. */
function removeRemains(remains: Instance, keepPlace: boolean): void {
  try {
    if (remains.redis && isRunning(remains.redis)) process.kill(remains.redis.pid, "SIGKILL");
  } catch {
    // It ended in between.
  }
  if (keepPlace) return;
  if (remains.container !== undefined) removeContainer(remains.container);
  if (basename(remains.folder).startsWith(FOLDER_PREFIX))
    rmSync(remains.folder, { recursive: true, force: true });
}

function removeOldData(home: string, own: string): void {
  for (const name of readdirSync(redisFolder(home))) {
    const folder = join(redisFolder(home), name);
    if (name.startsWith(DATA_PREFIX) && folder !== own) rmSync(folder, { recursive: true, force: true });
  }
}
