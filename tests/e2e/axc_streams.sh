#!/bin/sh
# The command line's behaviour at its edges: closed and full streams, colours, completion, the manual page.
set -eu
root=$PWD
cd "$TMPDIR"
echo 'workflow w { task a { rum = "true" } }' >bad.axf
echo 'workflow w { task a { run = "true"  timeout = 1m } }' >good.axf

# code COMMAND: its exit code, whatever it prints.
code() {
    rc=0
    sh -c "$1" 2>err || rc=$?
    echo $rc
}

# A full disk and a closed output end with 3 and a message; a reader that goes away ends quietly.
[ "$(code 'axc compile good.axf >/dev/full')" = 3 ]
grep -q "can't write to standard output: No space left on device" err
[ "$(code 'axc compile good.axf >&-')" = 3 ]
grep -q "can't write to standard output" err
[ "$(code 'axc help --man >/dev/full')" = 3 ]
[ "$(code 'axc compile good.axf <&- >/dev/null')" = 0 ]
[ "$(code 'axc validate bad.axf >/dev/null 2>&-')" = 1 ]
{ rc=0; axc graph good.axf 2>err || rc=$?; echo $rc >code; } | true
case $(cat code) in 0 | 3) ;; *) cat code err; exit 1 ;; esac
[ ! -s err ]

# A file that is opened does not land on a closed standard stream.
sh -c 'axc validate good.axf bad.axf >&-' 2>err || true
grep -q 'bad.axf:1:23' err

# Colours only where somebody looks, or where they are asked for.
axc validate bad.axf 2>plain >/dev/null || true
if grep -q "$(printf '\033')" plain; then exit 1; fi
axc validate bad.axf --color always 2>colored >/dev/null || true
grep -q "$(printf '\033')" colored
NO_COLOR=1 axc --color=always explain >colored
grep -q "$(printf '\033')" colored

# A name can't steer the terminal through a message.
name=$(printf 'a\033[31mb.axf')
axc validate "$name" 2>err >/dev/null || true
if grep -q "$(printf '\033')" err; then exit 1; fi

# Completion offers commands and options.
complete() {
    bash -c '
        source <(axc help --bash)
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _axc_complete
        echo "${COMPREPLY[*]}"' bash "$@"
}
[ "$(complete axc va)" = validate ]
[ "$(complete axc fmt --ch)" = --check ]
[ "$(complete axc validate --format '')" = 'human json' ]

# The manual page is one that man reads without a complaint.
axc help --man >axc.1
if command -v man >/dev/null; then
    man -l --warnings axc.1 2>err | grep -q 'axc validate'
    [ ! -s err ] || { cat err; exit 1; }
fi

# A page is shown as it is written; on a terminal its marks become colours.
for page in "$root"/docs/errors/*.md; do
    code=${page##*/}
    axc explain "${code%.md}" | cmp - "$page"
done
axc explain unknown-attribute | cmp - "$root/docs/errors/E0203.md"
axc explain e0203 --color always | grep -q "$(printf '\033')"
if axc explain e0203 --color always | grep -q '```'; then exit 1; fi
