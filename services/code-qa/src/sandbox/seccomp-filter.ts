import { constants } from "node:os";
import {
  ALLOW,
  ARCHITECTURE,
  type Architecture,
  argument,
  type CallNumbers,
  encode,
  errorNumber,
  type Instruction,
  JUMP_ANY_BIT,
  JUMP_AT_LEAST,
  JUMP_EQUAL,
  KILL_PROCESS,
  LOAD,
  NUMBER,
  RETURN,
  refusals,
  skipIf,
  skipUnless,
  statement,
} from "./bpf-program.ts";

/** AUDIT_ARCH_* (linux/audit.h). */
const auditArchitecture: Record<Architecture, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** The first number that these tables do not know: newer calls look as if the kernel lacked them. */
const FIRST_UNKNOWN = 470;

/** Calls with no place in a program that prints something: [x64, arm64] numbers, null where there is none. */
const denied: Record<string, CallNumbers> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  open_tree: [428, 428],
  move_mount: [429, 429],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  memfd_secret: [447, 447],
  // Memory that no limit counts: it is neither resident in a process nor on a file system of known size.
  memfd_create: [319, 279],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  acct: [163, 89],
  syslog: [103, 116],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  personality: [135, 92],
  init_module: [175, 105],
  delete_module: [176, 106],
  finit_module: [313, 273],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  lookup_dcookie: [212, 18],
  vhangup: [153, 58],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  uselib: [134, null],
  ustat: [136, null],
  sysfs: [139, null],
  create_module: [174, null],
  nfsservctl: [180, 42],
};

export const specialCalls: Record<
  Architecture,
  { clone: number; clone3: number; ioctl: number; socket: number }
> = {
  x64: { clone: 56, clone3: 435, ioctl: 16, socket: 41 },
  arm64: { clone: 220, clone3: 435, ioctl: 29, socket: 198 },
};

/** Every CLONE_NEW* flag that clone() takes. */
const NEW_NAMESPACES = 0x7e02_0000;
/** TIOCSTI and TIOCLINUX put keystrokes into a terminal. */
const TERMINAL_INJECTION = [0x5412, 0x541c];
/** UNIX, INET, INET6, NETLINK: a network namespace confines these. It does not confine AF_VSOCK. */
const SOCKET_FAMILIES = [1, 2, 10, 16];

/**
 * A seccomp filter as `struct sock_filter[]`, 8 bytes an instruction, the form bwrap's `--seccomp` reads.
 * Everything is allowed but: another architecture's calls (killed), unknown and x32 calls (ENOSYS), the deny-list
 * (EPERM), clone3 (ENOSYS: its flags are out of a filter's reach and glibc falls back to clone), new namespaces,
 * terminal injection, and socket families that a network namespace does not confine.
 */
export function seccompFilter(architecture: Architecture): Uint8Array {
  const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;
  const numbers = specialCalls[architecture];
  const allow = statement(RETURN, ALLOW);
  const refuse = statement(RETURN, errorNumber(EPERM));
  const missing = statement(RETURN, errorNumber(ENOSYS));

  const program: Instruction[] = [
    statement(LOAD, ARCHITECTURE),
    skipIf(JUMP_EQUAL, auditArchitecture[architecture], 1),
    statement(RETURN, KILL_PROCESS),
    statement(LOAD, NUMBER),
    skipUnless(JUMP_AT_LEAST, FIRST_UNKNOWN, 1),
    missing,
    skipUnless(JUMP_EQUAL, numbers.clone3, 1),
    missing,
  ];
  program.push(
    ...refusals(denied, architecture),
    skipUnless(JUMP_EQUAL, numbers.clone, 4),
    statement(LOAD, argument(0)),
    skipUnless(JUMP_ANY_BIT, NEW_NAMESPACES, 1),
    refuse,
    allow,
    skipUnless(JUMP_EQUAL, numbers.ioctl, 6),
    statement(LOAD, argument(1)),
    ...TERMINAL_INJECTION.flatMap((request) => [skipUnless(JUMP_EQUAL, request, 1), refuse]),
    allow,
    skipUnless(JUMP_EQUAL, numbers.socket, 2 * SOCKET_FAMILIES.length + 2),
    statement(LOAD, argument(0)),
    ...SOCKET_FAMILIES.flatMap((family) => [skipUnless(JUMP_EQUAL, family, 1), allow]),
    statement(RETURN, errorNumber(EAFNOSUPPORT)),
    allow,
  );
  return encode(program);
}

/** The architecture of this machine if there is a table for it. */
export function seccompArchitecture(machine: string): Architecture | null {
  return machine === "x64" || machine === "arm64" ? machine : null;
}
