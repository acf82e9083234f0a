/* rules.c - the table of verdicts, and the words for what it is made of. */
#include "compiler/diff/diff.h"
#include "dsl/base/assert.h"

const ax_diff_rule_row ax_diff_rules[AX_RULE_COUNT] = {
#define AX_DIFF_RULE(id, name, subject, verdict, reason)                                                     \
    [AX_RULE_##id] = {name, AX_DIFF_OF_##subject, AX_VERDICT_##verdict, reason},
#include "compiler/diff/rules.def"
#undef AX_DIFF_RULE
};

static const struct {
    const char *name, *words;
} verdicts[AX_VERDICT_COUNT] = {
    [AX_VERDICT_SAME] = {"same", "no change"},
    [AX_VERDICT_COSMETIC] = {"cosmetic", "cosmetic"},
    [AX_VERDICT_SAFE] = {"safe", "safe"},
    [AX_VERDICT_BACKFILL] = {"backfill", "needs a backfill"},
    [AX_VERDICT_BREAKING] = {"breaking", "breaking"},
};

static const char *const ops[AX_DIFF_OP_COUNT] = {[AX_DIFF_ADDED] = "added",
                                                  [AX_DIFF_REMOVED] = "removed",
                                                  [AX_DIFF_CHANGED] = "changed",
                                                  [AX_DIFF_RENAMED] = "renamed"};

static const char *const subjects[AX_DIFF_OF_COUNT] = {[AX_DIFF_OF_WORKFLOW] = "workflow",
                                                       [AX_DIFF_OF_PARAM] = "param",
                                                       [AX_DIFF_OF_SCHEDULE] = "schedule",
                                                       [AX_DIFF_OF_NODE] = "node",
                                                       [AX_DIFF_OF_EDGE] = "edge"};

const char *ax_verdict_name(ax_verdict verdict)
{
    AX_ASSERT(verdict < AX_VERDICT_COUNT);
    return verdicts[verdict].name;
}

const char *ax_verdict_words(ax_verdict verdict)
{
    AX_ASSERT(verdict < AX_VERDICT_COUNT);
    return verdicts[verdict].words;
}

const char *ax_diff_op_name(ax_diff_op op)
{
    AX_ASSERT(op < AX_DIFF_OP_COUNT);
    return ops[op];
}

const char *ax_diff_subject_name(ax_diff_subject subject)
{
    AX_ASSERT(subject < AX_DIFF_OF_COUNT);
    return subjects[subject];
}
