#!/bin/sh
# axc graph: the same bytes in every process, files that other programs read, and names that try to break out.
set -eu
cd "$TMPDIR"

cat >ok.axf <<'AXF'
workflow ok {
  task a { run = "echo a" }
  task s { matrix { t = ["x", "y", "z"] }  run = "echo {{ t }}" }
  group g {
    task b { run = "echo b" }
    task c { run = "echo c" }
    b -> c
  }
  task oops { run = "echo oops" }
  task end { finally = true  run = "true" }
  a -> s -> g
  g:failed -> oops
}
AXF

for i in 1 2 3 4 5; do
    axc graph ok.axf >"$i.svg" 2>/dev/null
    axc graph ok.axf --theme dark -o "$i.png" 2>/dev/null
    axc graph ok.axf --format dot >"$i.dot" 2>/dev/null
    cmp "$i.svg" 1.svg && cmp "$i.png" 1.png && cmp "$i.dot" 1.dot
done
xmllint --noout 1.svg
dot -Tsvg 1.dot >/dev/null

cat >names.py <<'PY'
"""Puts hostile texts wherever a picture shows one, and compares what is shown with what was written."""
import subprocess
import sys
import xml.etree.ElementTree as ET

HOSTILE = [
    "end\\", 'say "hi"', '\\" shape=box color=red] // ', "a\\nb", "] -> evil [", "<b>x</b> & y", "{a|b}",
    "née ✓ 日本", "", "a real\nnewline", "a realnewline", "&amp;", "&#10;", "--> ]]> <!--",
    "\\N \\G \\l", "%s%n",
    "🚀 emoji", "tab\there", "  two  blanks  ", "<script>alert(1)</script>", "'single'",
    "\u202eright to left",
    "x" * 20000, "é" * 20000,
]
SVG = "{http://www.w3.org/2000/svg}"


def quoted(text):
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("{{", "\\{{"),
                           ("\u202e", "\\u{202E}")):
        text = text.replace(plain, escaped)
    return f'"{text}"'


def axc(*args):
    done = subprocess.run(["axc", "graph", "names.axf", *args], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def is_shown(text, shown):
    """The whole text, or both ends of a long one."""
    if text == shown:
        return True
    head, dots, tail = shown.partition("…")
    return bool(dots) and len(text) > len(head) + len(tail) and text.startswith(head) and text.endswith(tail)


with open("names.axf", "w", encoding="utf-8") as out:
    out.write("workflow names {\n")
    for i, text in enumerate(HOSTILE):
        out.write(f"  task t{i} {{ title = {quoted(text)}  doc = {quoted(text)}  run = 'true' }}\n")
    out.write(f"  task m {{ matrix {{ v = [{', '.join(map(quoted, HOSTILE[:12]))}] }}  run = 'true' }}\n")
    out.write(f"  task large {{ matrix {{ v = [{', '.join(map(quoted, HOSTILE))}] }}  run = 'true' }}\n")
    out.write("  t0 -> m\n}\n")

root = ET.fromstring(axc())
parts = {g.get("id"): g for g in root.iter(SVG + "g") if g.get("id")}
nodes = [g for g in parts.values() if "node" in g.get("class").split()]
assert len(nodes) == len(HOSTILE) + 12 + 1, len(nodes)
assert len([g for g in root.iter(SVG + "g") if "edge" in g.get("class").split()]) == 1
assert all(id.isascii() and id.isprintable() and " " not in id for id in parts)
for i, text in enumerate(HOSTILE):
    g = parts[f"node-t{i}"]
    title = next((t.text or "" for t in g.findall(SVG + "text") if t.get("class") == "title"), "")
    assert is_shown(text or f"t{i}", title), (text[:50], title)
    lines = g.find(SVG + "title").text
    assert text in lines and lines.startswith(f"t{i}\n") and lines.endswith(f"names.axf:{i + 2}"), text[:50]
copies = [g for g in nodes if g.get("data-name").startswith("m[")]
for text, g in zip(HOSTILE, copies):
    assert is_shown(text, "".join(t.text or "" for t in g.findall(SVG + "text"))), text

names = subprocess.run(["dot", "-Tjson0"], input=axc("--format", "dot"), capture_output=True)
assert names.returncode == 0 and not names.stderr, names.stderr.decode()
import json
graph = json.loads(names.stdout)
objects = [o for o in graph["objects"] if not o["name"].startswith("cluster")]
assert len(objects) == len(nodes), len(objects)
assert {o.get("id") for o in objects} == {g.get("id") for g in nodes}
assert axc("--format", "png").startswith(b"\x89PNG")
PY
python3 names.py

# Nothing is half written, and a refusal says what to do.
{
    echo 'workflow big {'
    i=0
    while [ $i -lt 401 ]; do echo "  task t$i { run = 'x' }"; i=$((i + 1)); done
    echo '}'
} >big.axf
rc=0
axc graph big.axf -o big.svg 2>big.err || rc=$?
[ $rc = 1 ] && [ ! -e big.svg ]
grep -q 'too large to be drawn: 401 boxes, and the limit is 400' big.err
grep -q '^help: ' big.err
axc graph big.axf -o big.dot 2>/dev/null
