#!/usr/bin/env python3
"""A scripted client of `axc lsp`: axc_lsp.py SESSION...; the last line is "N passed, N failed".

A session is a text of steps, one a line; a line that begins with a space goes on from the one before, and #
begins a comment.
    request METHOD PARAMS    sends a request and waits for its answer, which the next `expect`s are about
    notify METHOD PARAMS     sends a notification
    await METHOD             waits for a notification of the server, for the next `expect`s; the latest counts
    expect PATH JSON         the value at PATH (result.items.0.label, result.length) is that JSON
    text TEXT                sends a text as one message, whatever it is; Python's escapes
    bytes TEXT               sends bytes without a header; Python's escapes
    answer                   waits for an answer that has no request of ours
    pieces N                 from here on, writes at most N bytes at a time
    close                    closes the server's input
    ends CODE                waits until the server ends with that code
PARAMS is JSON; the word DOC in it stands for the document's identifier.
"""
import json
import os
import re
import select
import subprocess
import sys
import time

SECONDS_MAX = 60
DOC = '{"uri": "file:///main.axf"}'


class Failed(Exception):
    pass


class Server:
    def __init__(self):
        axc = os.environ.get("AXC", "axc")
        self.process = subprocess.Popen([axc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last_id, self.pieces, self.pending, self.inbox = 0, 1 << 20, b"", []

    def write(self, data):
        for at in range(0, len(data), self.pieces):
            self.process.stdin.write(data[at:at + self.pieces])
            self.process.stdin.flush()

    def send(self, text):
        body = text.encode("utf-8", "surrogatepass")
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def take(self):
        """The next whole message in what was read, or None."""
        head, found, rest = self.pending.partition(b"\r\n\r\n")
        if not found:
            return None
        length = int(re.fullmatch(rb"Content-Length: (\d+)", head).group(1))
        if len(rest) < length:
            return None
        self.pending = rest[length:]
        return json.loads(rest[:length])

    def read(self):
        deadline = time.monotonic() + SECONDS_MAX
        while (message := self.take()) is None:
            if not select.select([self.process.stdout], [], [], deadline - time.monotonic())[0]:
                raise Failed("the server says nothing")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                raise Failed("the server closed its output")
            self.pending += data
        return message

    def wait_for(self, is_wanted):
        """The first message that is_wanted, of those that came or will."""
        while True:
            for i, message in enumerate(self.inbox):
                if is_wanted(message):
                    return self.inbox.pop(i)
            self.inbox.append(self.read())

    def latest(self, method):
        """The last notification of that method that is there, at least one."""
        message = self.wait_for(lambda m: m.get("method") == method)
        while later := [m for m in self.inbox if m.get("method") == method]:
            message = later[-1]
            self.inbox = [m for m in self.inbox if m.get("method") != method]
        return message


def value_at(value, path):
    for key in path.split("."):
        if key == "length":
            value = len(value)
        elif isinstance(value, list):
            value = value[int(key)] if int(key) < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


def unescape(text):
    return text.encode("latin-1", "backslashreplace").decode("unicode_escape")


def step(server, word, rest, last):
    """Carries one step out; returns what the next `expect` looks at."""
    method, _, params = rest.partition(" ")
    message = {"jsonrpc": "2.0", "method": method}
    if word in ("request", "notify") and params.strip():
        message["params"] = json.loads(re.sub(r"\bDOC\b", DOC, params))
    if word == "request":
        server.last_id += 1
        server.send(json.dumps({**message, "id": server.last_id}))
        return server.wait_for(lambda m: m.get("id") == server.last_id)
    if word == "notify":
        server.send(json.dumps(message))
    elif word == "await":
        return server.latest(method)
    elif word == "answer":
        return server.wait_for(lambda m: "id" in m)
    elif word == "expect":
        got = value_at(last, method)
        if got != json.loads(params):
            raise Failed(f"{method} is {json.dumps(got)}, in {json.dumps(last)[:1000]}")
    elif word == "text":
        server.send(unescape(rest))
    elif word == "bytes":
        server.write(unescape(rest).encode("latin-1"))
    elif word == "pieces":
        server.pieces = int(rest)
    elif word == "close":
        server.process.stdin.close()
    elif word == "ends":
        code = server.process.wait(SECONDS_MAX)
        if code != int(rest):
            raise Failed(f"the server ended with {code}")
    else:
        raise Failed("there is no such step")
    return last


def run(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\n[ \t]+", " ", file.read())
    server, last = Server(), None
    try:
        for line in text.splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            word, _, rest = line.partition(" ")
            try:
                last = step(server, word, rest, last)
            except (Failed, ValueError, AttributeError, BrokenPipeError) as error:
                print(f"FAIL {path}: {line[:300]}\n     {error}")
                return False
        return True
    finally:
        server.process.kill()
        server.process.wait()


def main():
    results = [run(path) for path in sys.argv[1:]]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


sys.exit(main())
