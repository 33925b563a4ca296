"""Answers questions about Python source, one JSON object a line on stdin, one answer a line on stdout.

Source is compiled and parsed, never run.
"""

import ast
import doctest
import json
import os
import re
import sys
import warnings

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import newer_syntax  # noqa: E402

warnings.simplefilter("ignore")
FAILURES = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


def compiled(code, mode):
    """Bytes, so that encoding declarations, byte-order marks and NULs count as they do in a file."""
    source = code.encode("utf-8", "surrogatepass") if mode == "exec" else code
    return compile(source, "<block>", mode, dont_inherit=True)


def described(error):
    name = type(error).__name__
    message = getattr(error, "msg", None) or str(error)
    return f"{name}: {message}"


def judged(code, mode):
    """None if the code compiles, else (error, line)."""
    try:
        compiled(code, mode)
        return None
    except FAILURES as error:
        return described(error), getattr(error, "lineno", None) or 1


def check_script(code):
    failure = judged(code, "exec")
    if failure is None:
        return {"syntax": "valid", "error": None, "line": None}
    needed = newer_syntax.needed_version(code, lambda text: judged(text, "exec") is None)
    if needed is not None and needed > sys.version_info[:2]:
        error = f"needs Python {needed[0]}.{needed[1]} or newer ({failure[0]})"
        return {"syntax": "needs_python", "error": error, "line": None}
    return {"syntax": "invalid", "error": failure[0], "line": failure[1]}


def check_transcript(code):
    try:
        examples = doctest.DocTestParser().get_examples(code)
    except ValueError as error:
        line = re.search(r"line (\d+) of", str(error))
        return {"syntax": "invalid", "error": str(error), "line": int(line.group(1)) if line else 1}
    for example in examples:
        failure = judged(example.source, "single")
        if failure is not None:
            return {"syntax": "invalid", "error": failure[0], "line": example.lineno + failure[1]}
    return {"syntax": "valid", "error": None, "line": None}


def source_of(code, transcript):
    if not transcript:
        return code
    return "\n".join(example.source for example in doctest.DocTestParser().get_examples(code))


class Names(ast.NodeVisitor):
    """Names that a block binds at its top level, and all that it reads anywhere."""

    def __init__(self):
        self.bound = set()
        self.read = set()
        self.depth = 0

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.read.add(node.id)
        elif isinstance(node.ctx, ast.Store):
            self._bind(node.id)

    def visit_AnnAssign(self, node):
        # A mere annotation binds nothing.
        for part in (node.annotation, node.value, node.target if node.value else None):
            if part is not None:
                self.visit(part)

    def visit_Global(self, node):
        self.bound.update(node.names)

    def visit_alias(self, node):
        self._bind(node.asname or node.name.split(".")[0])

    def visit_MatchAs(self, node):
        self._bind(node.name)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchAs

    def visit_MatchMapping(self, node):
        self._bind(node.rest)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name):
            self.read.add(node.target.id)
        self.generic_visit(node)

    def visit_FunctionDef(self, node):
        self._bind(node.name)
        for outer in [*node.decorator_list, node.args]:
            self.visit(outer)
        if node.returns:
            self.visit(node.returns)
        self._inside(node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self._bind(node.name)
        for outer in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(outer)
        self._inside(node.body)

    def visit_Lambda(self, node):
        self.visit(node.args)
        self._inside([node.body])

    def _comprehension(self, node):
        self._inside(ast.iter_child_nodes(node))
        for child in ast.walk(node):
            if isinstance(child, ast.NamedExpr):
                self._bind(child.target.id)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _bind(self, name):
        if self.depth == 0 and name:
            self.bound.add(name)

    def _inside(self, nodes):
        self.depth += 1
        for child in nodes:
            self.visit(child)
        self.depth -= 1


# What a line at the left margin of a block that does not parse would bind.
LINE_PATTERNS = (
    re.compile(r"(?:async\s+)?(?:def|class)\s+(\w+)"),
    re.compile(r"(\w+)\s*(?::[^=]*)?=(?!=)"),
)


def names_by_line(code):
    bound = set()
    for line in code.splitlines():
        for pattern in LINE_PATTERNS:
            match = pattern.match(line)
            if match:
                bound.add(match.group(1))
        try:
            names = Names()
            names.visit(ast.parse(line))
            bound |= names.bound
        except FAILURES:
            pass
    return bound


def names(code, transcript):
    try:
        source = source_of(code, transcript)
        tree = ast.parse(source)
    except FAILURES:
        return {"bound": sorted(names_by_line(code)), "read": [], "ends_with_expression": False}
    visitor = Names()
    visitor.visit(tree)
    last = tree.body[-1] if tree.body else None
    return {
        "bound": sorted(visitor.bound),
        "read": sorted(visitor.read),
        "ends_with_expression": isinstance(last, ast.Expr),
    }


def all_skipped(code):
    """Whether a transcript asks for every one of its examples to be skipped."""
    try:
        examples = doctest.DocTestParser().get_examples(code)
    except ValueError:
        return False
    return bool(examples) and all(example.options.get(doctest.SKIP) for example in examples)


def answer(request):
    code, transcript = request["code"], request["transcript"]
    if request["question"] == "syntax":
        return check_transcript(code) if transcript else check_script(code)
    if request["question"] == "skipped":
        return {"skipped": all_skipped(code)}
    return names(code, transcript)


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = answer(request)
        except FAILURES as error:
            reply = {"failure": described(error)}
        print(json.dumps({"id": request["id"], "reply": reply}), flush=True)


main()
