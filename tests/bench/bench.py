#!/usr/bin/env python3
"""make bench: AX beside ninja on the same graphs, in the same minutes, as ratios.

Each pair (ax, yardstick) is run alternately and the medians are compared, because absolute times on a
shared machine say little. CPU counts a program and all of its descendants. Nothing here passes or fails:
the numbers are for people.

  bench.py [--build DIR] [--pairs N] [--quick] [NAME...]     NAME: validate fan layered chain deep picture
"""
import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36


def layers(width, depth, fan_in):
    """A layered graph: every node of a layer needs `fan_in` nodes of the one before."""
    nodes = [f"t{d}_{i}" for d in range(depth) for i in range(width)]
    edges = []
    for d in range(1, depth):
        for i in range(width):
            for k in range(fan_in):
                edges.append((f"t{d - 1}_{(i * 7 + k * 13) % width}", f"t{d}_{i}"))
    return nodes, sorted(set(edges))


def chain(length):
    nodes = [f"t{i}" for i in range(length)]
    return nodes, list(zip(nodes, nodes[1:]))


def write_axf(path, nodes, edges, command=":"):
    with open(path, "w") as out:
        out.write("workflow bench {\n  defaults { timeout = 1h }\n")
        for name in nodes:
            out.write(f'  task {name} {{ run = "{command}" }}\n')
        for a, b in edges:
            out.write(f"  {a} -> {b}\n")
        out.write("}\n")


def write_fan_axf(path, width):
    values = ", ".join(str(i) for i in range(width))
    with open(path, "w") as out:
        out.write("workflow bench {\n  defaults { timeout = 1h }\n")
        out.write("  task t {\n    matrix { i = [" + values + '] }\n    run = ":"\n  }\n}\n')


def write_ninja(path, nodes, edges, command=":"):
    above = {}
    for a, b in edges:
        above.setdefault(b, []).append(a)
    with open(path, "w") as out:
        out.write(f"rule r\n  command = {command}\n")
        for name in nodes:
            out.write(f"build {name}: r {' '.join(above.get(name, []))}\n")


def measure(argv, cwd):
    """Runs argv; returns (wall seconds, CPU seconds with all descendants, largest RSS in MiB)."""
    before = os.times()
    start = time.monotonic()
    child = subprocess.Popen(argv, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = child.stderr.read()
    child.wait()
    wall = time.monotonic() - start
    while True:  # descendants that outlived their parents come to us
        try:
            os.wait()
        except ChildProcessError:
            break
    after = os.times()
    if child.returncode:
        sys.exit(f"{' '.join(argv)}: exit {child.returncode}\n{message.decode(errors='replace')[-2000:]}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, cpu


def pair(name, ours, yardstick, pairs, unit_count, cwd):
    walls, cpus = ([], []), ([], [])
    for _ in range(pairs):
        for side, argv in enumerate((ours, yardstick)):
            for stale in (".ax", ".ninja_log", ".ninja_deps"):
                shutil.rmtree(os.path.join(cwd, stale), ignore_errors=True)
                if os.path.exists(os.path.join(cwd, stale)):
                    os.unlink(os.path.join(cwd, stale))
            wall, cpu = measure(argv, cwd)
            walls[side].append(wall)
            cpus[side].append(cpu)
    ax, other = (statistics.median(w) for w in walls)
    ax_cpu, other_cpu = (statistics.median(c) for c in cpus)
    print(f"{name:<22} {ax:8.2f}s {other:8.2f}s {ax / other:7.2f}x   {ax_cpu / unit_count * 1e6:8.0f}us "
          f"{other_cpu / unit_count * 1e6:8.0f}us {ax_cpu / other_cpu if other_cpu else 0:7.2f}x", flush=True)


def pictures(axc, top, pairs, scale):
    """Layered graphs drawn by `axc graph` and by `dot -Tsvg`, which has no chance above some thousands."""
    print(f"{'':<22} {'axc':>9} {'dot':>9} {'CPU ratio':>10}")
    for count, folded in ((300, False), (1000, False), (3000, False), (10000, True), (100000, True)):
        depth = max(5, int(count ** 0.5 * 0.7)) // (3 if scale > 1 else 1) or 1
        nodes, edges = layers(count // depth, depth, 2)
        cwd = os.path.join(top, f"picture{count}")
        os.mkdir(cwd)
        write_axf(os.path.join(cwd, "w.axf"), nodes, edges)
        with open(os.path.join(cwd, "w.dot"), "w") as out:
            out.write("digraph w { node [shape=box];\n")
            out.writelines(f"{a} -> {b};\n" for a, b in edges)
            out.write("}\n")
        collapse = [] if folded else ["--collapse", "none"]
        ours = [measure([axc, "graph", "w.axf", "-o", "w.svg", *collapse], cwd) for _ in range(pairs)]
        ax, ax_cpu = (statistics.median(m) for m in zip(*ours))
        if count > 3000 // scale:
            print(f"picture {count:<14} {ax:8.2f}s {'-':>9}", flush=True)
            continue
        dot, dot_cpu = measure(["dot", "-Tsvg", "w.dot", "-o", "dot.svg"], cwd)
        print(f"picture {count:<14} {ax:8.2f}s {dot:8.2f}s {ax_cpu / dot_cpu:9.2f}x", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", default="build")
    ap.add_argument("--pairs", type=int, default=5)
    ap.add_argument("--quick", action="store_true", help="one pair, a tenth of the size")
    ap.add_argument("names", nargs="*")
    a = ap.parse_args()
    if a.quick:
        a.pairs = 1
    build = os.path.abspath(a.build)
    axc, ax = os.path.join(build, "axc"), os.path.join(build, "ax")
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    scale = 10 if a.quick else 1
    wanted = set(a.names) or {"validate", "fan", "layered", "chain", "deep", "picture"}
    print(f"{'':<22} {'ax':>9} {'ninja':>9} {'ratio':>8}   {'ax CPU':>10} {'ninja CPU':>10} {'ratio':>8}   "
          "(CPU for each task; medians)")
    with tempfile.TemporaryDirectory(prefix="ax-bench-") as top:
        def case(name, nodes, edges, ours, yardstick, axf=None):
            if name not in wanted:
                return
            cwd = os.path.join(top, name)
            os.mkdir(cwd)
            (axf or (lambda p: write_axf(p, nodes, edges)))(os.path.join(cwd, "w.axf"))
            write_ninja(os.path.join(cwd, "build.ninja"), nodes, edges)
            pair(f"{name} {len(nodes)}", ours, yardstick, a.pairs, len(nodes), cwd)

        run = [ax, "run", "w.axf", "-j16"]
        ninja = ["ninja", "-j16", "--quiet"]
        nodes, edges = layers(1000 // scale, 100, 3)
        case("validate", nodes, edges, [axc, "validate", "w.axf"], ["ninja", "-t", "targets", "all"])
        nodes, edges = chain(100000 // scale)
        case("deep", nodes, edges, [axc, "validate", "w.axf"], ["ninja", "-t", "targets", "all"])
        width = 10000 // scale
        case("fan", [f"t{i}" for i in range(width)], [], run, ninja, lambda p: write_fan_axf(p, width))
        nodes, edges = layers(100, 100 // scale, 2)
        case("layered", nodes, edges, run, ninja)
        nodes, edges = chain(1000 // scale)
        case("chain", nodes, edges, run, ninja)
        if "picture" in wanted:
            pictures(axc, top, a.pairs, scale)


main()
