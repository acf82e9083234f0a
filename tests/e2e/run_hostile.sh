#!/bin/sh
# A hostile surrounding: a store that is gone while the folders of its attempts are kept, a limit on the
# size of files, an $AX_OUTPUT that is not what it was. Nothing old passes for new, and every end has its
# reason.
set -eu
cd "$TMPDIR"
export AX_HOME="$TMPDIR/home"

fail() { echo "run_hostile.sh: $*" >&2; cat out >&2 || true; exit 1; }
has() { grep -qF -- "$1" out || fail "no '$1' in the output"; }

# The store is deleted: a new run is not given the number, and so the attempts, of an old one.
cat >once.axf <<'END'
workflow once {
  defaults { timeout = 1m }
  task a { run = "echo ran >>effects" }
}
END
for run in 1 2 3; do
    rm -f "$AX_HOME"/ax.db*
    ax run once.axf >out 2>&1 || fail "run $run ended with $?"
    has "run $run of once succeeded"
done
[ "$(wc -l <effects)" = 3 ] || fail "3 runs had $(wc -l <effects) effects"

# The same for a store that is restored from a backup.
cp "$AX_HOME/ax.db" backup.db
ax run once.axf >out 2>&1
rm -f "$AX_HOME"/ax.db*
mv backup.db "$AX_HOME/ax.db"
ax run once.axf >out 2>&1 || fail "after the backup came back it ended with $?"
has 'run 5 of once succeeded'
[ "$(wc -l <effects)" = 5 ] || fail "5 runs had $(wc -l <effects) effects"

# A file that may not grow is an error that is told, not the end of the process.
{ (ulimit -f 0; ax run once.axf --home "$TMPDIR/small" || echo "ended with $?") 2>&1; } | cat >out
has 'reading or writing it failed: File too large'
has 'ended with 3'

# What stands behind a link is nobody's output.
cat >link.axf <<'END'
workflow link {
  defaults { timeout = 1m }
  task a { output x : string  run = "ln -s $PWD/secret $AX_OUTPUT" }
}
END
echo x=hidden >secret
ax run link.axf >out 2>&1 && fail "a link was read as an output"
has '$AX_OUTPUT is not a file any more'
