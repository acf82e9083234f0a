/* words.c - words of the language said to people. The schema says what there is; here is how it reads. */
#include "compiler/lsp/words_int.h"

#include <string.h>

typedef struct {
    const char *of, *word, *doc;
} word_row;

static const word_row rows[] = {
    {"outcome", "succeeded", "the node has done its work (what an edge without a word waits for)"},
    {"outcome", "failed", "its last attempt failed"},
    {"outcome", "skipped", "it was skipped, for whatever reason"},
    {"outcome", "passed", "it succeeded, or was skipped but not because of a failure"},
    {"outcome", "done", "it has ended, however"},
    {"failure_policy", "skip", "what needs it is skipped; other branches go on; the run ends FAILED"},
    {"failure_policy", "pause", "what stands behind it is held until a person decides"},
    {"failure_policy", "ignore", "its edges count as succeeded"},
    {"failure_policy", "branch", "failing is one of its expected ends; needs an edge from :failed or :done"},
    {"failure_policy", "abort", "nothing new starts, what runs is cancelled; the run ends FAILED"},
    {"catchup", "none", "missed instants are not made up for"},
    {"catchup", "latest", "only the latest missed instant"},
    {"catchup", "all", "every missed instant in the window"},
    {"join", "all", "no edge is dead, at least one is satisfied, the rest are void"},
    {"join", "any", "one edge is satisfied"},
    {"join", "strict", "every edge is satisfied"},
    {"on", "timeout", "the attempt took longer than its timeout"},
    {"on", "lost", "nobody knows how the attempt ended"},
    {"on", "any", "every failure"},
    {"root", "date", "the business date of the run"},
    {"root", "yesterday", "the day before the business date"},
    {"root", "tomorrow", "the day after the business date"},
    {"root", "scheduled_at", "the instant that the run is for"},
    {"root", "interval.start", "the instant that the run is for"},
    {"root", "interval.end", "the next instant of the schedule"},
    {"root", "run.id", "the id of the run"},
    {"root", "node.name", "the name of the node, with its copy"},
    {"root", "attempt", "the number of the attempt, from 1"},
};

const char *ax_word_doc(const char *of, ax_str word)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].of, of) == 0 && ax_str_is(word, rows[i].word)) return rows[i].doc;
    return NULL;
}

bool ax_word_row(uint32_t i, const char **of, const char **word)
{
    if (i >= sizeof rows / sizeof *rows) return false;
    *of = rows[i].of;
    *word = rows[i].word;
    return true;
}

/* ---- shapes ---- */

bool ax_form_next(const char **form, ax_str *out)
{
    const char *at = *form + strspn(*form, " |,[]");
    int depth = 0;
    size_t len = 0;
    for (; at[len] && (depth > 0 || !strchr("|,[]", at[len])); len++)
        depth += (at[len] == '(') - (at[len] == ')');
    *form = at + len;
    while (len > 0 && at[len - 1] == ' ') len--;
    *out = (ax_str){at, len};
    return len > 0;
}

static bool is_word_list(const ax_attr_row *row)
{
    bool is_symbol = row->form == AX_FORM_SYMBOL || row->form == AX_FORM_SYMBOLS;
    return is_symbol && strcmp(row->type, "name") != 0;
}

/* Appends the words of a list with `between` between them. */
static void add_words(const char *list, const char *between, ax_buf *out)
{
    for (; *list; list++) {
        if (*list == ' ') ax_buf_adds(out, between);
        else ax_buf_addc(out, *list);
    }
}

void ax_attr_values(const ax_attr_row *row, ax_buf *out)
{
    if (is_word_list(row)) {
        ax_buf_adds(out, "one of ");
        add_words(row->type, ", ", out);
    } else if (row->form == AX_FORM_SYMBOLS) ax_buf_adds(out, "a list of names");
    else if (row->form == AX_FORM_TEMPLATE) ax_buf_adds(out, "string with {{ }}");
    else if (row->form == AX_FORM_EXPR) ax_buf_addf(out, "%s, computed in the run", row->type);
    else ax_buf_adds(out, row->type);
}

/* The first allowed value that a snippet offers; $1 stands in it. */
static void add_value(const ax_attr_row *row, ax_buf *out)
{
    static const struct {
        const char *type, *value;
    } values[] = {
        {"string", "\"$1\""},    {"bool", "${1|true,false|}"}, {"duration", "${1:10m}"},    {"int", "${1:1}"},
        {"percent", "${1:10}%"}, {"list(string)", "[$1]"},     {"date", "${1:2026-01-01}"},
    };
    if (is_word_list(row)) {
        ax_buf_adds(out, "${1|");
        add_words(row->type, ",", out);
        ax_buf_adds(out, "|}");
        return;
    }
    bool is_free = row->form == AX_FORM_SPECIAL || row->form == AX_FORM_EXPR;
    for (size_t i = 0; !is_free && i < sizeof values / sizeof *values; i++) {
        if (strcmp(row->type, values[i].type) != 0) continue;
        ax_buf_adds(out, values[i].value);
        return;
    }
    ax_buf_adds(out, row->type[0] == '[' || row->form == AX_FORM_SYMBOLS ? "[$1]" : "$1");
}

void ax_attr_snippet(const ax_attr_row *row, ax_buf *out)
{
    ax_buf_addf(out, "%s = ", row->name);
    add_value(row, out);
}

static const char *label_snippet(ax_label_rule rule)
{
    switch (rule) {
    case AX_LABEL_NAME: return " ${1:name}";
    case AX_LABEL_ASSIGNED: return " ${1:name} = $0";
    case AX_LABEL_TYPED: return " ${1:name} : ${2:string}";
    case AX_LABEL_NONE:
    case AX_LABEL_OPTIONAL: break;
    }
    return "";
}

void ax_kind_snippet(ax_kind kind, ax_buf *out)
{
    const ax_kind_row *row = &ax_schema_kinds[kind];
    bool has_braces = row->body != AX_BODY_NONE && row->body != AX_BODY_OPTIONAL_ITEMS;
    ax_buf_addf(out, "%s%s%s", row->name, label_snippet(row->label), has_braces ? " {\n\t$0\n}" : "");
}
