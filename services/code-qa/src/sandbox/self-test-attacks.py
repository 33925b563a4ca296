"""What a sandbox must stop, tried in earnest. Prints one line `REACHED <what>` for each thing that was not stopped.

Arguments: folder of the host with a secret in it, the secret, a port of the host's loopback, the process limit.
"""

import ctypes
import os
import socket
import sys
import time

folder, secret, port, limit = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
libc = ctypes.CDLL(None, use_errno=True)


def attempt(what, action):
    try:
        if action():
            print("REACHED", what)
    except (OSError, RuntimeError):
        pass


def read_secret():
    with open(os.path.join(folder, "secret.txt")) as file:
        return secret in file.read()


def write_outside():
    with open(os.path.join(folder, "written.txt"), "w") as file:
        file.write("x")
    return True


def secret_in_environment():
    allowed = ("PATH", "HOME", "TMPDIR", "LANG", "LC_", "PYTHON", "OPENBLAS", "SHLVL", "PWD", "OLDPWD", "_")
    return any(not name.startswith(allowed) for name in os.environ)


def connect_to_host():
    with socket.create_connection(("127.0.0.1", port), 1):
        return True


def open_vsock():
    with socket.socket(40, socket.SOCK_STREAM):
        return True


def new_user_namespace():
    return libc.unshare(0x10000000) == 0


def fork_without_end():
    for _ in range(limit + 20):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    return True


attempt("a secret file", read_secret)
attempt("the file system outside", write_outside)
attempt("the environment", secret_in_environment)
attempt("the host's loopback", connect_to_host)
attempt("the hypervisor's sockets", open_vsock)
attempt("a user namespace", new_user_namespace)

def leave_daemon():
    # It has left its session and carries the secret in its command line: the caller looks for it.
    if os.fork() == 0:
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
        time.sleep(60)
        os._exit(0)


attempt("", leave_daemon)
attempt("processes without end", fork_without_end)
print("done")
