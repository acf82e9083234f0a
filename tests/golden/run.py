#!/usr/bin/env python3
"""Runs golden cases: run.py [--bless] [CASE.txt ...]; all of tests/golden/*/*.txt without a name.

A case is one text file. What stands before the first section says what the case shows. Sections:
    == NAME            an input file of that name (folders are made), written into an empty folder
    == NAME (escaped)  the same, all on one line, with Python's escapes: \\n \\r \\xff \\\\
    == stdin           what the command reads
    == args            the command, in shell quoting: axc validate main.axf
    == stdout, == stderr, == exit
                       what is expected; without the section, nothing and 0
    == after NAME      what is expected in that file when the command is done
A text without a line end at its end is followed by the line "\\ no newline". Control characters are shown as
\\x1b, the temporary folder as <dir>. --bless writes the expected sections anew.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("BIN", ROOT / "build/asan")).resolve()
SECONDS_MAX = 120
NO_NEWLINE = "\\ no newline\n"


def parse(text):
    """(description, [(section, text)]) of a case file."""
    description, *parts = re.split(r"^== (.*)\n", text, flags=re.M)
    sections = list(zip(parts[::2], parts[1::2]))
    return description, [(name.strip(), body.removesuffix("\n" + NO_NEWLINE)) for name, body in sections]


def write(description, sections):
    """The text of a case file; the inverse of parse."""
    out = [description]
    for name, body in sections:
        out += [f"== {name}\n", body, "" if body.endswith("\n") or not body else "\n" + NO_NEWLINE]
    return "".join(out)


def is_expected(name):
    return name in ("stdout", "stderr", "exit") or name.startswith("after ")


def place_input(folder, name, body):
    data = body.encode()
    if name.endswith(" (escaped)"):
        name = name.removesuffix(" (escaped)")
        # unicode_escape reads Latin-1, so characters beyond it are escaped first.
        plain = body.removesuffix("\n").encode("latin-1", "backslashreplace")
        data = plain.replace(b"\n", b"").decode("unicode_escape").encode("latin-1")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def shown(data):
    """Output as text in which nothing is invisible."""
    text = data.decode(errors="backslashreplace")
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda m: f"\\x{ord(m.group()):02x}", text)


def actual(description, sections):
    """The sections with what the command really did in place of what is expected."""
    inputs = [(name, body) for name, body in sections if not is_expected(name)]
    given = dict(inputs)
    env = {"LSAN_OPTIONS": f"suppressions={ROOT}/tests/lib/lsan.supp:print_suppressions=0", **os.environ,
           "PATH": f"{BIN}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        for name, body in inputs:
            if name not in ("stdin", "args"):
                place_input(folder, name, body)
        done = subprocess.run(shlex.split(given["args"]), cwd=folder, env=env, capture_output=True,
                              input=given.get("stdin", "").encode(), timeout=SECONDS_MAX)
        found = [("stdout", done.stdout), ("stderr", done.stderr)]
        for name in (name for name, _ in sections if name.startswith("after ")):
            path = folder / name.removeprefix("after ")
            found.append((name, path.read_bytes() if path.exists() else b""))
        found = [(name, shown(data).replace(tmp, "<dir>")) for name, data in found]
    found.append(("exit", f"{done.returncode}\n" if done.returncode else ""))
    return inputs + [(name, body) for name, body in found if body]


def run(path):
    """(path, text of the file, text as it should be); an exception's text as the latter if the case is broken."""
    text = path.read_bytes().decode()
    try:
        description, sections = parse(text)
        return path, text, write(description, actual(description, sections))
    except Exception as problem:  # a broken case is a failed case, not the end of the run
        return path, text, f"cannot run: {problem!r}\n"


def main():
    bless = "--bless" in sys.argv[1:]
    named = [pathlib.Path(name).resolve() for name in sys.argv[1:] if name != "--bless"]
    cases = named or sorted((ROOT / "tests/golden").glob("*/*.txt"))
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, expected, found in pool.map(run, cases):
            name = str(path.relative_to(ROOT))
            if found == expected:
                continue
            if bless and not found.startswith("cannot run: "):
                path.write_bytes(found.encode())
                print("blessed", name)
                continue
            failed += 1
            sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), found.splitlines(True),
                                                       name, name + " (now)"))
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
