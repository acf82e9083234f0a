#!/bin/sh
# `ax run` is stopped: once, and everything ends in order; twice, and it ends at once; or its terminal goes
# away.
set -eu
cd "$TMPDIR"
export AX_HOME="$TMPDIR/home"

fail() { echo "run_stop.sh: $*" >&2; cat out >&2 || true; exit 1; }
has() { grep -qF -- "$1" out || fail "no '$1' in the output"; }
await() { while [ ! -s "$1" ]; do sleep 0.02; done; }
alive() { kill -0 "$1" 2>/dev/null; }
# start FILE: runs it in the background, with the signals of a foreground process, until its task has written
# `pid`.
start() {
    rm -f pid asked
    env --default-signal=INT,HUP ax run "$@" >out 2>&1 &
    ax=$!
    await pid
}

cat >polite.axf <<'END'
workflow polite {
  defaults { timeout = 1m }
  task first {
    run = "trap 'echo asked >asked; exit 1' TERM; echo $$ >pid; while :; do sleep 0.02 || :; done"
  }
  task never { run = "touch never" }
  task tidy { finally = true  run = "touch tidied" }
  first -> never
}
END
for signal in INT TERM; do
    start polite.axf
    kill -$signal "$ax"
    got=0
    wait "$ax" || got=$?
    [ "$got" = 1 ] || fail "SIG$signal ended it with $got"
    has 'again to kill it at once'
    has 'cancelled'
    await asked
    ! alive "$(cat pid)" || fail "the task outlived its run"
    [ ! -e never ] || fail "something started after the cancel"
done

cat >stubborn.axf <<'END'
workflow stubborn {
  defaults { timeout = 1m }
  task first {
    kill_after = 10m
    run = "trap 'echo asked >asked' TERM; echo $$ >pid; while :; do sleep 0.02 || :; done"
  }
}
END
start stubborn.axf
kill -INT "$ax"
await asked
kill -INT "$ax"
got=0
wait "$ax" || got=$?
[ "$got" = 1 ] || fail "the second SIGINT ended it with $got"
! alive "$(cat pid)" || fail "the task outlived a kill"

# A retry that is waited for is not waited for after a cancel, and never starts.
cat >later.axf <<'END'
workflow later {
  defaults { timeout = 1m }
  task a { retry { max = 5  backoff = [10m] }  run = "echo $AX_ATTEMPT >>pid; exit 1" }
  task b { run = "touch b" }
  a -> b
}
END
start later.axf
while ! grep -q 'again in' out; do sleep 0.02; done
kill -INT "$ax"
wait "$ax" && fail "a cancelled run is no success"
has 'cancelled'
[ "$(cat pid)" = 1 ] && [ ! -e b ] || fail "something started after the cancel"

# The terminal goes away: the work goes on, and is taken up again.
cat >night.axf <<'END'
workflow night {
  defaults { timeout = 1m }
  task long {
    run = "echo began >>trace; echo $$ >pid; while [ ! -e go ]; do sleep 0.02; done; echo ended >>trace"
  }
  task next { run = "echo next >>trace" }
  long -> next
}
END
start night.axf
kill -HUP "$ax"
wait "$ax" && fail "a run that is left is no success"
alive "$(cat pid)" || fail "the task did not outlive its terminal"
touch go
ax run --resume >out 2>&1 || fail "it could not be taken up again"
[ "$(cat trace)" = "$(printf 'began\nended\nnext')" ] || fail "trace: $(cat trace)"

# Under nohup, a hangup is nobody's business.
rm -f go trace
rm -f pid
env --ignore-signal=HUP ax run night.axf >out 2>&1 &
ax=$!
await pid
kill -HUP "$ax"
touch go
wait "$ax" || fail "a hangup that is ignored ended it"

# A spawner that does not work is said, and does not keep ax from being left.
mkdir broken
cp "$(command -v ax)" broken/ax
printf '#!/bin/sh\nexit 64\n' >broken/ax-spawner
chmod +x broken/ax-spawner
rm -f go
env --default-signal=INT broken/ax run night.axf >out 2>&1 &
ax=$!
while ! grep -q 'does not work (exit code 64); trying again' out; do sleep 0.02; done
for answer in 'again to kill it at once' 'again to leave it as it is' 'left as it is'; do
    kill -INT "$ax" 2>/dev/null || break # it may find out in time that nothing of it runs
    while ! grep -qF "$answer" out && kill -0 "$ax" 2>/dev/null; do sleep 0.02; done
done
wait "$ax" && fail "a run that is left is no success"
if grep -q 'left as it is' out; then
    ax run --resume >out 2>&1 && fail "a cancelled run is no success"
fi
has 'cancelled'
