#!/bin/sh
# Large files on a stack of 256 KiB: a deep chain, a ring of every node, a wide join, a file of mistakes.
set -eu
cd "$TMPDIR"
ulimit -s 256
nodes=${AX_LONG:+100000}
nodes=${nodes:-20000}

# generate NAME EDGES-OF-i: a workflow of $nodes tasks t0 t1 …, and what awk's `edges` prints for each.
generate() {
    awk -v n="$nodes" "BEGIN {
        print \"workflow w {\\n  defaults { timeout = 1m }\"
        for (i = 0; i < n; i++) {
            printf \"  task t%d { output x : int  run = \\\"echo %d\\\" }\\n\", i, i
            $2
        }
        print \"}\"
    }" >"$1"
}
# expect CODE COMMAND...: runs it, keeps its output in out and err.
expect() {
    want=$1
    shift
    rc=0
    "$@" >out 2>err || rc=$?
    [ "$rc" = "$want" ] || { echo "'$*' ended with $rc, not $want" >&2; head -20 out err >&2; exit 1; }
}
has() {
    grep -qF -- "$2" "$1" || { echo "no '$2' in:" >&2; head -20 "$1" >&2; exit 1; }
}

generate chain.axf 'if (i) printf "  t%d -> t%d\n", i - 1, i'
expect 0 axc validate chain.axf
has out "$nodes nodes: no errors"
expect 0 axc compile chain.axf
[ "$(jq '.graph.edges | length' out)" = $((nodes - 1)) ]

generate ring.axf 'printf "  t%d -> t%d\n", i, (i + 1) % n'
expect 1 axc validate ring.axf
has err 'these nodes wait for one another: t0 -> t1 -> t2'
has err "and $((nodes - 7)) more edges"
[ "$(wc -l <err)" -lt 50 ]

generate join.axf 'if (i) printf "  t%d -> t0\n", i'
expect 0 axc validate join.axf

generate wrong.axf 'printf "  u%d -> t%d\n", i, i'
expect 1 axc validate wrong.axf
has out "$nodes errors"

generate reads.axf 'if (i) {
    printf "  task r%d { run = \"echo {{ t0.x }} {{ t%d.x }}\" }\n", i, i
    printf "  t%d -> t%d -> r%d\n", i - 1, i, i
}'
expect 0 axc validate reads.axf
