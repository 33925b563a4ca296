import { constants } from "node:os";
import {
  ALLOW,
  type Architecture,
  argument,
  type CallNumbers,
  encode,
  errorNumber,
  type Instruction,
  JUMP_ANY_BIT,
  JUMP_EQUAL,
  LOAD,
  NUMBER,
  RETURN,
  refusals,
  skipIf,
  skipUnless,
  statement,
} from "./bpf-program.ts";
import { specialCalls } from "./seccomp-filter.ts";

/** Stands for the process id in a `processFilter`, four bytes that occur nowhere else in it. */
export const OWN_PROCESS = 0x7072_6f63;

/** Calls that reach beyond a process without namespaces, by number: [x64, arm64]. */
const reaching: Record<string, CallNumbers> = {
  fork: [57, null],
  vfork: [58, null],
  socket: [41, 198],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92, null],
  fchown: [93, 55],
  lchown: [94, null],
  fchownat: [260, 54],
  utime: [132, null],
  utimes: [235, null],
  futimesat: [261, null],
  utimensat: [280, 88],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  setxattrat: [463, 463],
  removexattrat: [466, 466],
  tkill: [200, 130],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_open: [434, 434],
  pidfd_send_signal: [424, 424],
  process_mrelease: [448, 448],
  setpriority: [141, 140],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  sched_setattr: [314, 274],
  sched_setaffinity: [203, 122],
  ioprio_set: [251, 30],
  shmget: [29, 194],
  shmctl: [31, 195],
  shmat: [30, 196],
  semget: [64, 190],
  semctl: [66, 191],
  semop: [65, 193],
  semtimedop: [220, 192],
  msgget: [68, 186],
  msgctl: [71, 187],
  msgrcv: [70, 188],
  msgsnd: [69, 189],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
};

/** Calls allowed on the process itself alone: [x64, arm64]. */
const onItself: Record<string, readonly [number, number]> = {
  kill: [62, 129],
  tgkill: [234, 131],
  prlimit64: [302, 261],
};

const CLONE_THREAD = 0x1_0000;

/**
 * A second filter for a process that shares the host's namespaces: threads but no further processes, no sockets, no
 * change to a file's mode, owner or times (which Landlock leaves open), nothing that reaches other processes. To be
 * installed beside `seccompFilter`, with OWN_PROCESS replaced by the process id.
 */
export function processFilter(architecture: Architecture): Uint8Array {
  const column = architecture === "x64" ? 0 : 1;
  const refuse = statement(RETURN, errorNumber(constants.errno.EPERM));
  const allow = statement(RETURN, ALLOW);
  const program: Instruction[] = [statement(LOAD, NUMBER), ...refusals(reaching, architecture)];
  for (const pair of Object.values(onItself)) {
    program.push(
      skipUnless(JUMP_EQUAL, pair[column] as number, 6),
      statement(LOAD, argument(0)),
      skipUnless(JUMP_EQUAL, OWN_PROCESS, 1),
      allow,
      // Zero is the process itself to prlimit; to kill it is the whole group, the launcher's own.
      skipUnless(JUMP_EQUAL, 0, 1),
      pair === onItself["prlimit64"] ? allow : refuse,
      refuse,
    );
  }
  program.push(
    skipUnless(JUMP_EQUAL, specialCalls[architecture].clone, 3),
    statement(LOAD, argument(0)),
    skipIf(JUMP_ANY_BIT, CLONE_THREAD, 1),
    refuse,
    allow,
  );
  return encode(program);
}
