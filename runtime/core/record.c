/* record.c - the names under which enum values of rows are stored and shown. */
#include "runtime/core/record.h"

#include "dsl/base/assert.h"

static const char *const effect_names[AX_EFFECT_COUNT] = {
    [AX_EFFECT_START] = "START", [AX_EFFECT_STOP] = "STOP"};

static const char *const machine_names[AX_MACHINE_COUNT] = {
    [AX_MACHINE_RUN] = "run",
    [AX_MACHINE_NODE] = "node",
    [AX_MACHINE_INSTANCE] = "instance",
    [AX_MACHINE_GHOST] = "ghost",
};

static const ax_fsm *const machine_fsms[AX_MACHINE_COUNT] = {
    [AX_MACHINE_RUN] = &ax_run_fsm,
    [AX_MACHINE_NODE] = &ax_node_fsm,
    [AX_MACHINE_INSTANCE] = &ax_instance_fsm,
    [AX_MACHINE_GHOST] = &ax_instance_fsm,
};

#define X(id, name, text) [AX_REASON_##id] = name,
static const char *const reason_names[AX_REASON_COUNT] = {AX_REASONS(X)};
#undef X
#define X(id, name, text) [AX_REASON_##id] = text,
static const char *const reason_texts[AX_REASON_COUNT] = {AX_REASONS(X)};
#undef X

const char *ax_effect_name(ax_effect_kind kind)
{
    AX_ASSERT(kind < AX_EFFECT_COUNT);
    return effect_names[kind];
}

const char *ax_machine_name(ax_machine machine)
{
    AX_ASSERT(machine < AX_MACHINE_COUNT);
    return machine_names[machine];
}

const ax_fsm *ax_machine_fsm(ax_machine machine)
{
    AX_ASSERT(machine < AX_MACHINE_COUNT);
    return machine_fsms[machine];
}

const char *ax_reason_name(ax_reason reason)
{
    AX_ASSERT(reason < AX_REASON_COUNT);
    return reason_names[reason];
}

ax_reason ax_reason_find(ax_str name)
{
    for (uint32_t r = 0; r < AX_REASON_COUNT; r++)
        if (ax_str_is(name, reason_names[r])) return (ax_reason)r;
    return AX_REASON_COUNT;
}

const char *ax_reason_text(ax_reason reason)
{
    AX_ASSERT(reason < AX_REASON_COUNT);
    return reason_texts[reason];
}
