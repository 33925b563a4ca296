import { expect, test } from "vitest";
import { OWN_PROCESS, processFilter } from "./process-filter.ts";
import { seccompArchitecture, seccompFilter } from "./seccomp-filter.ts";

const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;

/** Runs a classic BPF program over a system call, as the kernel does. */
function verdict(
  filter: Uint8Array,
  call: { architecture: number; number: number; args?: readonly number[] },
): number {
  const view = Buffer.from(filter);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number >>> 0, 0);
  data.writeUInt32LE(call.architecture, 4);
  for (const [at, value] of (call.args ?? []).entries()) data.writeUInt32LE(value >>> 0, 16 + 8 * at);
  let accumulator = 0;
  for (let at = 0; at < view.length / 8; at += 1) {
    const code = view.readUInt16LE(at * 8);
    const value = view.readUInt32LE(at * 8 + 4);
    const jump = (taken: boolean) => view.readUInt8(at * 8 + (taken ? 2 : 3));
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += jump(accumulator === value);
    else if (code === 0x35) at += jump(accumulator >= value);
    else if (code === 0x45) at += jump((accumulator & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("the program ran off its end");
}

const machines = [
  {
    name: "x64",
    architecture: 0xc000_003e,
    read: 0,
    clone: 56,
    socket: 41,
    ioctl: 16,
    mount: 165,
    unshare: 272,
    kill: 62,
  },
  {
    name: "arm64",
    architecture: 0xc000_00b7,
    read: 63,
    clone: 220,
    socket: 198,
    ioctl: 29,
    mount: 40,
    unshare: 97,
    kill: 129,
  },
] as const;

test.each(machines)("$name: ordinary calls pass, the others are refused", (machine) => {
  const filter = seccompFilter(machine.name);
  const ask = (number: number, ...args: number[]) =>
    verdict(filter, { architecture: machine.architecture, number, args });
  expect(ask(machine.read)).toBe(ALLOW);
  expect(ask(machine.mount)).toBe(EPERM);
  expect(ask(machine.unshare)).toBe(EPERM);
  expect(ask(425)).toBe(EPERM);
  expect(ask(435)).toBe(ENOSYS);
  expect(ask(470)).toBe(ENOSYS);
  expect(ask(0x4000_0000)).toBe(ENOSYS);
  expect(ask(0xffff_ffff)).toBe(ENOSYS);
  expect(ask(machine.clone, 0x11)).toBe(ALLOW);
  expect(ask(machine.clone, 0x1000_0011)).toBe(EPERM);
  expect(ask(machine.ioctl, 0, 0x5401)).toBe(ALLOW);
  expect(ask(machine.ioctl, 0, 0x5412)).toBe(EPERM);
  for (const family of [1, 2, 10, 16]) expect(ask(machine.socket, family)).toBe(ALLOW);
  for (const family of [17, 38, 40]) expect(ask(machine.socket, family)).not.toBe(ALLOW);
});

test.each(machines)("$name: a call of another architecture kills", (machine) => {
  const other = machines.find((one) => one.name !== machine.name)?.architecture ?? 0;
  expect(verdict(seccompFilter(machine.name), { architecture: other, number: machine.read })).toBe(KILL);
  expect(verdict(seccompFilter(machine.name), { architecture: 0x4000_0003, number: 1 })).toBe(KILL);
});

test.each(machines)("$name: a process without namespaces reaches itself only", (machine) => {
  const filter = processFilter(machine.name);
  const ask = (number: number, ...args: number[]) =>
    verdict(filter, { architecture: machine.architecture, number, args });
  expect(ask(machine.read)).toBe(ALLOW);
  expect(ask(machine.socket, 1)).toBe(EPERM);
  expect(ask(machine.clone, 0x11)).toBe(EPERM);
  expect(ask(machine.clone, 0x003d_0f00)).toBe(ALLOW);
  expect(ask(machine.kill, OWN_PROCESS)).toBe(ALLOW);
  for (const other of [0, 1, -1, OWN_PROCESS + 1]) expect(ask(machine.kill, other)).toBe(EPERM);
  const prlimit = machine.name === "x64" ? 302 : 261;
  expect([ask(prlimit, 0), ask(prlimit, OWN_PROCESS), ask(prlimit, 1)]).toEqual([ALLOW, ALLOW, EPERM]);
});

test("machines without a table are told so", () => {
  expect(seccompArchitecture("x64")).toBe("x64");
  expect(seccompArchitecture("riscv64")).toBeNull();
});
