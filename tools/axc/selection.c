/* selection.c - the options --select and --baseline, which several commands take.
 *
 * A baseline is what the same workflows were: files, folders or documents. A workflow that it does not have
 * is new as a whole.
 */
#include "dsl/model/plan_json.h"
#include "tools/axc/axc.h"

static const ax_plan nothing; /* the baseline of a new workflow */

/* ---- baselines ---- */

static bool is_document(ax_str text)
{
    size_t at = 0;
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\n' || text.ptr[at] == '\t')) at++;
    return at < text.len && text.ptr[at] == '{';
}

static ax_rc add_document(ax_selection *s, ax_unit *unit, ax_err *err)
{
    ax_plan *plan;
    ax_rc rc = ax_plan_read(&unit->mem, unit->source->text, &plan, err);
    if (rc) ax_err_prefix(err, "%.*s", AX_STR(unit->source->path));
    else ax_vec_push(&s->cli->mem, &s->baseline, plan);
    return rc;
}

static ax_rc add_baseline(ax_selection *s, const char *path, ax_err *err)
{
    ax_unit *unit = AX_NEW(&s->cli->mem, ax_unit);
    ax_rc rc = ax_unit_read(unit, path, err);
    ax_vec_push(&s->cli->mem, &s->units, unit);
    if (rc) return rc;
    if (is_document(unit->source->text)) return add_document(s, unit, err);
    ax_unit_compile(unit);
    if (unit->diags.errors) {
        ax_unit_show(unit, &s->cli->msg);
        return ax_fail(err, AX_INVALID, "the baseline %s has an error", path);
    }
    for (uint32_t i = 0; i < unit->compiled.plan_count; i++)
        ax_vec_push(&s->cli->mem, &s->baseline, unit->compiled.plans[i]);
    return AX_OK;
}

static ax_rc read_baseline(ax_selection *s, const char *path, ax_err *err)
{
    ax_files files = {0};
    ax_rc rc = ax_files_find(s->cli, &(ax_strings){.at = &path, .count = 1}, &files, err);
    for (uint32_t i = 0; i < files.paths.len && !rc; i++) rc = add_baseline(s, files.paths.at[i], err);
    s->has_baseline = !rc;
    return rc;
}

static const ax_plan *baseline_of(const ax_selection *s, const ax_plan *plan)
{
    if (!s->has_baseline) return NULL;
    for (uint32_t i = 0; i < s->baseline.len; i++)
        if (ax_str_eq(s->baseline.at[i]->name, plan->name)) return s->baseline.at[i];
    return &nothing;
}

/* ---- selections ---- */

ax_rc ax_selection_open(ax_selection *s, ax_cli *cli, const char *text, const char *baseline, ax_err *err)
{
    ax_text_err error;
    *s = (ax_selection){.cli = cli, .text = ax_str_of(text)};
    if (!text) return baseline ? ax_cli_misused(cli, err, "'--baseline' is for '--select state:…'") : AX_OK;
    if (!ax_select_parse(&cli->mem, s->text, &s->select, &error)) {
        ax_place_show(cli, AX_ERROR, s->text, &error);
        cli->misused = true;
        return AX_INVALID;
    }
    return baseline ? read_baseline(s, baseline, err) : AX_OK;
}

ax_rc ax_selection_check(const ax_selection *s, const ax_plan *const *plans, uint32_t count, ax_err *err)
{
    ax_text_err error;
    if (!s->select || ax_select_check(s->select, plans, count, s->has_baseline, &error)) return AX_OK;
    ax_place_show(s->cli, AX_ERROR, s->text, &error);
    return ax_cli_failed(err);
}

ax_node_set ax_selection_nodes(const ax_selection *s, const ax_plan *plan, ax_arena *mem)
{
    return ax_select_nodes(s->select, plan, baseline_of(s, plan), mem);
}

void ax_selection_close(ax_selection *s)
{
    for (uint32_t i = 0; i < s->units.len; i++) ax_unit_free(s->units.at[i]);
}
