"""Runs the blocks of an article in one process, as one program each, and reports how the last one ended.

Arguments: the marker that begins a report, then kind (script or transcript) and path of every block. Output of all
but the last block is dropped. Reports go to stderr, each as one line between record separators. As little as
possible is imported, so that blocks find the modules they forgot to import as absent as they are elsewhere.
"""

import os
import sys

OWN_FILE = __file__
WRITING_EVENTS = (
    "os.mkdir os.remove os.rename os.rmdir os.link os.symlink os.truncate os.chmod os.chown os.utime os.mkfifo"
).split()
UNREACHABLE = "ENETUNREACH EHOSTUNREACH ENETDOWN EADDRNOTAVAIL EHOSTDOWN EAFNOSUPPORT".split()


class LastAccess:
    """The file that was touched last, and whether to write it: an OSError does not say."""

    path = None
    writing = False

    def __call__(self, event, args):
        if event == "open":
            self.path, _, flags = args
            self.writing = bool((flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        elif event in WRITING_EVENTS:
            self.path, self.writing = args[0], True


def is_network_error(error):
    import errno
    import re

    socket = sys.modules.get("socket")
    if socket and isinstance(error, (socket.gaierror, socket.herror)):
        return bool(error.args and isinstance(error.args[0], int))
    reason = getattr(error, "reason", None)
    if isinstance(reason, OSError):
        return is_network_error(reason)
    if not isinstance(error, OSError):
        return False
    number = error.errno
    # asyncio tells of several addresses tried in one text.
    tried = re.match(r"Multiple exceptions: \[Errno (\d+)\]", str(error))
    if tried:
        number = int(tried.group(1))
    if number is None or error.filename is not None:
        return False
    # A broken pipe is no connection. An error without a number was raised by the block itself.
    refused = isinstance(error, ConnectionError) and not isinstance(error, BrokenPipeError)
    unreachable = [getattr(errno, name, None) for name in [*UNREACHABLE, "ECONNREFUSED"]]
    return refused or number in unreachable


def blocked_access(error, access):
    import errno

    if not isinstance(error, OSError) or error.errno is None:
        return None
    if error.errno == errno.EROFS:
        return "blocked_write"
    if error.errno not in (errno.ENOENT, errno.EACCES, errno.EPERM):
        return None
    if not isinstance(error.filename, (str, bytes)):
        return None
    path = os.path.abspath(os.fsdecode(error.filename))
    if path.startswith(os.getcwd() + os.sep):
        return None
    known = access.path is not None and not isinstance(access.path, int)
    writing = access.writing if known and os.fspath(access.path) == error.filename else error.errno != errno.ENOENT
    if error.errno == errno.ENOENT:
        if not os.path.isabs(os.fsdecode(error.filename)):
            return None
        parent = os.path.dirname(path)
        # A file that is merely not there, in a folder that is the block's own to fill.
        if os.path.isdir(parent) and os.access(parent, os.W_OK):
            return None
    return "blocked_write" if writing else "blocked_read"


def innermost(traceback):
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback.tb_frame.f_code if traceback is not None else None


def is_standard(name):
    names = getattr(sys, "stdlib_module_names", None)
    if names is None:
        import importlib.util

        return importlib.util.find_spec(name) is not None
    return name in names


def reason_of(error, access):
    """What was in the way, where it was not the block's own fault."""
    import re

    code = innermost(error.__traceback__)
    if isinstance(error, ModuleNotFoundError) and error.name:
        return None if is_standard(error.name.split(".")[0]) else "missing_dependency"
    if isinstance(error, EOFError) and code is not None:
        asked = str(error) == "EOF when reading a line" or os.path.basename(code.co_filename) == "getpass.py"
        return "needs_input" if asked else None
    if isinstance(error, KeyError) and code is not None:
        from_environ = code.co_filename == os.__dict__["__file__"] or code.co_filename == "<frozen os>"
        return "needs_env" if from_environ and code.co_name == "__getitem__" else None
    if isinstance(error, MemoryError):
        return "memory_limit"
    nested = getattr(error, "exceptions", None)
    if nested and isinstance(nested, tuple):
        reasons = {reason_of(inner, access) for inner in nested}
        return reasons.pop() if len(reasons) == 1 else None
    if isinstance(error, PermissionError) and error.filename is None and code is not None:
        # A sandbox without namespaces of its own forbids these outright.
        if os.path.basename(code.co_filename) == "socket.py":
            return "blocked_network"
        if re.search(r"[/\\](?:subprocess\.py|multiprocessing[/\\]\w+\.py)$", code.co_filename):
            return "no_processes"
    if is_network_error(error):
        return "blocked_network"
    return blocked_access(error, access)


def missing_name(error):
    import re

    if type(error) is not NameError:
        return None
    match = re.match(r"name '(.+?)' is not defined", str(error))
    return match.group(1) if match else None


class Reports:
    def __init__(self, marker, access):
        self.marker = marker
        self.access = access

    def write(self, **facts):
        import json

        os.write(2, f"\x1e{self.marker}{json.dumps(facts)}\x1e\n".encode())

    def exception(self, block, error):
        facts = {"reason": reason_of(error, self.access), "missing_name": missing_name(error)}
        try:
            message = str(error)[:2000]
        except Exception:
            message = ""
        kind = type(error)
        name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
        self.write(block=block, kind="exception", type=name, message=message, **facts)


def run_script(path, module):
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    exec(code, module.__dict__)


def run_transcript(path, module, block, reports):
    """Whether all examples printed what the transcript shows."""
    import doctest

    failures, printed, told = [], [], []

    class Runner(doctest.DocTestRunner):
        def report_success(self, out, test, example, got):
            # A traceback that was expected is no output.
            if example.exc_msg is None:
                printed.append(got)

        def report_failure(self, out, test, example, got):
            printed.append(got)
            failures.append(None)
            super().report_failure(out, test, example, got)

        def report_unexpected_exception(self, out, test, example, exc_info):
            failures.append(exc_info[1])
            super().report_unexpected_exception(out, test, example, exc_info)

    with open(path, encoding="utf-8") as file:
        text = file.read()
    test = doctest.DocTestParser().get_doctest(text, {}, "transcript", path, 0)
    test.globs = module.__dict__
    Runner(verbose=False).run(test, out=told.append, clear_globs=False)
    sys.stdout.write("".join(printed))
    sys.stderr.write("".join(told))
    if not failures:
        return True
    if failures[0] is None:
        reports.write(block=block, kind="mismatch")
    else:
        reports.exception(block, failures[0])
    return False


def exit_status(error):
    if error.code is None:
        return 0
    return error.code if isinstance(error.code, int) else 1


def own_traceback(traceback):
    """Without the frames of this file."""
    while traceback is not None and traceback.tb_frame.f_code.co_filename == OWN_FILE:
        traceback = traceback.tb_next
    return traceback


def main():
    marker = sys.argv[1]
    blocks = list(zip(sys.argv[2::2], sys.argv[3::2]))
    access = LastAccess()
    reports = Reports(marker, access)
    # Not every sandbox can hide the packages of the host: articles have the standard library only.
    sys.path[:] = [os.getcwd(), *(p for p in sys.path[1:] if not p.endswith(("site-packages", "dist-packages")))]
    module = type(sys)("__main__")
    module.__dict__.update(__builtins__=sys.modules["builtins"], __annotations__={}, __cached__=None)
    sys.modules["__main__"] = module
    outputs = [os.dup(1), os.dup(2)] if len(blocks) > 1 else []
    if outputs:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        os.close(nowhere)

    def show_output():
        sys.stdout.flush()
        sys.stderr.flush()
        for stream, saved in zip((1, 2), outputs):
            os.dup2(saved, stream)
            os.close(saved)
        outputs.clear()

    sys.addaudithook(access)
    for number, (kind, path) in enumerate(blocks):
        last = number == len(blocks) - 1
        module.__file__ = path
        sys.argv[:] = [path]
        if last:
            show_output()
            reports.write(block=number, kind="start")
        try:
            if kind == "script":
                run_script(path, module)
            elif not run_transcript(path, module, number, reports):
                show_output()
                sys.exit(1)
        except SystemExit as error:
            if last and kind == "script":
                reports.write(block=number, kind="exit", status=exit_status(error))
            if last or kind == "transcript":
                raise
        except BaseException as error:
            show_output()
            error.__traceback__ = own_traceback(error.__traceback__)
            reports.exception(number, error)
            sys.excepthook(type(error), error, error.__traceback__)
            sys.exit(1)


main()
