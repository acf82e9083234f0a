/* unit.c - one file on its way: read, compiled, shown. */
#include <string.h>

#include "dsl/base/diag_render.h"
#include "dsl/base/file.h"
#include "dsl/base/nearest.h"
#include "dsl/model/plan_json.h"
#include "tools/axc/axc.h"

#define SHOWN_BYTES_MAX ((size_t)16 << 20)

static void start(ax_unit *unit)
{
    *unit = (ax_unit){.mem = AX_ARENA_INIT};
    unit->sources = ax_sources_new(&unit->mem);
    unit->diags = ax_diags_new(&unit->mem, &unit->sources);
}

ax_rc ax_unit_text(ax_unit *unit, ax_str path, ax_str text, ax_err *err)
{
    start(unit);
    return ax_sources_add(&unit->sources, path, text, &unit->source, err) ? AX_IO : AX_OK;
}

ax_rc ax_unit_read(ax_unit *unit, const char *path, ax_err *err)
{
    start(unit);
    return ax_sources_read(&unit->sources, path, &unit->source, err) ? AX_IO : AX_OK;
}

void ax_unit_compile(ax_unit *unit)
{
    ax_compile(&unit->mem, unit->source, &unit->diags, &unit->compiled);
    ax_diags_sort(&unit->diags);
}

void ax_unit_show(ax_unit *unit, ax_out *out)
{
    ax_buf text = AX_BUF_INIT(SHOWN_BYTES_MAX);
    ax_diags_text(&unit->diags, out->color, &text);
    if (text.len) ax_buf_addc(&text, '\n'); /* an empty line between the files */
    ax_out_add(out, ax_buf_str(&text));
    ax_buf_free(&text);
}

void ax_unit_free(ax_unit *unit)
{
    ax_arena_free(&unit->mem);
}

/* ---- choosing a workflow ---- */

static ax_rc no_such_workflow(const ax_unit *unit, const char *name, ax_err *err)
{
    ax_nearest near = ax_nearest_start(ax_str_of(name));
    for (uint32_t i = 0; i < unit->compiled.plan_count; i++)
        ax_nearest_offer(&near, unit->compiled.plans[i]->name);
    ax_rc rc = ax_fail(err, AX_NOT_FOUND, "%.*s has no workflow '%s'", AX_STR(unit->source->path), name);
    if (near.best.len) ax_err_help(err, "did you mean '%.*s'?", AX_STR(near.best));
    return rc;
}

static ax_rc which_workflow(ax_cli *cli, const ax_unit *unit, ax_err *err)
{
    ax_buf names = AX_BUF_INIT(sizeof err->help);
    for (uint32_t i = 0; i < unit->compiled.plan_count; i++) {
        ax_buf_addf(&names, "%s%.*s", i ? ", " : "", AX_STR(unit->compiled.plans[i]->name));
    }
    ax_rc rc = ax_cli_misused(cli, err, "%.*s has several workflows", AX_STR(unit->source->path));
    ax_err_help(err, "say which one with --workflow: %.*s", AX_STR(ax_buf_str(&names)));
    ax_buf_free(&names);
    return rc;
}

static ax_rc choose(ax_cli *cli, const ax_unit *unit, const char *name, ax_plan **plan, ax_err *err)
{
    const ax_compiled *c = &unit->compiled;
    if (!c->plan_count) return ax_fail(err, AX_NOT_FOUND, "%.*s has no workflow", AX_STR(unit->source->path));
    if (!name && c->plan_count > 1) return which_workflow(cli, unit, err);
    for (uint32_t i = 0; i < c->plan_count; i++) {
        if (name && !ax_str_is(c->plans[i]->name, name)) continue;
        *plan = c->plans[i];
        return AX_OK;
    }
    return no_such_workflow(unit, name, err);
}

ax_rc ax_unit_workflow(ax_cli *cli, ax_unit *unit, const char *path, const char *name, ax_plan **plan,
                       ax_err *err)
{
    ax_rc rc = ax_unit_read(unit, path, err);
    if (rc) return rc;
    ax_unit_compile(unit);
    ax_unit_show(unit, &cli->msg);
    if (unit->diags.errors) return ax_cli_failed(err);
    rc = choose(cli, unit, name, plan, err);
    if (!rc && !(*plan)->hash[0]) ax_plan_seal(*plan);
    return rc;
}

/* ---- results ---- */

ax_rc ax_result_write(ax_cli *cli, const char *path, ax_str text, ax_err *err)
{
    if (path && strcmp(path, "-") != 0) return ax_file_write(path, text, err) ? AX_IO : AX_OK;
    ax_out_add(&cli->out, text);
    return AX_OK;
}
