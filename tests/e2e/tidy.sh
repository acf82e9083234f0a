#!/bin/sh
# The house rules find each kind of mistake: a small tree with one mistake a line is held against them.
set -eu
root=$PWD
tree=$TMPDIR/tree
mkdir -p "$tree/tools/dev" "$tree/dsl/base" "$tree/dsl/model" "$tree/runtime/core" "$tree/docs/errors"
cp "$root/tools/dev/tidy" "$root/tools/dev/layers.txt" "$tree/tools/dev"
cd "$tree"

printf 'AX_DIAG(E9001, AX_ERROR, "x")\n' >dsl/base/diag.def
cat >dsl/base/a.h <<'EOF'
/* a.h - a header. */
#include "dsl/model/b.h"

/* A comment covers what follows without an empty line. */
int covered(int x);
int covered_too(int (*call)(int, int), const char *text);

int bare(int x);
int wide(int a, int b, int c, int d, int e, int f, int g, int h, int i); /* a trailing comment is none */
EOF
cat >dsl/model/b.h <<'EOF'
/* b.h - a header. */
#include "dsl/base/a.h"
EOF
cat >dsl/model/b.c <<'EOF'
#include <openssl/evp.h>

#include "dsl/model/b.h"
#include "runtime/core/no_such.h"

static int counter;
static const char *names[] = {"one"};
static const char *const fixed[] = {"one"};
struct thing {
    int x;
};

static int calls(char *to, const char *from)
{
    static int last;
    strcpy(to, from);
    malloc(3);
    /* strcpy(to, from) in a comment, "strcpy(to)" in a string */
    last = "strcpy(to)"[0] + counter;
    for (;;) {
        for (;;) {
            for (;;) {
                if (last) return 0;
            }
        }
    }
    return last; /* NOT YET */
}
EOF
sed -i 's/NOT YET/FIX''ME/' dsl/model/b.c
{
    printf '/* c.c - a file. */\nvoid f(struct run *r)\n{\n    r->state = 1;\n'
    printf '    if (r->state == 2) g((struct run){.state = 3});\n'
    for i in $(seq 70); do echo "    r++;"; done
    printf '}\n'
} >runtime/core/c.c

if tools/dev/tidy >"$TMPDIR/found" 2>&1; then
    echo "tidy found nothing"
    exit 1
fi
cat "$TMPDIR/found"

expect() {
    grep -q "^$1" "$TMPDIR/found" || { echo "not found: $1"; exit 1; }
}
expect 'dsl/base/diag.def:1: no page docs/errors/CODE.md for E9001'
expect 'dsl/base/a.h:2: dsl/base may not include dsl/model'
expect 'dsl/base/a.h:8: prototype without a comment'
expect 'dsl/base/a.h:9: prototype without a comment'
expect 'dsl/base/a.h:9: 9 parameters (at most 8)'
expect 'dsl/base/a.h:1: include cycle'
expect 'dsl/base:1: has no README.md'
expect 'dsl/model/b.c:1: does not begin with a comment'
expect 'dsl/model/b.c:1: <openssl/evp.h> is for dsl/base/hash.c only'
expect 'dsl/model/b.c:1: the own header is not the first include'
expect 'dsl/model/b.c:4: runtime/core/no_such.h: no such file'
expect 'dsl/model/b.c:6: mutable variable'
expect 'dsl/model/b.c:7: mutable variable'
expect 'dsl/model/b.c:15: mutable variable'
expect 'dsl/model/b.c:16: strcpy is banned here'
expect 'dsl/model/b.c:17: malloc is banned here'
expect 'dsl/model/b.c:23: nested deeper than 3'
expect 'dsl/model/b.c:27: a note about unfinished work'
expect 'runtime/core/c.c:3: function of'
expect 'runtime/core/c.c:4: a state is set outside its door'

for right in 'dsl/base/a.h:[56]:' 'dsl/model/b.c:8:' 'dsl/model/b.c:1[89]:' 'runtime/core/c.c:5:'; do
    if grep "^$right" "$TMPDIR/found" | grep -v 'house format'; then
        echo "found where nothing is wrong"
        exit 1
    fi
done
