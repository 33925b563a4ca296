import { constants } from "node:os";

export type Architecture = "x64" | "arm64";

/** Numbers of one system call: [x64, arm64], null where an architecture lacks it. */
export type CallNumbers = readonly [number | null, number | null];

/** Instruction codes of classic BPF (linux/bpf_common.h). */
export const LOAD = 0x20;
export const JUMP_EQUAL = 0x15;
export const JUMP_AT_LEAST = 0x35;
export const JUMP_ANY_BIT = 0x45;
export const RETURN = 0x06;

/** Filter results (linux/seccomp.h). */
export const ALLOW = 0x7fff_0000;
export const KILL_PROCESS = 0x8000_0000;
export const errorNumber = (value: number) => 0x0005_0000 | value;

/** Offsets into struct seccomp_data: number, architecture, low halves of the arguments (little endian). */
export const NUMBER = 0;
export const ARCHITECTURE = 4;
export const argument = (index: number) => 16 + 8 * index;

export interface Instruction {
  code: number;
  jumpTrue: number;
  jumpFalse: number;
  value: number;
}

export const statement = (code: number, value: number): Instruction => ({
  code,
  jumpTrue: 0,
  jumpFalse: 0,
  value,
});
export const skipUnless = (code: number, value: number, skipped: number): Instruction => ({
  code,
  jumpTrue: 0,
  jumpFalse: skipped,
  value,
});
export const skipIf = (code: number, value: number, skipped: number): Instruction => ({
  code,
  jumpTrue: skipped,
  jumpFalse: 0,
  value,
});

export function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, instruction] of program.entries()) {
    bytes.writeUInt16LE(instruction.code, at * 8);
    bytes.writeUInt8(instruction.jumpTrue, at * 8 + 2);
    bytes.writeUInt8(instruction.jumpFalse, at * 8 + 3);
    bytes.writeUInt32LE(instruction.value >>> 0, at * 8 + 4);
  }
  return bytes;
}

/** Instructions that refuse (EPERM) every call of a table. */
export function refusals(
  table: Readonly<Record<string, CallNumbers>>,
  architecture: Architecture,
): Instruction[] {
  const refuse = statement(RETURN, errorNumber(constants.errno.EPERM));
  return Object.values(table).flatMap((numbers) => {
    const number = numbers[architecture === "x64" ? 0 : 1];
    return number === null ? [] : [skipUnless(JUMP_EQUAL, number, 1), refuse];
  });
}
