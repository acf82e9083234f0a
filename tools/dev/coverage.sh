#!/bin/sh
# coverage.sh - branch coverage of the last run of the tests in mode coverage: totals, and pages in $B.
set -eu
cd "$(dirname "$0")/../.."
build=${B:-build}
mkdir -p "$build/coverage/report"
gcovr --root . --exclude tests/ --exclude "$build/" --exclude '.*/gen/' --branches \
    --exclude-unreachable-branches --html-details "$build/coverage/report/index.html" --print-summary \
    "$build/obj/coverage"
echo "coverage: $build/coverage/report/index.html"
