#!/bin/sh
# axc diff: revisions of a repository, folders, verdicts as exit codes, and what git can't give.
set -eu
cd "$TMPDIR"
HOME=$TMPDIR
GIT_CONFIG_NOSYSTEM=1
GIT_CEILING_DIRECTORIES=$TMPDIR
export HOME GIT_CONFIG_NOSYSTEM GIT_CEILING_DIRECTORIES
git config --global user.name test
git config --global user.email test@example.org
git config --global init.defaultBranch main

fails() { # fails CODE TEXT COMMAND...: it ends with that code and says that text
    want=$1 text=$2
    shift 2
    rc=0
    "$@" >out 2>err || rc=$?
    [ "$rc" = "$want" ] || { echo "$*: $rc instead of $want" && cat out err && exit 1; }
    grep -qF -- "$text" err || { echo "$*: does not say '$text'" && cat err && exit 1; }
}
says() { # says TEXT COMMAND...: it succeeds and its result has that text
    text=$1
    shift
    "$@" >out 2>err || { echo "$*: failed" && cat err && exit 1; }
    grep -qF -- "$text" out || { echo "$*: does not say '$text'" && cat out && exit 1; }
}
flow() { # flow NAME COMMAND: a workflow of one task
    printf 'workflow %s {\n  task a { run = "%s"  timeout = 1m }\n}\n' "$1" "$2"
}

mkdir -p repo/workflows/deep repo/workflows/.hidden
cd repo
git init -q
flow daily one >workflows/daily.axf
flow weekly one >"workflows/deep/a name with spaces.axf"
flow hidden one >workflows/.hidden/hidden.axf
ln -s daily.axf workflows/link.axf
echo "no workflow" >workflows/README
git add .
git commit -q -m first
git tag v1

# A folder of a revision has the files that the folder on disk has, but for links.
rm workflows/link.axf
says "no change" axc diff v1:workflows workflows
says "no change" axc diff v1: .
says "no change" axc diff v1:workflows/daily.axf workflows/daily.axf
cd workflows
says "no change" axc diff v1:./daily.axf daily.axf
cd ..

flow daily two >workflows/daily.axf
flow fresh "something new" >workflows/fresh.axf
git rm -q "workflows/deep/a name with spaces.axf" workflows/link.axf
git add .
git commit -q -m second
says "breaking: 1 breaking, 1 needs a backfill, 1 safe" axc diff v1:workflows HEAD:workflows
says "-one" axc diff v1:workflows/daily.axf workflows/daily.axf
says "v1:workflows/deep/a name with spaces.axf:1" axc diff v1:workflows workflows
says '"verdict": "breaking"' axc diff v1:workflows workflows --format json
says "#### 🟠 daily" axc diff v1:workflows workflows --format markdown -w daily
fails 1 "the verdict is 'breaking'" axc diff v1:workflows workflows --fail-on breaking
says "needs a backfill" axc diff v1:workflows workflows -w daily --fail-on breaking
fails 1 "the verdict is 'backfill'" axc diff v1:workflows workflows -w daily --fail-on safe
axc diff v1:workflows workflows -w daily -o change.svg
xmllint --noout change.svg
grep -q 'class="node task changed"' change.svg

# The index, as a hook before a commit sees it; a file on disk goes before a revision of that name.
flow daily three >workflows/daily.axf
git add workflows/daily.axf
flow daily four >workflows/daily.axf
says "+three" axc diff HEAD:workflows/daily.axf :workflows/daily.axf
flow daily five >HEAD:x.axf
says "+five" axc diff workflows/daily.axf HEAD:x.axf

# What git can't give. Nothing of a name is an option, and no shell looks at it.
fails 1 "git knows no revision 'nosuch'" axc diff nosuch:workflows workflows
fails 1 "there is no 'nix' in revision 'HEAD'" axc diff HEAD:nix workflows
fails 1 "names no revision" axc diff --workflow daily -- -x:workflows workflows
# shellcheck disable=SC2016
fails 1 'git knows no revision '"'"'$(touch evil)'"'" axc diff '$(touch evil):x' workflows
[ ! -e evil ]
cd "$TMPDIR"
mkdir -p outside && cd outside
flow w one >w.axf
fails 3 "not a git repository" axc diff HEAD:w.axf w.axf
bin=$(dirname "$(command -v axc)")
fails 3 "can't run git" env PATH="$bin" axc diff HEAD:w.axf w.axf
grep -q "^help: install git" err

# Errors on either side: no half comparison.
printf 'workflow w {\n  task a { rum = "x" }\n}\n' >bad.axf
fails 1 "error[E0203]" axc diff bad.axf w.axf
fails 1 "error[E0203]" axc diff w.axf bad.axf
[ ! -s out ]
rm bad.axf

# The same bytes in every process.
for i in 1 2 3; do
    axc diff "$TMPDIR/repo/workflows" . -w daily -o "$i.svg" --after 2026-11-30
    axc diff "$TMPDIR/repo/workflows/daily.axf" w.axf -o "$i.json" --after 2026-11-30
    cmp 1.svg "$i.svg"
    cmp 1.json "$i.json"
done
python3 -m json.tool 1.json >/dev/null
