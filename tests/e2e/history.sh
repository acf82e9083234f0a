#!/bin/sh
# `ax runs`, `status`, `logs`, `history`: what they show after a run, while one goes on, and after a kill -9.
set -eu
cd "$TMPDIR"
export AX_HOME="$TMPDIR/home"

fail() { echo "history.sh: $*" >&2; exit 1; }
# expect CODE COMMAND...: runs it, keeps its output in `out`, and checks the exit code.
expect() {
    want=$1; shift
    got=0
    "$@" >out 2>err || got=$?
    [ "$got" = "$want" ] || { cat out err >&2; fail "'$*' ended with $got, not $want"; }
}
has() { grep -qF -- "$1" out || { cat out err >&2; fail "no '$1' in the output"; }; }
says() { grep -qF -- "$1" err || { cat out err >&2; fail "no '$1' in the message"; }; }
# holds EXPRESSION: the output is JSON of which this is true.
holds() { jq -e "$1" out >/dev/null || { cat out >&2; fail "not so: $1"; }; }
await() { while [ ! -s "$1" ]; do sleep 0.02; done; }

# Where nothing was run, they say so, and make nothing.
for command in runs status logs history; do
    expect 1 ax $command
    says 'nothing was run here yet'
done
[ ! -e home ] || fail "a command that reads made the home"

cat >mixed.axf <<'END'
workflow mixed {
  param who : string = "moon"
  defaults { timeout = 1m }
  task good { run = "printf 'one\ntwo\nthree\n'" }
  task bytes { run = "printf 'a\\000b\\377\\033[2J\\033]0;title\\007end'" }
  task part {
    matrix { n = ["x", "y"] }
    retry { max = 1  backoff = [1ms] }
    run = "echo {{ n }} try $AX_ATTEMPT; [ {{ n }} = x ]"
  }
  task after { run = ":" }
  part -> after
}
END
expect 1 ax run mixed.axf

# The list.
expect 0 ax runs
has 'mixed     failed'
has '3 succeeded, 1 failed, 1 skipped'
expect 0 ax runs --json
holds '.runs[0] | .run == 1 and .workflow == "mixed" and .state == "FAILED" and .counts.SUCCEEDED == 3
       and .nodes_total == 5 and .params.who == "moon" and .ended_ms >= .created_ms'
expect 0 ax runs --unfinished --json
holds '.runs == []'
expect 0 ax runs --workflow other
says 'no runs'

# One run; its code says how it ended.
expect 1 ax status
has 'run 1'
has 'skipped'
has 'something above failed: part["y"]'
expect 1 ax status 1 --json
holds '[.nodes[] | select(.kind == "task")] | length == 5'
holds '.nodes[] | select(.name == "part[\"y\"]") | .state == "FAILED" and .reason == "exit"
       and (.attempts | length) == 2 and .attempts[1].exit_code == 1'
expect 1 ax status 99
says 'there is no run 99'
expect 2 ax status nonsense
says "'nonsense' is no run"

# Logs: bytes as they were written, one task or many, the end, an older attempt.
expect 0 ax logs 1 bytes
printf 'a\000b\377\033[2J\033]0;title\007end' | cmp - out || fail "a log is not what was written"
expect 0 ax logs good --tail 2
[ "$(cat out)" = "$(printf 'two\nthree')" ] || fail "--tail"
expect 0 ax logs last 'part["y"]' --attempt 1
[ "$(cat out)" = 'y try 1' ] || fail "--attempt"
expect 0 ax logs part
has '==> part["x"] #1'
has '==> part["y"] #2: exit code 1 <=='
expect 0 ax logs
has 'y try 2'
! grep -q 'x try' out || fail "a log of one that did not fail"
expect 0 ax logs bytes --json
holds '.logs[0] | .node == "bytes" and .attempt == 1 and (.text | endswith("end"))'
expect 1 ax logs god
says "did you mean 'good'?"
expect 1 ax logs good --attempt 2
says "'good' has 1 attempt"
expect 1 ax logs part --attempt 9
expect 1 ax logs after
says "'after' has not begun"
expect 2 ax logs -f --json good
expect 1 ax logs -f
says 'nothing is running'

# On a terminal a log cannot steer it.
script -qec "ax logs bytes" /dev/null >out </dev/null
has 'end'
esc=$(printf '\033')
! grep -q "$esc\[2J\|$esc\]0" out || fail "escape sequences of a task reach the terminal"

# The history is the transition log, row by row.
expect 0 ax history --json
holds '.run == 1 and .rows[0].to == "QUEUED" and .rows[-1].to == "FAILED"'
rows=$(sqlite3 home/ax.db 'SELECT count(*) FROM transition_log')
holds ".rows | length == $rows"
holds '[.rows[].seq] == ([.rows[].seq] | sort)'
expect 0 ax history
has '(run)'
has 'READY -> RUNNING'
has 'something above failed: part["y"]'
expect 0 ax history 1 part --json
holds '[.rows[].node] | unique == ["part[\"x\"]", "part[\"y\"]"]'
ax history | head -n 1 >out || fail "a closed pipe"

# While a run goes on: what it does is seen, a log is followed to the end of its attempt.
cat >slow.axf <<'END'
workflow slow {
  defaults { timeout = 1m }
  task talk { run = "echo begin; echo $$ >pid; while [ ! -e go ]; do sleep 0.02; done; printf 'the end'" }
  task later { run = ":" }
  talk -> later
}
END
ax run slow.axf >run.out 2>&1 &
run=$!
await pid
expect 0 ax status
has 'running'
has 'waiting'
! grep -q interrupted out || fail "a run that goes on is interrupted"
expect 0 ax runs --unfinished
has 'slow      running'
ax logs -f >followed 2>&1 &
follower=$!
await followed
touch go
wait "$follower" || fail "the follower ended with $?"
[ "$(cat followed)" = "$(printf 'begin\nthe end')" ] ||
    { cat followed; fail "the follower missed something"; }
wait "$run" || fail "the run failed"
expect 0 ax status
has 'succeeded'

# Readers in a loop neither fail nor stop a run.
{
    echo 'workflow many {'
    echo '  defaults { timeout = 1m }'
    echo "  task t { matrix { i = [$(seq -s, 1 300)] }  run = \":\" }"
    echo '}'
} >many.axf
ax run many.axf -j 8 >run.out 2>&1 &
run=$!
reads=0
while kill -0 "$run" 2>/dev/null; do
    for command in runs 'status --json' 'history --json' 'logs t --tail 1'; do
        ax $command >out 2>err && continue
        [ "$command" = 'logs t --tail 1' ] || { cat err; fail "ax $command ended in an error"; }
    done
    reads=$((reads + 1))
done
wait "$run" || { cat run.out; fail "the run failed beside its readers"; }
[ "$reads" -gt 0 ] || fail "nobody read"
expect 0 ax runs --limit 1 --json
holds '.runs[0].counts == {"SUCCEEDED": 300}'

# After a kill -9 everything is there, and a follower ends with the process.
rm -f go pid
ax run slow.axf >run.out 2>&1 &
run=$!
await pid
kill -9 "$run"
wait "$run" 2>/dev/null || true
expect 0 ax status
has 'running'
has 'ax run --resume 4'
expect 0 ax runs --limit 1
has 'interrupted'
expect 0 ax runs --limit 1 --json
holds '.runs[0].interrupted'
expect 0 ax history 4 talk
has 'READY -> RUNNING'
ax logs 4 talk -f >followed 2>&1 &
follower=$!
await followed
touch go
wait "$follower" || fail "the follower ended with $?"
[ "$(cat followed)" = "$(printf 'begin\nthe end')" ] || fail "the follower missed something after a kill"
expect 0 ax run --resume
has ", resumed: "
expect 0 ax status 4
has 'succeeded'
