#!/usr/bin/env python3
"""Tries what README.md, CONTRIBUTING.md and docs/ show: the ```axf blocks, and commands with their output.

Each ```axf block is a file without an error or a warning; in pages but README.md, which explains as it goes,
it also has the layout of `axc fmt`. (docs/errors, whose wrong examples are wrong, has a test of its own.)

In a block without a language, each "$ command" runs, and what it prints must be what follows, if anything
does: a line "…" stands for any lines, and times, dates, durations, users and the width of columns may differ.
The commands of one "## " section run in one folder, with the examples, with build/, and with the text of each
```axf block that "`NAME.axf`:" stands before. Ends with "N passed, N failed".
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(shutil.which("axc")).parent
BLOCK = re.compile(r"(?:`(\w+\.axf)`:\n\n)?^```(\w*)\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.M)
VARIABLE = [(r"\d{4}-\d\d-\d\d", "DATE"), (r"\d\d:\d\d:\d\d", "TIME"), (r"\b\d+(\.\d+)?m?s\b", "TOOK"),
            (r"cli:\S+", "USER"), (r" +", " ")]


def plain(text):
    for pattern, name in VARIABLE:
        text = re.sub(pattern, name, text)
    return [line.strip() for line in text.splitlines() if line.strip()]


def is_shown(lines, shown):
    """True if lines are the shown ones, of which "…" is any number."""
    pattern = "".join(r"(?:.*\n)*" if line == "…" else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


def check_file(page, text):
    done = subprocess.run(["axc", "validate", "--strict", "-"], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr
    layout = subprocess.run(["axc", "fmt", "-"], input=text, capture_output=True, text=True).stdout
    return "" if page.name == "README.md" or layout == text else "another layout:\n" + layout


def check_command(folder, command, shown):
    env = {name: value for name, value in os.environ.items() if name != "AX_HOME"}
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines, shown = plain(done.stdout), plain(shown)
    return "" if not shown or is_shown(lines, shown) else f"$ {command}\n{done.stdout}"


def check_section(page, section, folder):
    """The complaints about one section, and how many things were tried."""
    complaints, tried = [], 0
    (folder / "build").symlink_to(BIN)
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name, language, text in BLOCK.findall(section):
        if language == "axf":
            complaints.append(check_file(page, text))
            if name:
                (folder / name).write_text(text)
        commands = COMMAND.findall(text) if not language else []
        complaints += [check_command(folder, command, shown) for command, shown in commands]
        tried += len(commands) + (language == "axf")
    return [complaint for complaint in complaints if complaint], tried


def main():
    passed, failed = 0, 0
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in (page for page in pages if page.parent.name != "errors"):
        for section in re.split(r"^(?=## )", page.read_text(), flags=re.M):
            with tempfile.TemporaryDirectory() as folder:
                complaints, tried = check_section(page, section, pathlib.Path(folder))
            for complaint in complaints:
                print(f"{page.relative_to(ROOT)}, {section.splitlines()[0]}\n{complaint}")
            passed, failed = passed + tried - len(complaints), failed + len(complaints)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


sys.exit(main())
