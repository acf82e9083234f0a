#!/bin/sh
# fuzz.sh SECONDS NAME... - runs libFuzzer targets over their corpora; the last line is "N passed, N failed".
#
# New inputs go to $B/fuzz/corpus/NAME, what crashes to $B/fuzz/NAME-*; seeds are tests/fuzz/corpus/NAME.
set -eu
seconds=$1
shift
folder=${B:-build}/fuzz
passed=0
failed=0
for name; do
    seeds=tests/fuzz/corpus/${name#fuzz_}
    mkdir -p "$folder/corpus/$name" "$seeds"
    log=$folder/$name.log
    if "$folder/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
        -artifact_prefix="$folder/$name-" -print_final_stats=1 "$folder/corpus/$name" "$seeds" \
        >"$log" 2>&1; then
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
