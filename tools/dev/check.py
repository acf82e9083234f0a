#!/usr/bin/env python3
"""Builds the tests, runs them all, counts them. `make check` calls it; the last line is "N passed, N failed".

What is run: the house rules (tools/dev/tidy), every cmocka program, the golden cases, every tests/e2e/*.sh.
A test counts what it says: cmocka's totals, or a last line "N passed, N failed", or itself as one.
Each gets a folder of its own as TMPDIR, and axc, ax and ax-spawner in PATH. Its output is $B/check/NAME.log,
and what a failed one left in its folder is $B/check/NAME.files.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = (ROOT / os.environ.get("B", "build")).resolve()
MODE = os.environ.get("TEST_MODE", "asan")
BIN = BUILD if MODE == "release" else BUILD / MODE
LOGS = BUILD / "check"
ONLY = os.environ.get("ONLY", "").split()
IS_LONG = os.environ.get("AX_LONG") == "1"
TEST_SECONDS_MAX = 3600 if IS_LONG else 400
FAILED_LINES_SHOWN_MAX = 40


def program_tests(areas):
    """(name, command) of the cmocka programs in folders of tests/."""
    sources = [source for area in areas for source in sorted((ROOT / "tests" / area).rglob("test_*.c"))]
    names = [source.relative_to(ROOT / "tests").with_suffix("") for source in sources]
    return [(str(name), [str(BUILD / MODE / "tests" / name)]) for name in names]


def test_list():
    """(name, command) of everything to run, the slow kinds first; with ONLY=, its folders' unit tests."""
    if ONLY:
        return program_tests(f"unit/{folder}" for folder in ONLY)
    tests = [("tidy", [str(ROOT / "tools/dev/tidy")])]
    tests += [(f"e2e/{p.stem}", [str(p)]) for p in sorted((ROOT / "tests/e2e").glob("*.sh"))]
    if (ROOT / "tests/golden/run.py").exists():
        tests.append(("golden", [str(ROOT / "tests/golden/run.py")]))
    return tests + program_tests(("crash", "store", "unit"))


def environment(tmp):
    """What a test finds around it; nothing of the make that called us."""
    hidden = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKE", "AX_HOME")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    env.update(
        B=str(BUILD), BIN=str(BIN),
        AXC=str(BIN / "axc"), AX=str(BIN / "ax"), AX_SPAWNER=str(BIN / "ax-spawner"),
        PATH=f"{BIN}:{env['PATH']}", TMPDIR=str(tmp), LC_ALL="C.UTF-8", TZ="UTC",
        ASAN_OPTIONS="detect_stack_use_after_return=1", UBSAN_OPTIONS="print_stacktrace=1",
        LSAN_OPTIONS=f"suppressions={ROOT}/tests/lib/lsan.supp:print_suppressions=0",
    )
    return env


def count(output, exit_code):
    """(passed, failed) of a finished test."""
    totals = re.findall(r"^(\d+) passed, (\d+) failed$", output, re.M)
    if totals:
        passed, failed = map(int, totals[-1])
    else:
        passed = sum(map(int, re.findall(r"^\[  PASSED  \] (\d+) test", output, re.M)))
        failed = sum(map(int, re.findall(r"^\[  FAILED  \] (\d+) test", output, re.M)))
        if passed + failed == 0 and exit_code == 0:
            passed = 1
    if exit_code != 0 and failed == 0:
        failed = 1
    return passed, failed


def run(name, command):
    """Runs one test in a process group of its own and prints its line; returns (passed, failed)."""
    tmp = pathlib.Path(tempfile.mkdtemp(prefix="ax-"))  # short: socket names have at most 107 bytes
    tmp.chmod(0o755)  # some tests look at it as another user
    log = LOGS / (name.replace("/", "-") + ".log")
    began = time.monotonic()
    with open(log, "wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=ROOT,
                                   env=environment(tmp), start_new_session=True)
        try:
            exit_code = process.wait(TEST_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            exit_code = process.wait()
            out.write(f"\nkilled: still running after {TEST_SECONDS_MAX} s\n".encode())
    output = log.read_text(errors="replace")
    passed, failed = count(output, exit_code)
    line = f"{'FAIL' if failed else 'ok':5}{name:44} {passed:5} passed {time.monotonic() - began:6.1f} s"
    if failed:
        tail = output.splitlines()[-FAILED_LINES_SHOWN_MAX:]
        line += f"   {failed} failed, exit {exit_code}, log {log}"
        line += "".join("\n     | " + text for text in tail)
        shutil.move(tmp, log.with_suffix(".files"))
    shutil.rmtree(tmp, ignore_errors=True)
    print(line, flush=True)
    return passed, failed


def main():
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    make = os.environ.get("MAKE", "make").split()
    make += ["--no-print-directory", f"B={BUILD}", f"TEST_MODE={MODE}", "all", "test-programs"]
    build = subprocess.run(make, cwd=ROOT, close_fds=False)  # open: make hands its job slots down
    if build.returncode != 0:
        print("the build failed\n0 passed, 1 failed")
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda test: run(*test), test_list()))
    passed, failed = map(sum, zip(*results))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
