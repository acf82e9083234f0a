/* durations.c - how long tasks take, from a JSON object of names and seconds, for critical paths. */
#include "tools/axc/durations.h"

#include "dsl/base/file.h"
#include "dsl/base/map.h"
#include "dsl/model/json_in.h"

#define DURATIONS_BYTES_MAX ((size_t)256 << 20)
#define DEFAULT_MS 1000 /* of a task that the file does not have */
#define SECONDS_MAX 1e9

static ax_rc seconds_of(const ax_value *v, const char *path, ax_str name, int64_t *ms, ax_err *err)
{
    double seconds = v->kind == AX_T_INT ? (double)v->u.i : v->kind == AX_T_FLOAT ? v->u.f : -1;
    if (!(seconds >= 0 && seconds <= SECONDS_MAX))
        return ax_fail(err, AX_INVALID, "%s: '%.*s' has no number of seconds", path, AX_STR(name));
    *ms = (int64_t)(seconds * 1000 + 0.5);
    return AX_OK;
}

/* The entry for a node: by its own name, else by that of its definition. */
static uint32_t entry_of(const ax_map *names, const ax_plan *plan, uint32_t node)
{
    uint32_t at = ax_map_get(names, plan->nodes[node].name);
    return at != AX_MAP_NONE ? at : ax_map_get(names, plan->defs[plan->nodes[node].def].name);
}

static void warn_unused(ax_cli *cli, const ax_value *object, const bool *used, const char *path)
{
    for (uint32_t i = 0; i < object->u.map.len; i++) {
        if (used[i]) continue;
        ax_out_styled(&cli->msg, AX_STYLE_YELLOW, AX_LIT("warning: "));
        ax_out_addf(&cli->msg, "%s: there is no node '", path);
        ax_out_safe(&cli->msg, object->u.map.keys[i]);
        ax_out_adds(&cli->msg, "'\n");
    }
}

/* Durations by node, from a JSON object of names and seconds. */
ax_rc ax_durations_read(ax_cli *cli, const char *path, const ax_plan *plan, const int64_t **out, ax_err *err)
{
    ax_sources sources = ax_sources_new(&cli->mem);
    ax_source *source;
    ax_value object;
    if (ax_sources_read(&sources, path, &source, err)) return AX_IO;
    ax_rc rc = ax_json_read(&cli->mem, source->text, 2, &object, err);
    if (!rc && object.kind != AX_T_MAP) rc = ax_fail(err, AX_INVALID, "it is no object of names and seconds");
    if (rc) {
        ax_err_prefix(err, "%s", path);
        return rc;
    }
    ax_map names = {0};
    int64_t *entries = AX_NEW_N(&cli->mem, int64_t, object.u.map.len);
    for (uint32_t i = 0; i < object.u.map.len && !rc; i++) {
        ax_map_add(&cli->mem, &names, object.u.map.keys[i], i);
        rc = seconds_of(&object.u.map.at[i], path, object.u.map.keys[i], &entries[i], err);
    }
    bool *used = AX_NEW_N(&cli->mem, bool, object.u.map.len);
    int64_t *durations = AX_NEW_N(&cli->mem, int64_t, plan->node_count);
    for (uint32_t n = 0; n < plan->node_count && !rc; n++) {
        uint32_t at = entry_of(&names, plan, n);
        durations[n] = at == AX_MAP_NONE ? DEFAULT_MS : entries[at];
        if (at != AX_MAP_NONE) used[at] = true;
    }
    if (!rc) warn_unused(cli, &object, used, path);
    *out = durations;
    return rc;
}
