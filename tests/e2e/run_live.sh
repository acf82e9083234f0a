#!/bin/sh
# The live view on a terminal: a screen of 60 columns is played back, and what stays on it must be right: the
# failure once, with the end of its log, no rest of the region, then the summary. Lines are cut, not wrapped.
set -eu
cd "$TMPDIR"
export AX_HOME="$TMPDIR/home" TERM=xterm
cat >live.axf <<'END'
workflow live {
  defaults { timeout = 1m }
  task a_name_that_is_longer_than_the_terminal_is_wide_so_that_it_has_to_be_cut { run = "sleep 0.3" }
  task bad {
    retry { max = 1  backoff = [300ms] }
    run = "printf 'escape \\033[2J\\n\\357\\277\\275\\tend\\n'; exit 3"
  }
  task after { run = "true" }
  bad -> after
}
END
exec python3 - <<'END'
import fcntl, os, pty, re, struct, sys, termios

COLUMNS, ROWS = 60, 24
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    os.execvp("ax", ["ax", "run", "live.axf"])
data = b""
while True:
    try:
        chunk = os.read(fd, 65536)
    except OSError:
        break
    if not chunk:
        break
    data += chunk
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

lines, row, column, drawn = [""], 0, 0, set()
for token in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[^\x1b]|\x1b", data.decode()):
    if token == "\n":
        row += 1
        while len(lines) <= row:
            lines.append("")
    elif token == "\r":
        column = 0
    elif re.fullmatch(r"\x1b\[\d+A", token):
        row -= int(token[2:-1])
        assert row >= 0, "the region goes above the screen"
    elif token == "\x1b[J":
        lines[row:] = [lines[row][:column]]
    elif token == "\x1b[K":
        lines[row] = lines[row][:column]
    elif token[0] == "\x1b":
        assert token.endswith("m"), f"unexpected {token!r}"
    else:
        lines[row] = (lines[row].ljust(column))[:column] + token + lines[row][column + 1:]
        column += 1
    drawn.add(lines[row])

screen = "\n".join(lines)
print(screen)
assert code == 1, code
assert screen.count("bad: exit code 3, after 2 tries") == 2, "once when it failed, once in the summary"
assert screen.count("| escape") == 1 and "| \ufffd    end" in screen, "the end of the log"
assert "run 1 of live failed" in screen and "1 failed" in screen
assert "ax logs 1 bad" in screen
assert "\u25b8" not in screen and "\u2588" not in screen, "a rest of the region"
region = [line for line in drawn if "\u25b8" in line or "\u2588" in line or "\u21bb" in line]
assert any("a_name" in line and "\u2026" in line for line in region), "long names are cut"
assert any("try 2 after exit code 3" in line for line in region), "what is waited for is shown"
assert all(len(line) < COLUMNS for line in region), "a line is as wide as the screen"
END
