"""Recognises syntax of a newer Python than the one that runs this: rewrites it to older forms and compiles the result.

Covers f-strings without their old limits (PEP 701), type parameters and aliases (695), their defaults (696), except
without parentheses (758), template strings (750), except* (654) and match (634, by its outline only).
"""

import re
import sys

STRING_START = re.compile(r"(?i)(?<![\w])(fr|rf|f|tr|rt|t|br|rb|b|r|u|)('''|\"\"\"|'|\")")
NAME = r"[^\W\d]\w*"
# Strings are taken out of the code while it is rewritten: one character of the private use area each.
HELD = 0xF0000


class CannotRewrite(Exception):
    pass


def plain_string_end(code, start, quote):
    at = start
    while at < len(code):
        if code[at] == "\\":
            at += 2
        elif code.startswith(quote, at):
            return at + len(quote)
        elif code[at] == "\n" and len(quote) == 1:
            raise CannotRewrite
        else:
            at += 1
    raise CannotRewrite


def field_end(code, start, quote, expressions):
    """Reads a replacement field from behind its `{`; returns the place behind its `}`."""
    at, depth = start, 0
    while at < len(code):
        char = code[at]
        string = STRING_START.match(code, at)
        if string and (string.group(1) or char in "'\""):
            at = string_end(code, string, expressions)
            continue
        if char in "([{":
            depth += 1
        elif depth and char in ")]}":
            depth -= 1
        elif not depth and (char in "}:" or (char == "!" and code[at + 1 : at + 2] != "=")):
            break
        elif char == "#":
            end = code.find("\n", at)
            if end == -1:
                raise CannotRewrite
            at = end
            continue
        at += 1
    expression = code[start:at].strip()
    if expression.endswith("=") and not expression.endswith(("==", "!=", "<=", ">=")):
        expression = expression[:-1]
    if not expression.strip():
        raise CannotRewrite
    expressions.append(expression)
    if code[at : at + 1] == "!":
        if not re.match(r"![sra]\s*[:}]", code[at:]):
            raise CannotRewrite
        at = at + 2
        while code[at] not in ":}":
            at += 1
    if code[at : at + 1] == ":":
        at += 1
        while at < len(code) and code[at] != "}":
            if code.startswith(quote, at):
                raise CannotRewrite
            at = field_end(code, at + 1, quote, expressions) if code[at] == "{" else at + 1
    if code[at : at + 1] != "}":
        raise CannotRewrite
    return at + 1


def formatted_string_end(code, start, quote, raw, expressions):
    at = start
    while at < len(code):
        if code.startswith(quote, at):
            return at + len(quote)
        if code[at] == "\\" and not raw:
            if code.startswith("\\N{", at):
                at = code.find("}", at) + 1
                if at == 0:
                    raise CannotRewrite
            else:
                at += 2
        elif code.startswith(("{{", "}}"), at):
            at += 2
        elif code[at] == "{":
            at = field_end(code, at + 1, quote, expressions)
        elif code[at] == "}" or (code[at] == "\n" and len(quote) == 1):
            raise CannotRewrite
        else:
            at += 1
    raise CannotRewrite


def string_end(code, match, expressions):
    prefix, quote = match.group(1).lower(), match.group(2)
    if "f" in prefix or "t" in prefix:
        return formatted_string_end(code, match.end(), quote, "r" in prefix, expressions)
    return plain_string_end(code, match.end(), quote)


def hold_strings(code):
    """Takes strings and comments out. Returns the rest, what was taken, expressions to check, and what was newer."""
    rest, held, expressions, versions = [], [], [], []
    at = 0
    while at < len(code):
        if code[at] == "#":
            end = code.find("\n", at)
            at = len(code) if end == -1 else end
            continue
        match = STRING_START.match(code, at)
        if not match or not (match.group(1) or code[at] in "'\""):
            rest.append(code[at])
            at += 1
            continue
        end = string_end(code, match, expressions)
        prefix = match.group(1).lower()
        if "f" in prefix or "t" in prefix:
            versions.append((3, 14) if "t" in prefix else (3, 12))
            held.append('"""' + "\n" * code.count("\n", at, end) + '"""')
        else:
            held.append(code[at:end])
        rest.append(chr(HELD + len(held) - 1))
        at = end
    return "".join(rest), held, expressions, versions


def closing_bracket(text, start):
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth == 0:
                return at
    raise CannotRewrite


def split_commas(text):
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return parts


PARAMETER = re.compile(rf"\s*\*{{0,2}}\s*{NAME}\s*(?::(?P<bound>[^=]+))?(?:=(?P<default>.+))?\s*", re.DOTALL)
GENERIC = re.compile(rf"(?m)^([ \t]*(?:async[ \t]+def|def|class|type)[ \t]+{NAME})[ \t]*(?=\[)")
ALIAS = re.compile(rf"(?m)^([ \t]*)type[ \t]+({NAME})[ \t]*=(?!=)")
EXCEPT = re.compile(rf"(?m)^([ \t]*except[ \t]+)([\w.]+(?:[ \t]*,[ \t]*[\w.]+)+)[ \t]*,?[ \t]*:")
EXCEPT_STAR = re.compile(r"(?m)^([ \t]*except)[ \t]*\*")
MATCH = re.compile(r"(?m)^([ \t]*)(?:match|case)[ \t]+[^\n]+?:(?=[ \t]|$)")


def rewrite_generics(text, expressions, versions):
    while True:
        match = GENERIC.search(text)
        if not match:
            return text
        end = closing_bracket(text, match.end())
        for part in split_commas(text[match.end() + 1 : end]):
            parameter = PARAMETER.fullmatch(part)
            if not parameter:
                raise CannotRewrite
            expressions.extend(filter(None, parameter.groups()))
            versions.append((3, 13) if parameter.group("default") else (3, 12))
        text = match.group(1).join((text[: match.start()], text[end + 1 :]))


def rewrite_excepts(text, versions):
    def parenthesised(match):
        names = [name.strip() for name in match.group(2).split(",")]
        # `except Error, e` is Python 2: a class of its own begins with a capital letter.
        if not all(name.split(".")[-1][:1].isupper() for name in names):
            raise CannotRewrite
        versions.append((3, 14))
        return f"{match.group(1)}({', '.join(names)}):"

    return EXCEPT.sub(parenthesised, text)


def needed_version(code, compiles):
    """The version that would take this code, or None. `compiles` judges text in the old syntax."""
    try:
        text, held, expressions, versions = hold_strings(code)
        text = rewrite_generics(text, expressions, versions)
        text, aliases = ALIAS.subn(r"\1\2 =", text)
        versions += [(3, 12)] * aliases
        text = rewrite_excepts(text, versions)
    except (CannotRewrite, IndexError):
        return None

    def restored(fragment):
        return "".join(held[ord(c) - HELD] if HELD <= ord(c) < HELD + len(held) else c for c in fragment)

    def expression_fits(expression):
        wrapped = f"async def f():\n (\n{restored(expression)}\n)\n"
        return compiles(wrapped) or needed_version(wrapped, compiles) is not None

    if sys.version_info < (3, 11):
        text, stars = EXCEPT_STAR.subn(r"\1", text)
        versions += [(3, 11)] * stars
    if sys.version_info < (3, 10):
        text, matches = MATCH.subn(r"\1if 1:", text)
        versions += [(3, 10)] * matches
    if versions and compiles(restored(text)) and all(expression_fits(e) for e in expressions):
        return max(versions)
    return None
