#!/bin/sh
# `ax run`: exit codes, order, outputs, retries, timeouts, what a person is asked, and what it refuses.
set -eu
cd "$TMPDIR"
export AX_HOME="$TMPDIR/home"

fail() { echo "run.sh: $*" >&2; exit 1; }
# expect CODE COMMAND...: runs it, keeps its output in `out`, and checks the exit code.
expect() {
    want=$1; shift
    got=0
    "$@" >out 2>&1 || got=$?
    [ "$got" = "$want" ] || { cat out >&2; fail "'$*' ended with $got, not $want"; }
}
has() { grep -qF -- "$1" out || { cat out >&2; fail "no '$1' in the output"; }; }

# The order of the graph, and values that go from task to task.
cat >order.axf <<'END'
workflow order {
  param who : string = "world"
  defaults { timeout = 1m }
  task a {
    output text : string
    run = """
      echo a >>trace
      echo "text=hello {{ who }}" >>"$AX_OUTPUT"
    """
  }
  task b { run = "echo b {{ a.text }} >>trace" }
  task c { run = "echo c >>trace" }
  a -> b -> c
}
END
expect 0 ax run order.axf --param who=moon
[ "$(cat trace)" = "$(printf 'a\nb hello moon\nc')" ] || { cat trace; fail "wrong order or values"; }
has 'c succeeded'
has 'run 1 of order succeeded'

# A failure: what needs it is skipped; the summary has the end of its log and the command to look further.
cat >failing.axf <<'END'
workflow failing {
  defaults { timeout = 1m }
  task bad { run = "echo 'no route to host' >&2; exit 3" }
  task after { run = "touch after" }
  task beside { run = "touch beside" }
  bad -> after
}
END
expect 1 ax run failing.axf
has 'bad failed: exit code 3'
has 'after skipped: something above failed: bad'
has '| no route to host'
has 'ax logs 2'
[ -e beside ] && [ ! -e after ] || fail "failure did not stay on its branch"

# Retries, until it works.
cat >retry.axf <<'END'
workflow retry {
  defaults { timeout = 1m }
  task shaky {
    retry { max = 2  backoff = [10ms] }
    run = "echo try >>tries; [ $AX_ATTEMPT = 3 ]"
  }
}
END
expect 0 ax run retry.axf
[ "$(wc -l <tries)" = 3 ] || fail "tried $(wc -l <tries) times"
has 'shaky failed: exit code 1; again in 10ms'

# Without a wait, the timeout of the next try is not taken for one.
cat >at_once.axf <<'END'
workflow at_once {
  task shaky { timeout = 1h  retry { max = 1 }  run = "[ $AX_ATTEMPT = 2 ]" }
}
END
expect 0 ax run at_once.axf
has 'shaky failed: exit code 1; again at once'

# Nothing to do today: the task says so itself.
cat >nothing.axf <<'END'
workflow nothing {
  task poll { timeout = 1m  skip_on = [exit(99)]  run = "exit 99" }
}
END
expect 0 ax run nothing.axf
has 'poll skipped: exit code 99'
expect 0 ax status
has 'exit code 99'
expect 0 ax history last poll
has 'its attempt ended with an exit in skip_on'

# The command that is offered can be typed, whatever a copy is called.
cat >quoted.axf <<'END'
workflow quoted {
  task load {
    matrix { who = ["o'brien"] }
    timeout = 1m
    run = "echo the log of {{ who }}; exit 1"
  }
}
END
expect 1 ax run quoted.axf
sh -c "$(grep '^    ax logs' out)" >log || fail "what is offered fails: $(cat out)"
grep -qF "the log of o'brien" log

# A timeout ends every process of the task.
cat >timeout.axf <<'END'
workflow late {
  task slow {
    timeout = 200ms
    kill_after = 100ms
    run = "trap '' TERM; sleep 300 & echo $! >pid; wait; sleep 300"
  }
}
END
expect 1 ax run timeout.axf
has 'timed out after 200ms'
! kill -0 "$(cat pid)" 2>/dev/null || fail "a process outlived its timeout"

# Something waits for a person; each answer goes on from there.
cat >pause.axf <<'END'
workflow pausing {
  defaults { timeout = 1m }
  task gate_keeper { run = "[ -e open ]"  failure_policy = pause }
  task behind { run = "touch behind" }
  gate_keeper -> behind
}
END
expect 1 ax run pause.axf
has 'It waits for a person'
has "--answer gate_keeper=retry"
id=$(sed -n 's/^run \([0-9]*\) of pausing waits.*/\1/p' out)
expect 2 ax run --resume "$id" --answer gate_keper=retry
has "did you mean 'gate_keeper'?"
expect 1 ax run --resume "$id" --answer gate_keeper=retry
touch open
expect 0 ax run --resume --answer gate_keeper=retry
[ -e behind ] || fail "what stands behind did not run"
expect 1 ax run --resume "$id"
has 'has ended'

# What is refused, and how.
expect 1 ax run --resume
has 'there is no run that has not ended'
expect 2 ax run
expect 2 ax run order.axf --param who
expect 1 ax run order.axf --param whom=x
has "whom"
expect 2 ax run order.axf --date yesterday
expect 3 ax run missing.axf
echo 'workflow x { task t { runn = "x" } }' >wrong.axf
expect 1 ax run wrong.axf
has 'error[E'
expect 3 ax run order.axf --home /dev/null/home

# Two at once on one home: the second is told who is there.
cat >hold.axf <<'END'
workflow hold { task t { timeout = 1m  run = "echo $$ >held; while [ ! -e go ]; do sleep 0.02; done" } }
END
ax run hold.axf >first 2>&1 &
first=$!
while [ ! -s held ]; do sleep 0.02; done
expect 3 ax run order.axf
has "process $first on"
has 'use another home'
touch go
wait $first || fail "the first run failed"

# JSON lines, and a reader that goes away.
expect 0 ax run order.axf --json
tail -1 out | grep -q '"state":"SUCCEEDED"' || { cat out; fail "no last line"; }
jq -e . out >/dev/null
rm -f trace
ax run order.axf | head -1 >/dev/null || true
[ "$(wc -l <trace)" = 3 ] || fail "a closed pipe stopped the run"

# Closed from the start: the work is done all the same, and the exit code says that nobody could be told.
rm -f trace
got=0
ax run order.axf >&- 2>/dev/null || got=$?
[ "$got" = 3 ] && [ "$(wc -l <trace)" = 3 ] || fail "closed output: exit $got, $(cat trace)"

# Many nodes that end before they begin are one line.
{
    echo 'workflow wide { defaults { timeout = 1m }  task a { run = "exit 1" }'
    for i in $(seq 30); do echo "task t$i { run = \"true\" }"; echo "a -> t$i"; done
    echo '}'
} >wide.axf
expect 1 ax run wide.axf
has '30 nodes skipped before they began'
