#!/bin/sh
# fuzz.sh SECONDS NAME... - runs libFuzzer targets over their corpora; the last line is "N passed, N failed".
#
# Seeds are tests/fuzz/corpus/NAME and, as workflow texts, the examples and the pages of the diagnostics. New
# inputs go to $B/fuzz/corpus/NAME, what crashes to $B/fuzz/NAME-*.
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift
folder=${B:-build}/fuzz

texts=$folder/texts
mkdir -p "$texts"
cp examples/workflows/*.axf "$texts"
awk -v out="$texts" '
    FNR == 1 { page = FILENAME; gsub(/.*\/|\.md$/, "", page); count = 0 }
    /^```/ { inside = /^```axf/; if (inside) file = out "/" page "-" ++count ".axf"; next }
    inside { print > file }' docs/errors/*.md
grep -oh '"[a-z_][a-z_]*"' dsl/model/schema.def | sort -u | cat tests/fuzz/axf.dict - >"$folder/words.dict"

passed=0
failed=0
for name; do
    found=$folder/corpus/$name
    seeds=tests/fuzz/corpus/${name#fuzz_}
    log=$folder/$name.log
    mkdir -p "$found"
    [ -d "$seeds" ] || seeds=
    # shellcheck disable=SC2086
    if "$folder/$name" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 -max_len=65536 \
        -dict="$folder/words.dict" -artifact_prefix="$folder/$name-" -print_final_stats=1 \
        "$found" $seeds "$texts" >"$log" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name: $(awk '/number_of_executed_units/ { print $2 }' "$log") inputs in $seconds s"
    else
        failed=$((failed + 1))
        echo "FAIL $name, log $log"
        tail -n 30 "$log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
