#!/bin/sh
# axc cron beside an independent walk over minutes; and what it does with the clock, hostile texts and limits.
set -eu
here=$PWD
cd "$TMPDIR"

# expect CODE COMMAND...: runs it, keeps its output in out and err.
expect() {
    want=$1
    shift
    rc=0
    "$@" >out 2>err || rc=$?
    [ "$rc" = "$want" ] || { echo "'$*' ended with $rc, not $want" >&2; cat out err >&2; exit 1; }
}
has() {
    grep -qF -- "$2" "$1" || { echo "no '$2' in:" >&2; cat "$1" >&2; exit 1; }
}

# Without --after it looks from now on.
expect 0 axc cron '* * * * * *' --json -n 1
at=$(jq -r '.next[0].at' out)
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
early=$(date -u -d '1 minute ago' +%Y-%m-%dT%H:%M:%SZ)
late=$(date -u -d '1 minute' +%Y-%m-%dT%H:%M:%SZ)
[ "$at" ">" "$early" ] && [ "$at" "<" "$late" ] || { echo "$at is not about $now" >&2; exit 1; }

# The zone of the host does not matter.
for zone in UTC Asia/Tokyo America/New_York; do
    TZ=$zone axc cron '30 2 * * *' -z Europe/Berlin --after 2026-03-28 -n 4 >"$(echo $zone | tr / -)"
done
cmp UTC Asia-Tokyo
cmp UTC America-New_York

# Names that are no zones are refused, and no file outside the zone folder is opened.
long=$(printf 'x%.0s' $(seq 4096))
for zone in Europe/Pariss PST europe/paris UTC+8 '' ../../etc/hostname /etc/hostname "$long"; do
    expect 1 axc cron '0 8 * * *' --timezone "$zone"
    has err 'zone'
done

# Hostile texts are errors in one piece: no escape sequence of theirs reaches the terminal.
expect 1 axc cron "$(printf '0 8 * * \033[31mred')"
[ "$(tr -d -c '\033' <err | wc -c)" = 0 ]
expect 1 axc cron "$(printf '%01000d 8 * * *' 1) x"
expect 1 axc cron ''
expect 1 axc cron "$(seq -s , 0 20000) * * * *"
has err 'the minute field goes from 0 to 59'
expect 0 axc cron "$(seq -s , 0 59) * * * *" --json --after 2026-01-01
jq -e '.words == "every minute"' out >/dev/null
expect 2 axc cron '* * * * *' -n 0
expect 2 axc cron '* * * * *' -n 100001
expect 0 axc cron '0 0 29 2 *' --after 9990-01-01
has out 'Thu 9996-02-29 00:00'
expect 0 axc cron '0 0 1 1 *' --after 9999-06-01
has out 'no instant is left'

exec python3 "$here/tests/e2e/cron_walk.py" "$here/tests/e2e/cron_expressions.txt" ${AX_LONG:+--long}
