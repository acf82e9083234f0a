#!/usr/bin/env python3
"""make bench: how long after a keystroke an editor has the diagnostics, and other answers of axc lsp.

  bench_lsp.py AXC [LINES...]     default: 1000 5000 20000 lines

One file of that many lines is opened; in its middle a character is typed and taken away again, and the time
from writing the change to reading the diagnostics is taken. Nothing here passes or fails: the numbers are for
people.
"""
import json
import statistics
import subprocess
import sys
import time

KEYSTROKES = 40
URI = "file:///bench.axf"


def text_of(lines):
    out = ["workflow bench {", "  defaults { timeout = 1h }", '  param region : string = "eu"']
    count = 0
    while len(out) < lines - 1:
        out += [f"  task t{count} {{", f'    doc = "Number {count}."', "    output rows : int",
                '    run = "echo {{ region }} {{ date }}"', "  }"]
        if count:
            out.append(f"  t{count - 1} -> t{count}")
        count += 1
    return "\n".join(out + ["}", ""])


class Editor:
    def __init__(self, axc):
        self.server = subprocess.Popen([axc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0
        self.ask("initialize", {"capabilities": {}})

    def send(self, message):
        body = json.dumps(message).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def read(self):
        length = int(self.server.stdout.readline().split(b":")[1])
        self.server.stdout.readline()
        return self.server.stdout.read(length)

    def ask(self, method, params):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        return self.read()

    def tell(self, method, params):
        """A notification that diagnostics follow on."""
        self.send({"method": method, "params": params})
        return self.read()

    def change(self, line, end, text):
        where = {"start": {"line": line, "character": 2}, "end": {"line": line, "character": end}}
        self.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2},
                                             "contentChanges": [{"range": where, "text": text}]})


def ms(action):
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def measure(axc, lines):
    editor, middle = Editor(axc), lines // 2
    editor.tell("textDocument/didOpen", {"textDocument": {"uri": URI, "version": 1, "text": text_of(lines)}})
    keys = [ms(lambda i=i: editor.change(middle, 2 + i % 2, "" if i % 2 else "x")) for i in range(KEYSTROKES)]
    print(f"{lines:7} lines: diagnostics {statistics.median(keys):6.1f} ms (at most {max(keys):.1f})", end="")
    place = {"textDocument": {"uri": URI}, "position": {"line": middle, "character": 2}}
    for method in ("completion", "hover", "documentSymbol", "formatting"):
        print(f", {method} {ms(lambda: editor.ask('textDocument/' + method, place)):.1f}", end="")
    print()
    editor.server.kill()
    editor.server.wait()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for lines in map(int, sys.argv[2:] or (1000, 5000, 20000)):
        measure(sys.argv[1], lines)


main()
