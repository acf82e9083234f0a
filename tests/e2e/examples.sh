#!/bin/sh
# Every workflow in examples/workflows has no warning and the one layout, compiles, is drawn, and runs.
set -eu
cp -R examples/workflows "$TMPDIR/workflows"
cd "$TMPDIR/workflows"

fail() { echo "examples.sh: $*" >&2; exit 1; }

axc validate --strict
axc fmt --check
axc list --json >../list.json
jq -r '.workflows[] | "\(.file) \(.name)"' ../list.json >../names
[ "$(wc -l <../names)" -ge 4 ] || fail "there are only $(wc -l <../names) workflows"
while read -r file name; do
    axc compile "$file" -w "$name" | jq -e '.graph.nodes | length > 0' >/dev/null
    axc compile "$file" -w "$name" --emit yaml -o ../out.yaml
    axc graph "$file" -w "$name" -o ../out.svg
    axc graph "$file" -w "$name" --theme dark -o ../out.png
    xmllint --noout ../out.svg
    ax run "$file" -w "$name" </dev/null >../out || { cat ../out; fail "$name did not succeed"; }
    ax status --json | jq -e '.state == "SUCCEEDED"' >/dev/null || fail "$name has another state"
done <../names
