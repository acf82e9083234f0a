#!/bin/sh
# quickstart.sh - a first workflow: checked, drawn, run, looked at. `make quickstart` builds, then calls it.
# Each command is printed before it runs, so that it can be typed again.
set -eu
cd "$(dirname "$0")/../.."

bin=${B:-build}
name=nightly_report
workflow=examples/workflows/$name.axf

step() {
    printf '\n%s\n$ %s\n' "$1" "$2"
    sh -c "$2"
}

step 'Check the workflow: names, types, edges, commands.' "$bin/axc validate $workflow"
step 'Draw it.' "$bin/axc graph $workflow -o $bin/$name.svg"
step 'Run it, with real processes; every state is kept in .ax.' "$bin/ax run $workflow"
step 'Which runs were there?' "$bin/ax runs"
step 'One task had to be tried twice. What happened?' "$bin/ax history last 'ingest.sync[\"payments\"]'"
printf '\nThe picture is %s. Read on in README.md.\n' "$bin/$name.svg"
