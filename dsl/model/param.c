/* param.c - see param.h. */
#include "dsl/model/param.h"

#include "dsl/base/nearest.h"
#include "dsl/base/utf8.h"

uint32_t ax_param_find(const ax_plan *plan, ax_str name)
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
    if (text.len > AX_PARAM_BYTES_MAX)
        return ax_fail(err, AX_INVALID, "parameter '%.*s' is longer than %u bytes", AX_STR(param->name),
                       AX_PARAM_BYTES_MAX);
    ax_rc rc = ax_value_parse(mem, &param->type, text, value, err);
    if (rc) ax_err_prefix(err, "parameter '%.*s'", AX_STR(param->name));
    if (!rc && !is_allowed(param, value)) rc = refuse_value(param, text, err);
    return rc;
}

ax_rc ax_params_given(const ax_plan *plan, const ax_str *names, const ax_str *texts, uint32_t count,
                      ax_arena *mem, ax_value *values, ax_err *err)
{
    bool *given = AX_NEW_N(mem, bool, plan->param_count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = ax_param_find(plan, names[i]);
        if (p == AX_NONE) return refuse_unknown(plan, names[i], err);
        if (given[p]) return ax_fail(err, AX_INVALID, "parameter '%.*s' is given twice", AX_STR(names[i]));
        if (ax_utf8_invalid(texts[i]) < texts[i].len)
            return ax_fail(err, AX_INVALID, "parameter '%.*s' is not UTF-8", AX_STR(names[i]));
        ax_rc rc = read_given(&plan->params[p], texts[i], mem, &values[p], err);
        if (rc) return rc;
        given[p] = true;
    }
    for (uint32_t p = 0; p < plan->param_count; p++) {
        const ax_param *param = &plan->params[p];
        if (given[p]) continue;
        if (!param->has_default)
            return ax_fail(err, AX_INVALID, "parameter '%.*s' is not given and has no default",
                           AX_STR(param->name));
        values[p] = param->otherwise;
    }
    return AX_OK;
}
