"""Confines itself by Landlock, seccomp and limits, then becomes the program it was asked to run.

What to do comes as JSON on descriptor 3. Exits with 125 and a line `launcher: …` if any part of it fails.
"""

import base64
import ctypes
import json
import os
import resource
import signal
import struct
import sys

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
# LANDLOCK_ACCESS_FS_*
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG, MAKE_SYM = 16, 32, 128, 256, 4096
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
READ_ONLY = EXECUTE | READ_FILE | READ_DIR
WORK = READ_ONLY | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
DEVICE = READ_FILE | WRITE_FILE | TRUNCATE
libc = ctypes.CDLL(None, use_errno=True)


def checked(what, result):
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def limit(kind, value):
    resource.setrlimit(kind, (value, value))


def restrict_files(spec):
    abi = checked("landlock", libc.syscall(CREATE_RULESET, None, 0, 1))
    if abi < 3:
        raise OSError(f"Landlock ABI 3 is needed, this kernel has {abi}")
    files = (1 << 15) - 1 | (IOCTL_DEV if abi >= 5 else 0)
    network = 3 if abi >= 4 else 0
    scoped = 3 if abi >= 6 else 0
    attributes = struct.pack("QQQ", files, network, scoped)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = checked("ruleset", libc.syscall(CREATE_RULESET, attributes, size, 0))
    for path, access in (
        *((path, READ_ONLY) for path in spec["read"]),
        (spec["work"], WORK),
        *((path, DEVICE) for path in spec["devices"]),
    ):
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        if not os.path.isdir(path):
            access &= EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE
        rule = struct.pack("=Qi", access, place)
        checked("rule", libc.syscall(ADD_RULE, ruleset, 1, rule, 0))
        os.close(place)
    checked("restrict", libc.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def install_filter(program):
    buffer = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    whole = Program(len(program) // 8, ctypes.addressof(buffer))
    checked("seccomp", libc.prctl(PR_SET_SECCOMP, 2, ctypes.byref(whole), 0, 0))


def main():
    with os.fdopen(3, "rb") as file:
        spec = json.load(file)
    os.closerange(3, 1 << 20)
    limits = spec["limits"]
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_MEMLOCK, 0)
    limit(resource.RLIMIT_NOFILE, limits["openFiles"])
    limit(resource.RLIMIT_FSIZE, limits["fileBytes"])
    limit(resource.RLIMIT_CPU, limits["cpuSeconds"])
    checked("parent death", libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    checked("privileges", libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    os.chdir(spec["work"])
    restrict_files(spec)
    limit(resource.RLIMIT_AS, limits["addressSpaceBytes"])
    own = struct.pack("<I", os.getpid())
    placeholder = struct.pack("<I", spec["ownProcess"])
    for encoded in spec["filters"]:
        install_filter(base64.b64decode(encoded).replace(placeholder, own))
    os.execve(spec["command"][0], spec["command"], spec["environment"])


try:
    main()
except Exception as error:
    print("launcher:", error, file=sys.stderr)
    os._exit(125)
