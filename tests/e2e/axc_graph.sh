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
    axc graph ok.axf --format json >"$i.json" 2>/dev/null
    cmp "$i.json" 1.json && cmp "$i.svg" 1.svg && cmp "$i.png" 1.png && cmp "$i.dot" 1.dot
done
xmllint --noout 1.svg
dot -Tsvg 1.dot >/dev/null
python3 -m json.tool 1.json >/dev/null

cat >names.py <<'PY'
"""Puts hostile texts wherever a picture shows one, and compares what is shown with what was written."""
import html
import json
import re
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
graph = json.loads(names.stdout)
objects = [o for o in graph["objects"] if not o["name"].startswith("cluster")]
assert len(objects) == len(nodes), len(objects)
assert {o.get("id") for o in objects} == {g.get("id") for g in nodes}

# Mermaid: every line is one of these forms, so no text has broken out of its quotes.
TEXT = r'"(?:[^"#&<>`{}%;:\\\\\[\]\x00-\x1f]|#[0-9]+;|<br>)*"'
FORMS = [r"flowchart (TB|LR)", r"  %% .*", r"  n\d+(\(|\[\[|\{\{)" + TEXT + r"(\)|\]\]|\}\}):::[a-z]+",
         r"  subgraph f\d+\[" + TEXT + r"\]", r"  end", r"  [nf]\d+ (-->|-\.->|==>)(\|[a-z]+\|)? [nf]\d+",
         r"  class n\d+ (critical|focus)", r"  classDef [a-z]+ [a-z0-9#:, -]+",
         r'  click n\d+ href "https://x/[^"\s<>]*" ' + TEXT]
lines = axc("--format", "mermaid", "--link", "https://x/{file}?{name}#L{line}").decode().splitlines()
for line in lines:
    assert any(re.fullmatch(form, line) for form in FORMS), line[:200]
labels = [html.unescape(re.sub(r"#([0-9]+);", r"&#\1;", line)) for line in lines if ":::" in line]
assert len(labels) == len(nodes), len(labels)
for text in (t for t in HOSTILE[:8] if len(t) < 20):
    assert any(text in label for label in labels), text

drawn = json.loads(axc("--format", "json"))
assert [b["title"] for b in drawn["boxes"] if b["name"] == "t1"] == [HOSTILE[1]]
assert axc("--format", "png").startswith(b"\x89PNG")
PY
python3 names.py

# A large workflow is drawn, folded, and the command says so.
python3 - >big.axf <<'PY'
print("workflow big {")
for i in range(10000):
    print(f"  task load_{i % 50}_{i // 50} {{ run = 'x' }}")
for i in range(50, 10000):
    print(f"  load_{i % 50}_{i // 50 - 1} -> load_{i % 50}_{i // 50}")
    print(f"  load_{(i * 7 + 3) % 50}_{i // 50 - 1} -> load_{i % 50}_{i // 50}")
print("}")
PY
axc graph big.axf -o big.svg 2>big.err
grep -q '^note: folded: .* (10000 nodes)$' big.err
grep -q 'folded: .* (10000 nodes)' big.svg
xmllint --noout big.svg
axc graph big.axf --collapse none -o big2.svg 2>big.err
! grep -q '^note: ' big.err
[ "$(grep -c 'class="node task"' big2.svg)" = 10000 ]

# Only a part.
axc graph ok.axf --focus g.b-1 --format json 2>part.err >part.json
grep -q '^note: 4 of 8 nodes$' part.err
python3 - <<'PY'
import json
part = json.load(open("part.json"))
assert sorted(b["name"] for b in part["boxes"]) == ["g.b", 's["x"]', 's["y"]', 's["z"]'], part["boxes"]
assert [b["name"] for b in part["boxes"] if b.get("focus")] == ["g.b"]
PY
axc graph ok.axf --focus 'g.b±1' --format json 2>/dev/null | grep -q '"g.c"'
axc graph ok.axf --focus 'a+-' --format mermaid 2>/dev/null | grep -q oops
axc graph ok.axf --select 'group:g' --format mermaid >part.mmd 2>/dev/null
[ "$(grep -c ':::task' part.mmd)" = 2 ]
rc=0
axc graph ok.axf --focus nothing+1 2>part.err || rc=$?
[ $rc = 1 ]

# The critical path.
echo '{"a": 10, "s": 2.5, "g.b": 100}' >took.json
axc graph ok.axf --durations took.json --format json 2>part.err >part.json
grep -q '^note: critical path 1m5[0-9]s$' part.err
[ "$(grep -c '"critical": true' part.json)" -ge 5 ]

# Nothing is half written.
rc=0
axc graph ok.axf --focus nothing -o no.svg 2>/dev/null || rc=$?
[ $rc = 1 ] && [ ! -e no.svg ]
