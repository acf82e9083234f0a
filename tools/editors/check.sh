#!/bin/sh
# check.sh - the editors' files with the editors' own tools: `make check-editors`. The last line is
# "N passed, N failed". B is the build folder; its axc is the server. npm's packages go to $B/editors.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
B=${B:-build}
case $B in /*) ;; *) B=$root/$B ;; esac
work=$B/editors
passed=0
failed=0
mkdir -p "$work/node"
export AXC="$B/axc" PATH="$B:$PATH"

# count NAME LOG: adds the totals of a test's last line; a test that did not come to it has failed.
count() {
    totals=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$2" | tail -n 1)
    [ -n "$totals" ] || totals='0 1'
    passed=$((passed + ${totals% *}))
    failed=$((failed + ${totals#* }))
    echo "$1: ${totals% *} passed, ${totals#* } failed"
    if [ "${totals#* }" != 0 ]; then cat "$2"; fi
}

cp tools/editors/vscode/package.json "$work/node"
npm --prefix "$work/node" install --no-audit --no-fund --silent
export NODE_PATH="$work/node/node_modules" EXTENSION="$root/tools/editors/vscode"

grammar=tools/editors/vscode/syntaxes/axf.tmLanguage.json
for text in tools/editors/vscode/test/grammar/*.axf; do
    verdict='1 passed, 0 failed'
    "$NODE_PATH/.bin/vscode-tmgrammar-test" -g "$grammar" "$text" >"$work/log" 2>&1 ||
        verdict='0 passed, 1 failed'
    echo "$verdict" >>"$work/log"
    count "grammar ${text##*/}" "$work/log"
done

timeout 120 node tools/editors/vscode/test/server.test.js >"$work/log" 2>&1 || true
count 'VS Code: server and extension' "$work/log"

export OUT="$work/log"
for vim in 'vim -Nu NONE' 'nvim --headless -u NONE'; do
    rm -f "$OUT"
    timeout 120 $vim -n -es -S tools/editors/vim/test/test.vim </dev/null >/dev/null 2>&1 || true
    touch "$OUT"
    count "${vim%% *}: syntax and indent" "$OUT"
done
rm -f "$OUT"
script=tools/editors/vim/test/lsp.lua
timeout 120 nvim --headless -u NONE -n -c "luafile $script" </dev/null >/dev/null 2>&1 || true
touch "$OUT"
count 'nvim: its client and axc lsp' "$OUT"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
