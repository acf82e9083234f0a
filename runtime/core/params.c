/* params.c - the parameters of a run: given as text, checked against the plan, kept as one JSON object. */
#include "runtime/core/params_int.h"

#include "dsl/base/assert.h"
#include "dsl/model/json_in.h"
#include "dsl/model/param.h"
#include "runtime/core/render.h"

enum { PARAMS_BYTES_MAX = 64 << 20, JSON_DEPTH_MAX = 32 };

ax_rc ax_params_json(const ax_plan *plan, const ax_str *names, const ax_str *texts, uint32_t count,
                     ax_arena *mem, ax_str *json, ax_err *err)
{
    ax_value *values = AX_NEW_N(mem, ax_value, plan->param_count);
    ax_rc rc = ax_params_given(plan, names, texts, count, mem, values, err);
    if (rc) return rc;
    ax_buf text = AX_BUF_INIT(PARAMS_BYTES_MAX);
    ax_json j = ax_json_start(&text, 0);
    ax_json_obj(&j);
    for (uint32_t p = 0; p < plan->param_count; p++) {
        ax_json_keys(&j, plan->params[p].name);
        ax_value_json(&values[p], &j);
    }
    ax_json_end(&j);
    if (text.full) rc = ax_fail(err, AX_INVALID, "the parameters are longer than %d bytes", PARAMS_BYTES_MAX);
    else *json = ax_str_dup(mem, ax_buf_str(&text));
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
        uint32_t p = ax_param_find(plan, object.u.map.keys[i]);
        if (p != AX_NONE) rc = retype(mem, &plan->params[p], &object.u.map.at[i], &values[p], err);
    }
    return rc;
}
