#!/usr/bin/env python3
"""make bench: AX beside ninja and make on the same graphs, in the same minutes, as ratios.

The programs take turns and their medians are compared, because absolute times on a shared machine say little.
CPU counts a program and all of its descendants. Nothing here passes or fails: the numbers are for people.

  compile   axc validate beside ninja -n, which reads the graph and decides what to do
  run       ax run (with its history on disk and a log per task) beside ninja and make, -j16, commands that do
            nothing
  picture   axc graph beside dot, every node drawn; folded: graphs that dot has no chance with
"""
import argparse
import ctypes
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36
CLOCK_TICK = 0.01  # seconds: what CPU is counted in
PLACES = "-j16"
COMMAND = ": ;"  # the ; makes make start a shell for it, as the others do
HISTORIES = (".ax", ".ninja_log", ".ninja_deps")


def fan(count):
    """Tasks that need nothing; as AX has it, copies of one."""
    return [f"t{i}" for i in range(count)], []


def chain(count):
    nodes = [f"t{i}" for i in range(count)]
    return nodes, list(zip(nodes, nodes[1:]))


def layered(count, fan_in=2):
    """Layers as wide as the graph is deep, where every task needs `fan_in` of the layer before."""
    width = int(count ** 0.5)
    nodes = [f"t{i}" for i in range(count)]
    edges = {(f"t{(i // width - 1) * width + (i * 7 + k * 13) % width}", f"t{i}")
             for i in range(width, count) for k in range(fan_in)}
    return nodes, sorted(edges)


CASES = [
    ("compile", layered, 1000), ("compile", layered, 10_000), ("compile", layered, 100_000),
    ("compile", chain, 100_000),
    ("run", fan, 1000), ("run", fan, 10_000),
    ("run", layered, 1000), ("run", layered, 10_000),
    ("run", chain, 1000), ("run", chain, 10_000),
    ("picture", layered, 300), ("picture", layered, 1000),
    ("folded", layered, 10_000), ("folded", layered, 100_000),
]


def write_graphs(folder, nodes, edges):
    """The same graph for each program."""
    needs = {}
    for above, below in edges:
        needs.setdefault(below, []).append(above)
    with open(folder / "w.axf", "w") as axf:
        axf.write("workflow bench {\n  defaults { timeout = 1h }\n")
        if edges:
            axf.writelines(f'  task {name} {{ run = "{COMMAND}" }}\n' for name in nodes)
            axf.writelines(f"  {above} -> {below}\n" for above, below in edges)
        else:
            axf.write(f'  task t {{\n    matrix {{ i = [{", ".join(map(str, range(len(nodes))))}] }}\n'
                      f'    run = "{COMMAND}"\n  }}\n')
        axf.write("}\n")
    with open(folder / "build.ninja", "w") as ninja:
        ninja.write(f"rule r\n  command = {COMMAND}\n")
        ninja.writelines(f"build {name}: r {' '.join(needs.get(name, []))}\n" for name in nodes)
    with open(folder / "w.dot", "w") as dot:
        dot.write("digraph w { node [shape=box];\n")
        dot.writelines(f"{above} -> {below};\n" for above, below in edges)
        dot.write("}\n")
    with open(folder / "Makefile", "w") as make:
        make.write(f".PHONY: all {' '.join(nodes)}\nall: {' '.join(nodes)}\n")
        make.writelines(f"{name}: {' '.join(needs.get(name, []))}\n\t@{COMMAND}\n" for name in nodes)


def measure(command, folder):
    """Runs it; returns (wall seconds, CPU seconds with all descendants), or None if it failed."""
    for name in HISTORIES:
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).unlink(missing_ok=True)
    before, start = os.times(), time.monotonic()
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    child.wait()
    wall = time.monotonic() - start
    while True:  # descendants that outlived their parents come to us
        try:
            os.wait()
        except ChildProcessError:
            break
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return None if child.returncode else (wall, cpu)


def bench(kind, graph, count, rounds, programs):
    """One row: wall and CPU of AX, and of the others with how many times theirs it took."""
    nodes, edges = graph(count)
    with tempfile.TemporaryDirectory(prefix="ax-bench-") as folder:
        write_graphs(pathlib.Path(folder), nodes, edges)
        taken = {name: [] for name in programs}
        for _ in range(rounds):
            for name, command in programs.items():
                taken[name].append(measure(command, pathlib.Path(folder)))
    row, first = f"{kind:<8}{graph.__name__:<8}{count:>7}", None
    for name, times in taken.items():
        if None in times:
            row += f"   {name} failed"
            continue
        wall, cpu = (statistics.median(values) for values in zip(*times))
        row += f"   {name} {wall:6.2f}s {cpu / count * 1e6:5.0f}us"
        if first:
            row += f" ({first[0] / wall:.2f}, {first[1] / max(cpu, CLOCK_TICK):.2f})"
        first = first or (wall, cpu)
    print(row, flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", default="build")
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--quick", action="store_true", help="one round, and not the largest graphs")
    ap.add_argument("kinds", nargs="*", help="compile run picture folded, or a graph; default: all")
    args = ap.parse_args()
    build = os.path.abspath(args.build)
    programs = {
        "compile": {"axc": [f"{build}/axc", "validate", "w.axf"], "ninja -n": ["ninja", "-n", "--quiet"]},
        "run": {"ax": [f"{build}/ax", "run", "w.axf", PLACES], "ninja": ["ninja", PLACES, "--quiet"],
                "make": ["make", PLACES, "--silent"]},
        "picture": {"axc": [f"{build}/axc", "graph", "w.axf", "--collapse", "none", "-o", "w.svg"],
                    "dot": ["dot", "-Tsvg", "w.dot", "-o", "dot.svg"]},
        "folded": {"axc": [f"{build}/axc", "graph", "w.axf", "-o", "w.svg"]},
    }
    os.environ.pop("MAKEFLAGS", None)
    os.environ.pop("AX_HOME", None)
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    print("seconds of wall, microseconds of CPU for each task; in brackets, how many times that AX took")
    for kind, graph, count in CASES:
        is_wanted = not args.kinds or {kind, graph.__name__} & set(args.kinds)
        if is_wanted and not (args.quick and count > 1000):
            bench(kind, graph, count, 1 if args.quick else args.rounds, programs[kind])


main()
