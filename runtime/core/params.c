/* params.c - the parameters of a run: given as text, checked against the plan, kept as one JSON object. */
#include "runtime/core/params_int.h"

#include "dsl/base/assert.h"
#include "dsl/base/nearest.h"
#include "dsl/model/json_in.h"
#include "runtime/core/render.h"

enum { PARAM_BYTES_MAX = 1 << 20, PARAMS_BYTES_MAX = 64 << 20, JSON_DEPTH_MAX = 32 };

static uint32_t find_param(const ax_plan *plan, ax_str name)
{
    for (uint32_t p = 0; p < plan->param_count; p++)
        if (ax_str_eq(plan->params[p].name, name)) return p;
    return AX_NONE;
}

static ax_rc refuse_unknown(const ax_plan *plan, ax_str name, ax_err *err)
{
    ax_rc rc =
        ax_fail(err, AX_INVALID, "workflow %.*s has no parameter '%.*s'", AX_STR(plan->name), AX_STR(name));
    ax_nearest near = ax_nearest_start(name);
    for (uint32_t p = 0; p < plan->param_count; p++) ax_nearest_offer(&near, plan->params[p].name);
    if (near.best.len) ax_err_help(err, "did you mean '%.*s'?", AX_STR(near.best));
    return rc;
}

static bool is_allowed(const ax_param *param, const ax_value *value)
{
    if (param->has_range && (value->u.i < param->range_from || value->u.i > param->range_to)) return false;
    for (uint32_t i = 0; i < param->allowed_count; i++)
        if (ax_value_eq(&param->allowed[i], value)) return true;
    return param->allowed_count == 0;
}

static ax_rc refuse_value(const ax_param *param, ax_str text, ax_err *err)
{
    ax_rc rc =
        ax_fail(err, AX_INVALID, "parameter '%.*s' cannot be '%.*s'", AX_STR(param->name), AX_STR(text));
    ax_buf allowed = AX_BUF_INIT(sizeof err->help / 2);
    if (param->has_range)
        ax_buf_addf(&allowed, "%lld..%lld", (long long)param->range_from, (long long)param->range_to);
    for (uint32_t i = 0; i < param->allowed_count; i++) {
        if (i) ax_buf_adds(&allowed, ", ");
        ax_value_source(&param->allowed[i], &allowed);
    }
    ax_err_help(err, "allowed: %.*s", AX_STR(ax_buf_str(&allowed)));
    ax_buf_free(&allowed);
    return rc;
}

static ax_rc read_given(const ax_param *param, ax_str text, ax_arena *mem, ax_value *value, ax_err *err)
{
    if (text.len > PARAM_BYTES_MAX)
        return ax_fail(err, AX_INVALID, "parameter '%.*s' is longer than %d bytes", AX_STR(param->name),
                       PARAM_BYTES_MAX);
    ax_rc rc = ax_value_parse(mem, &param->type, text, value, err);
    if (rc) ax_err_prefix(err, "parameter '%.*s'", AX_STR(param->name));
    if (!rc && !is_allowed(param, value)) rc = refuse_value(param, text, err);
    return rc;
}

ax_rc ax_params_json(const ax_plan *plan, const ax_str *names, const ax_str *texts, uint32_t count,
                     ax_arena *mem, ax_str *json, ax_err *err)
{
    ax_value *values = AX_NEW_N(mem, ax_value, plan->param_count);
    bool *given = AX_NEW_N(mem, bool, plan->param_count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = find_param(plan, names[i]);
        if (p == AX_NONE) return refuse_unknown(plan, names[i], err);
        if (given[p]) return ax_fail(err, AX_INVALID, "parameter '%.*s' is given twice", AX_STR(names[i]));
        ax_rc rc = read_given(&plan->params[p], texts[i], mem, &values[p], err);
        if (rc) return rc;
        given[p] = true;
    }
    ax_buf text = AX_BUF_INIT(PARAMS_BYTES_MAX);
    ax_json j = ax_json_start(&text, 0);
    ax_rc rc = AX_OK;
    ax_json_obj(&j);
    for (uint32_t p = 0; p < plan->param_count && !rc; p++) {
        const ax_param *param = &plan->params[p];
        if (!given[p] && !param->has_default)
            rc = ax_fail(err, AX_INVALID, "parameter '%.*s' is not given and has no default",
                         AX_STR(param->name));
        ax_json_keys(&j, param->name);
        ax_value_json(given[p] ? &values[p] : &param->otherwise, &j);
    }
    ax_json_end(&j);
    if (!rc && text.full)
        rc = ax_fail(err, AX_INVALID, "the parameters are longer than %d bytes", PARAMS_BYTES_MAX);
    if (!rc) *json = ax_str_dup(mem, ax_buf_str(&text));
    ax_buf_free(&text);
    return rc;
}

/* A JSON value as one of the parameter's type: through the text form, which is where the two agree. */
static ax_rc retype(ax_arena *mem, const ax_param *param, const ax_value *item, ax_value *out, ax_err *err)
{
    if (item->kind == AX_T_NULL) {
        *out = *item;
        return AX_OK;
    }
    ax_buf text = AX_BUF_INIT(PARAMS_BYTES_MAX);
    ax_value_text(item, &text);
    ax_rc rc = ax_value_parse(mem, &param->type, ax_buf_str(&text), out, err);
    ax_buf_free(&text);
    if (rc) ax_err_prefix(err, "stored parameter '%.*s'", AX_STR(param->name));
    return rc;
}

ax_rc ax_params_read(ax_arena *mem, const ax_plan *plan, ax_str json, ax_value *values, ax_err *err)
{
    ax_value object = {.kind = AX_T_MAP};
    ax_rc rc = json.len ? ax_json_read(mem, json, JSON_DEPTH_MAX, &object, err) : AX_OK;
    if (!rc && object.kind != AX_T_MAP) rc = ax_fail(err, AX_INVALID, "no JSON object");
    if (rc) {
        ax_err_prefix(err, "stored parameters");
        return rc;
    }
    for (uint32_t p = 0; p < plan->param_count; p++)
        values[p] = plan->params[p].has_default ? plan->params[p].otherwise : (ax_value){.kind = AX_T_NULL};
    for (uint32_t i = 0; i < object.u.map.len && !rc; i++) {
        uint32_t p = find_param(plan, object.u.map.keys[i]);
        if (p != AX_NONE) rc = retype(mem, &plan->params[p], &object.u.map.at[i], &values[p], err);
    }
    return rc;
}
