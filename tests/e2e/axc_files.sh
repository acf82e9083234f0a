#!/bin/sh
# axc and the file system: folders, links, what can't be read, what is written and what is left alone.
set -eu
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

good='workflow w { task a { run = "true"  timeout = 1m } }'
mkdir -p tree/deep/er tree/.hidden
echo "$good" >tree/b.axf
echo "$good" >tree/deep/a.axf
echo "$good" >tree/deep/er/c.axf
echo 'not a workflow' >tree/.hidden/x.axf
echo 'not a workflow' >tree/notes.txt
ln -s .. tree/deep/loop
ln -s b.axf tree/link.axf

# Folders are searched in a fixed order, without hidden ones and without following links to folders.
expect 0 axc validate tree
has out '4 files, 4 workflows, 4 nodes: no errors'
expect 0 axc validate --format json tree
found=$(jq -r '.files[].file' out | tr '\n' ' ')
[ "$found" = 'tree/b.axf tree/deep/a.axf tree/deep/er/c.axf tree/link.axf ' ]
(cd tree && axc validate) >out
has out '4 files'

# What can't be read is named, does not stop the others, and ends with 3.
ln -s nowhere tree/broken.axf
echo 'workflow w { task a { rum = "true" } }' >bad.axf
expect 3 axc validate tree bad.axf missing.axf
has err "broken.axf"
has err "missing.axf"
has err "bad.axf:1:23: error["
has out '2 not read'
expect 3 axc validate --format json tree/broken.axf
jq -e '.files[0].error and .summary.unreadable == 1' out >/dev/null
rm tree/broken.axf
expect 3 axc compile tree
has err "tree"
if [ "$(id -u)" != 0 ]; then
    echo "$good" >secret.axf
    chmod 0 secret.axf
    expect 3 axc validate secret.axf
    has err 'Permission denied'
fi
expect 1 axc validate bad.axf tree
mkdir empty
expect 1 axc validate empty
has err "there is no workflow file (*.axf) in 'empty'"

# Standard input is a file too.
expect 0 axc validate - <tree/b.axf
expect 1 axc validate - <bad.axf
has err '<stdin>:1:23: error['
expect 0 axc graph - <tree/b.axf
has out '<svg '
expect 0 axc compile --emit yaml - <tree/b.axf
has out 'taskName: w'

# fmt rewrites atomically, keeps mode bits and links, and touches nothing that is in order.
printf 'workflow w{task a{run="true"\ntimeout=1m}}\n' >ugly.axf
cp ugly.axf before.axf
chmod 640 ugly.axf
ln -s ugly.axf ugly-link.axf
expect 1 axc fmt --check ugly.axf
has out 'ugly.axf'
cmp ugly.axf before.axf
expect 0 axc fmt --diff ugly.axf
has out '--- ugly.axf'
has out '+++ ugly.axf'
cmp ugly.axf before.axf
cp out ugly.diff
expect 0 axc fmt ugly-link.axf
[ -L ugly-link.axf ] && [ "$(stat -c %a ugly.axf)" = 640 ]
expect 0 axc fmt --check ugly.axf
[ ! -s out ]
touch -d '2001-01-01' ugly.axf
expect 0 axc fmt ugly.axf
[ "$(stat -c %Y ugly.axf)" = "$(date -d '2001-01-01' +%s)" ]
axc fmt - <before.axf | cmp - ugly.axf
[ -z "$(find . -name '*.tmp*' -o -name '.ugly*')" ]

# A file with a syntax error is left as it is, and the others are still formatted.
echo 'workflow w { task a {' >broken.axf
cp broken.axf broken.before
cp before.axf ugly.axf
expect 1 axc fmt broken.axf ugly.axf
cmp broken.axf broken.before
has err 'broken.axf:1:'
axc fmt --check ugly.axf

# Results are written whole or not at all.
expect 0 axc compile ugly.axf -o w.json
jq -e '.taskName == "w"' w.json >/dev/null
expect 3 axc compile ugly.axf -o no/such/folder/w.json
expect 1 axc compile bad.axf -o never.json
[ ! -e never.json ]

# One of several workflows has to be named.
printf 'workflow one { }\nworkflow two { }\n' >two.axf
expect 2 axc compile two.axf
has err 'say which one with --workflow: one, two'
expect 0 axc compile two.axf -w two
has out '"taskName": "two"'
expect 1 axc compile two.axf --workflow tow
has err "did you mean 'two'?"
