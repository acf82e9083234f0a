/* output.c - outputs of an attempt: checked against what its node declares, completed with defaults, kept. */
#include "dsl/base/assert.h"
#include "runtime/core/render.h"
#include "runtime/core/render_int.h"
#include "runtime/core/step_int.h"

enum { NOTE_BYTES_MAX = 512, DEFAULT_BYTES_MAX = 64 << 20 };

/* The text that the report has for a name, the last one if it stands twice; NULL: none. */
static const ax_str *reported(const ax_report *report, ax_str name)
{
    for (uint32_t i = report->output_count; i-- > 0;)
        if (ax_str_eq(report->names[i], name)) return &report->values[i];
    return NULL;
}

static ax_rc read_output(ax_step *s, uint32_t node, const ax_output *output, const ax_str *text,
                         ax_value *value, ax_err *err)
{
    ax_rc rc = AX_OK;
    if (text) {
        rc = ax_value_parse(s->view->mem, &output->type, *text, value, err);
    } else if (output->otherwise) {
        ax_scope scope = ax_render_scope(s->view, node, s->view->nodes[node].attempt);
        rc = ax_expr_eval(output->otherwise, &scope, s->view->mem, value, err);
    } else {
        *value = (ax_value){.kind = AX_T_NULL};
    }
    if (rc) ax_err_prefix(err, "output '%.*s'", AX_STR(output->name));
    return rc;
}

static ax_str unknown_names(ax_step *s, const ax_def *def, const ax_report *report)
{
    ax_buf note = AX_BUF_INIT(NOTE_BYTES_MAX);
    for (uint32_t i = 0; i < report->output_count; i++) {
        bool known = false;
        for (uint32_t o = 0; o < def->output_count; o++)
            known |= ax_str_eq(report->names[i], def->outputs[o].name);
        if (known) continue;
        ax_buf_addf(&note, "%s'%.*s'",
                    note.len ? ", " : "no such outputs are declared: ", AX_STR(report->names[i]));
    }
    ax_str out = ax_str_dup(s->view->mem, ax_buf_str(&note));
    ax_buf_free(&note);
    return out;
}

/* The text to store: as it was written, or of the default. */
static ax_str text_of(ax_step *s, const ax_str *text, const ax_value *value)
{
    if (text) return ax_str_dup(s->batch->mem, *text);
    ax_buf out = AX_BUF_INIT(DEFAULT_BYTES_MAX);
    ax_value_text(value, &out);
    AX_ASSERT(!out.full);
    ax_str copy = ax_str_dup(s->batch->mem, ax_buf_str(&out));
    ax_buf_free(&out);
    return copy;
}

static void keep(ax_step *s, uint32_t node, const ax_def *def, const ax_report *report, ax_value *values)
{
    s->view->info[node].outputs = values;
    for (uint32_t o = 0; o < def->output_count; o++) {
        if (values[o].kind == AX_T_NULL) continue;
        ax_output_rec row = {.node = node, .attempt = s->view->nodes[node].attempt, .output = o};
        row.value = text_of(s, reported(report, def->outputs[o].name), &values[o]);
        ax_vec_push(s->batch->mem, &s->batch->outputs,
                    (ax_output_change){.run = s->view->run.id, .row = row});
    }
}

ax_rc ax_step_outputs(ax_step *s, uint32_t node, const ax_report *report, bool lenient, ax_str *note,
                      ax_err *err)
{
    const ax_def *def = ax_view_def(s->view, node);
    ax_value *values = AX_NEW_N(s->view->mem, ax_value, def->output_count);
    for (uint32_t o = 0; o < def->output_count; o++) {
        const ax_output *output = &def->outputs[o];
        const ax_str *text = reported(report, output->name);
        if (!text && !output->otherwise && !lenient && !output->type.nullable)
            return ax_fail(err, AX_INVALID, "output '%.*s' was not written", AX_STR(output->name));
        ax_rc rc = read_output(s, node, output, text, &values[o], err);
        if (rc) return rc;
    }
    ax_str unknown = unknown_names(s, def, report);
    if (unknown.len && lenient) return ax_fail(err, AX_INVALID, "%.*s", AX_STR(unknown));
    if (note) *note = unknown;
    if (def->output_count) keep(s, node, def, report, values);
    return AX_OK;
}
