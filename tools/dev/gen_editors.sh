#!/bin/sh
# gen_editors.sh [--check] - puts the language's words, from the tables in the code, into the grammars.
#
# A grammar names a list where it stands: below a line that says `words: LIST`, a line holds its words, in
# JSON as (?:a|b), in Vim behind the name of their group. The rest of the grammars is written by hand. --check
# changes nothing and fails if a list is not up to date.
set -eu
cd "$(dirname "$0")/../.."
grammars='tools/editors/vscode/syntaxes/axf.tmLanguage.json tools/editors/vim/syntax/axf.vim'

# The first string of each row of a table in a .def file.
column() {
    sed -n "s/^$1([^\"]*\"\\([a-z_]*\\)\".*/\\1/p" dsl/model/schema.def
}
# "X(KIND, "name"" of a list of macros.
x_names() {
    sed -n "/define $1(X)/,/^\$/p" "$2" | grep -o '"[a-z_.]*"' | tr -d '"'
}

words() {
    case $1 in
    blocks) column AX_KIND | grep -vx file ;;
    attributes) column AX_ATTR ;;
    types) x_names AX_TYPES dsl/model/value.h | grep -vxE 'null|any|map|range' ;;
    roots) x_names AX_ROOTS dsl/model/expr.h ;;
    functions) sed -n 's/^ *\.name = "\([a-z_]*\)",$/\1/p' dsl/model/expr_fn.c ;;
    outcomes) grep -o '\[AX_ON_[A-Z]*\] = "[a-z]*"' dsl/model/plan.c | cut -d'"' -f2 ;;
    values) # words of symbols, and of shapes: what stands there alone
        sed -n 's/^AX_ATTR(.*, SYMBOLS*, "\([a-z ]*\)".*/\1/p' dsl/model/schema.def |
            grep -vx name | tr ' ' '\n'
        shapes | grep -oE '(^|[[| ,])[a-z_]+($|[] |,])' | tr -dc 'a-z_\n' ;;
    forms) shapes | grep -oE '[a-z_]+\(' | tr -d '(' ;;
    *) echo "gen_editors: there is no list '$1'" >&2; return 1 ;;
    esac | sort -u
}
shapes() {
    sed -n 's/^AX_ATTR(.*, SPECIAL, "\(.*\)", "[^"]*",.*/\1/p' dsl/model/schema.def | grep -v '\\"' |
        sed 's/, */, /g; s/[a-z]* = [0-9a-z]*//g'
}

# The grammar with all its lists as they should be.
fill() {
    lists=$(grep -o 'words: [a-z]*' "$1" | sort -u | cut -d' ' -f2)
    for list in $lists; do
        found=$(words "$list" | tr '\n' ' ')
        [ -n "${found% }" ] || { echo "gen_editors: the list '$list' is empty" >&2; return 1; }
        echo "$list ${found% }"
    done | awk '
        NR == FNR { list = $1; sub(/^[^ ]* /, ""); words[list] = $0; next }
        wanted != "" {
            if (FILENAME ~ /json$/) {
                either = words[wanted]
                gsub(/\./, "[.]", either); gsub(/ /, "|", either)
                match($0, /\(\?:[^)]*\)/)
                $0 = substr($0, 1, RSTART - 1) "(?:" either ")" substr($0, RSTART + RLENGTH)
            } else $0 = $1 " " $2 " " $3 " contained " words[wanted]
            wanted = ""
        }
        /words: [a-z]+/ { wanted = $0; sub(/.*words: /, "", wanted); sub(/[^a-z].*/, "", wanted) }
        { print }' - "$1"
}

status=0
for grammar in $grammars; do
    new=$(mktemp)
    fill "$grammar" >"$new"
    if cmp -s "$new" "$grammar"; then :
    elif [ "${1:-}" = --check ]; then
        diff "$grammar" "$new" || true
        status=1
    else cat "$new" >"$grammar"
    fi
    rm -f "$new"
done
exit $status
