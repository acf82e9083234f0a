/* outlook_show.c - what a run would be, for people: its instant, the waves with their commands, what is left
 * out and why, the next instants, the critical path.
 */
#include "compiler/emit/expr_source.h"
#include "dsl/base/map.h"
#include "dsl/model/tz_text.h"
#include "dsl/model/units.h"
#include "tools/axc/outlook_int.h"

enum {
    COPIES_SHOWN = 3,    /* of a larger fan-out in one wave */
    CRITICAL_SHOWN = 20, /* tasks at either end of a longer critical path */
};
#define TEXT_BYTES_MAX ((size_t)32 << 20)

typedef struct {
    ax_outlook *o;
    ax_out *out;
    ax_arena mem; /* of one node */
    ax_buf text;
    ax_map shared; /* "NAME=value" of the environment that all tasks have, by text */
} view;

static const ax_def *def_of(const ax_outlook *o, uint32_t node)
{
    return &o->plan->defs[o->plan->nodes[node].def];
}

bool ax_outlook_has(const ax_outlook *o, uint32_t node)
{
    return ax_plan_kind(o->plan, node) != AX_NODE_GROUP && (!o->chosen || ax_node_set_has(o->chosen, node));
}

ax_str ax_outlook_cause(const ax_outlook *o, uint32_t node)
{
    uint32_t at = o->preview.nodes[node].edge;
    if (at == AX_NONE) return (ax_str){0};
    const ax_plan_edge *edge = &o->plan->edges[at];
    ax_str from = o->plan->nodes[edge->from].name;
    if (edge->outcome == AX_ON_SUCCEEDED) return from;
    return ax_str_fmt(&o->cli->mem, "%.*s:%s", AX_STR(from), ax_outcome_name((ax_outcome)edge->outcome));
}

void ax_outlook_whys(const ax_why *whys, uint32_t count, ax_buf *out)
{
    for (uint32_t i = 0; i < count; i++) {
        ax_buf_addf(out, "%s%s", i ? ", " : "", ax_why_name(whys[i].kind));
        if (whys[i].kind != AX_WHY_EXIT) continue;
        ax_buf_addf(out, "(%d", (int)whys[i].from);
        if (whys[i].to != whys[i].from) ax_buf_addf(out, "..%d", (int)whys[i].to);
        ax_buf_addc(out, ')');
    }
}

int64_t ax_outlook_before(const ax_outlook *o, const ax_due *due)
{
    return ax_zone_local(due->zone, o->run.date * (AX_DAY_MS / 1000)).first * 1000 - 1;
}

static void flush(view *v, ax_style style)
{
    ax_buf safe = AX_BUF_INIT(TEXT_BYTES_MAX);
    for (size_t i = 0; i < v->text.len; i++) {
        unsigned char c = (unsigned char)v->text.ptr[i];
        ax_buf_addc(&safe, (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? '?' : (char)c);
    }
    ax_out_styled(v->out, style, ax_buf_str(&safe));
    ax_buf_free(&safe);
    ax_buf_clear(&v->text);
}

/* ---- the run ---- */

static void show_label(view *v, const char *label)
{
    ax_buf_addf(&v->text, "  %-12s", label);
    flush(v, AX_STYLE_DIM);
}

static void show_run(view *v)
{
    const ax_preview_run *run = &v->o->run;
    ax_out_styled(v->out, AX_STYLE_BOLD, v->o->plan->name);
    ax_out_adds(v->out, " on ");
    ax_date_text(run->date, &v->text);
    ax_buf_addc(&v->text, '\n');
    flush(v, AX_STYLE_BOLD);
    show_label(v, run->schedule ? "due" : "not due");
    ax_zone_text(run->zone, run->scheduled_at, &v->text);
    ax_buf_adds(&v->text, "  ");
    ax_instant_text(run->scheduled_at, &v->text);
    if (run->due_count > 1) ax_buf_addf(&v->text, "  the first of %u instants on this date", run->due_count);
    if (!run->schedule) ax_buf_adds(&v->text, "  no schedule is due on this date: the beginning of the day");
    ax_buf_addc(&v->text, '\n');
    flush(v, AX_STYLE_PLAIN);
    show_label(v, "until");
    ax_zone_text(run->zone, run->interval_end, &v->text);
    ax_buf_adds(&v->text, "  ");
    ax_instant_text(run->interval_end, &v->text);
    ax_buf_adds(&v->text, "  ");
    ax_duration_text(run->interval_end - run->interval_start, &v->text);
    ax_buf_addc(&v->text, '\n');
    flush(v, AX_STYLE_PLAIN);
}

static void show_params(view *v)
{
    const ax_plan *plan = v->o->plan;
    if (plan->param_count == 0) return;
    show_label(v, "parameters");
    for (uint32_t i = 0; i < plan->param_count; i++) {
        ax_buf_addf(&v->text, "%s%.*s = ", i ? ", " : "", AX_STR(plan->params[i].name));
        ax_value_source(&v->o->params[i], &v->text);
    }
    ax_buf_addc(&v->text, '\n');
    flush(v, AX_STYLE_PLAIN);
}

/* ---- what a node says ---- */

static void add_waits(const ax_retry *r, ax_buf *out)
{
    if (r->backoff == AX_BACKOFF_EXPONENTIAL) {
        ax_buf_adds(out, " after ");
        ax_duration_text(r->base_ms, out);
        ax_buf_adds(out, ", each time ");
        ax_float_text(r->factor, out);
        ax_buf_adds(out, " times longer");
        if (!r->cap_ms) return;
        ax_buf_adds(out, ", at most ");
        ax_duration_text(r->cap_ms, out);
        return;
    }
    for (uint32_t i = 0; i < r->wait_count; i++) {
        ax_buf_adds(out, i ? ", " : " after ");
        ax_duration_text(r->waits_ms[i], out);
    }
}

static void add_retry(const ax_retry *r, ax_buf *out)
{
    if (!r->max) return;
    ax_buf_addf(out, "; %u retr%s", r->max, r->max == 1 ? "y" : "ies");
    add_waits(r, out);
    if (!r->on_count) return;
    ax_buf_adds(out, " on ");
    ax_outlook_whys(r->on, r->on_count, out);
}

static void add_join(const ax_def *def, ax_buf *out)
{
    if (def->join == AX_JOIN_ALL) return;
    ax_buf_addf(out, "; join = %s", ax_join_name(def->join));
    if (def->join == AX_JOIN_AT_LEAST) ax_buf_addf(out, "(%u)", def->join_count);
}

/* "timeout 5m; 2 retries after 1s, 5s on timeout; failure_policy = pause". */
static void add_summary(const ax_def *def, ax_buf *out)
{
    if (def->kind != AX_NODE_TASK) {
        ax_buf_adds(out, ax_node_kind_name(def->kind));
        add_join(def, out);
        return;
    }
    ax_buf_adds(out, def->timeout_ms ? "timeout " : "no timeout");
    if (def->timeout_ms) ax_duration_text(def->timeout_ms, out);
    add_retry(&def->retry, out);
    add_join(def, out);
    if (def->skip_on_count) {
        ax_buf_adds(out, "; skipped on ");
        ax_outlook_whys(def->skip_on, def->skip_on_count, out);
    }
    if (def->policy != AX_POLICY_SKIP) ax_buf_addf(out, "; failure_policy = %s", ax_policy_name(def->policy));
    if (def->finally_) ax_buf_adds(out, "; finally");
}

static void add_condition(view *v, uint32_t node)
{
    const ax_preview_node *n = &v->o->preview.nodes[node];
    if (n->fate != AX_FATE_MAYBE) return;
    if (!n->when) {
        ax_buf_adds(&v->text, "  if what it waits for does");
        return;
    }
    ax_buf_adds(&v->text, "  if ");
    ax_expr_source(v->o->plan, def_of(v->o, node), n->when, &v->text);
}

static void show_head(view *v, uint32_t node)
{
    ax_out_adds(v->out, "  ");
    ax_out_styled(v->out, AX_STYLE_BOLD, v->o->plan->nodes[node].name);
    add_condition(v, node);
    flush(v, AX_STYLE_YELLOW);
    ax_buf_adds(&v->text, "  ");
    add_summary(def_of(v->o, node), &v->text);
    ax_buf_addc(&v->text, '\n');
    flush(v, AX_STYLE_DIM);
}

/* ---- commands ---- */

/* The lines of a text, each behind an indent. */
static void add_lines(ax_buf *out, ax_str text)
{
    while (text.len && text.ptr[text.len - 1] == '\n') text.len--;
    ax_buf_adds(out, "      ");
    for (size_t i = 0; i < text.len; i++) {
        ax_buf_addc(out, text.ptr[i]);
        if (text.ptr[i] == '\n') ax_buf_adds(out, "      ");
    }
    ax_buf_addc(out, '\n');
}

static ax_str env_text(const ax_preview_value *value, ax_arena *mem)
{
    ax_buf text = AX_BUF_INIT(TEXT_BYTES_MAX);
    ax_buf_add(&text, value->name);
    ax_buf_addc(&text, '=');
    if (value->known) ax_preview_word(value->text, &text);
    else ax_buf_add(&text, value->text);
    ax_str copy = ax_str_dup(mem, ax_buf_str(&text));
    ax_buf_free(&text);
    return copy;
}

static void add_argv(const ax_preview_command *c, ax_buf *out)
{
    ax_buf line = AX_BUF_INIT(TEXT_BYTES_MAX);
    for (uint32_t i = 0; i < c->argc; i++) {
        const ax_preview_value *word = &c->argv[i];
        bool is_template = !word->known && ax_str_starts(word->text, AX_LIT("{{ ")) &&
                           ax_str_ends(word->text, AX_LIT(" }}"));
        if (i) ax_buf_addc(&line, ' ');
        if (is_template) ax_buf_add(&line, word->text);
        else ax_preview_word(word->text, &line);
    }
    add_lines(out, ax_buf_str(&line));
    ax_buf_free(&line);
}

static void add_variables(view *v, const ax_preview_command *c)
{
    for (uint32_t i = 0; i < c->bind_count; i++) {
        if (!c->bind_is_named[i]) continue;
        ax_buf_adds(&v->text, "      with ");
        ax_buf_add(&v->text, env_text(&c->binds[i], &v->mem));
        ax_buf_addc(&v->text, '\n');
    }
    for (uint32_t i = 0; i < c->env_count; i++) {
        ax_str text = env_text(&c->env[i], &v->mem);
        if (ax_map_get(&v->shared, text) != AX_MAP_NONE) continue;
        ax_buf_adds(&v->text, "      with ");
        ax_buf_add(&v->text, text);
        ax_buf_addc(&v->text, '\n');
    }
    if (c->has_cwd) ax_buf_addf(&v->text, "      in %.*s\n", AX_STR(c->cwd.text));
}

static void show_problem(view *v, ax_str problem)
{
    v->o->problems++;
    ax_buf_addf(&v->text, "      would fail: %.*s\n", AX_STR(problem));
    flush(v, AX_STYLE_RED);
}

static void show_command(view *v, uint32_t node)
{
    const ax_def *def = def_of(v->o, node);
    ax_str problem = v->o->preview.nodes[node].problem;
    ax_preview_command c;
    ax_err why = {0};
    if (problem.len) show_problem(v, problem);
    if (def->action == AX_ACTION_NONE) return;
    if (ax_preview_command_of(&v->o->preview, node, &v->mem, &c, &why)) {
        show_problem(v, ax_str_of(why.text));
    } else {
        if (def->action == AX_ACTION_RUN) add_lines(&v->text, c.script);
        else add_argv(&c, &v->text);
        flush(v, AX_STYLE_PLAIN);
        add_variables(v, &c);
        flush(v, AX_STYLE_DIM);
    }
    ax_arena_reset(&v->mem);
}

/* The environment that every task has is shown once, above. */
static void find_shared(view *v)
{
    const ax_plan *plan = v->o->plan;
    ax_arena *mem = &v->o->cli->mem;
    uint32_t tasks = 0;
    AX_VEC(ax_str) texts = {0};
    ax_map counts = {0};
    for (uint32_t n = 0; n < plan->node_count; n++) {
        if (ax_plan_kind(plan, n) != AX_NODE_TASK || def_of(v->o, n)->action == AX_ACTION_NONE) continue;
        ax_preview_command c;
        tasks++;
        if (ax_preview_command_of(&v->o->preview, n, &v->mem, &c, NULL)) continue;
        for (uint32_t i = 0; i < c.env_count; i++) {
            ax_str text = env_text(&c.env[i], &v->mem);
            uint32_t count = ax_map_get(&counts, text);
            if (count == AX_MAP_NONE) {
                text = ax_str_dup(mem, text);
                ax_vec_push(mem, &texts, text);
                count = 0;
            }
            ax_map_set(mem, &counts, text, count + 1);
        }
        ax_arena_reset(&v->mem);
    }
    for (uint32_t i = 0; i < texts.len; i++) {
        if (ax_map_get(&counts, texts.at[i]) != tasks || tasks < 2) continue;
        show_label(v, v->shared.count ? "" : "environment");
        ax_map_add(mem, &v->shared, texts.at[i], i);
        ax_buf_add(&v->text, texts.at[i]);
        ax_buf_addc(&v->text, '\n');
        flush(v, AX_STYLE_PLAIN);
    }
}

/* ---- waves ---- */

static bool is_in_wave(const view *v, uint32_t node, uint32_t wave)
{
    const ax_preview_node *n = &v->o->preview.nodes[node];
    return ax_outlook_has(v->o, node) && n->fate != AX_FATE_SKIPPED && n->wave == wave;
}

/* Nodes by wave: those of wave w are at[first[w] … first[w + 1]). */
typedef struct {
    uint32_t *first, *at;
} by_wave;

static by_wave sort_by_wave(const view *v, ax_arena *mem)
{
    const ax_preview *p = &v->o->preview;
    uint32_t n = v->o->plan->node_count;
    by_wave sorted = {AX_NEW_N(mem, uint32_t, p->wave_count + 3), AX_NEW_N(mem, uint32_t, n + 1)};
    for (uint32_t i = 0; i < n; i++)
        if (is_in_wave(v, i, p->nodes[i].wave)) sorted.first[p->nodes[i].wave + 2]++;
    for (uint32_t w = 1; w < p->wave_count + 3; w++) sorted.first[w] += sorted.first[w - 1];
    for (uint32_t i = 0; i < n; i++)
        if (is_in_wave(v, i, p->nodes[i].wave)) sorted.at[sorted.first[p->nodes[i].wave + 1]++] = i;
    return sorted;
}

/* The copies of one definition that begin at nodes[0]. */
static uint32_t count_copies(const view *v, const uint32_t *nodes, uint32_t count)
{
    uint32_t same = 1;
    while (same < count && v->o->plan->nodes[nodes[same]].def == v->o->plan->nodes[nodes[0]].def) same++;
    return same;
}

static void show_wave(view *v, uint32_t wave, const uint32_t *nodes, uint32_t count)
{
    ax_buf_addf(&v->text, "\nwave %u\n", wave);
    flush(v, AX_STYLE_CYAN);
    for (uint32_t i = 0; i < count;) {
        uint32_t copies = count_copies(v, nodes + i, count - i), shown = copies;
        if (copies > COPIES_SHOWN + 1 && !v->o->chosen) shown = COPIES_SHOWN;
        for (uint32_t k = 0; k < shown; k++) {
            show_head(v, nodes[i + k]);
            show_command(v, nodes[i + k]);
        }
        if (shown < copies) {
            ax_buf_addf(&v->text, "  and %u more copies, up to %.*s\n", copies - shown,
                        AX_STR(v->o->plan->nodes[nodes[i + copies - 1]].name));
            flush(v, AX_STYLE_DIM);
        }
        i += copies;
    }
}

static void show_waves(view *v)
{
    by_wave sorted = sort_by_wave(v, &v->o->cli->mem);
    for (uint32_t w = 1; w <= v->o->preview.wave_count; w++) {
        uint32_t first = sorted.first[w], count = sorted.first[w + 1] - first;
        if (count) show_wave(v, w, sorted.at + first, count);
    }
}

/* ---- what is left out ---- */

static void show_skipped_node(view *v, uint32_t node)
{
    const ax_preview_node *n = &v->o->preview.nodes[node];
    ax_str cause = ax_outlook_cause(v->o, node);
    ax_out_adds(v->out, "  ");
    ax_out_styled(v->out, AX_STYLE_BOLD, v->o->plan->nodes[node].name);
    switch (n->why) {
    case AX_WHY_NOT_CONDITION: ax_buf_adds(&v->text, "  its 'when' is false"); break;
    case AX_WHY_NOT_DISABLED: ax_buf_adds(&v->text, "  enabled = false"); break;
    case AX_WHY_NOT_TAKEN:
        if (cause.len) ax_buf_addf(&v->text, "  only with %.*s", AX_STR(cause));
        break;
    case AX_WHY_NOT_UNMET: ax_buf_addf(&v->text, "  its join is not met without %.*s", AX_STR(cause)); break;
    case AX_WHY_NOT_NONE:
    case AX_WHY_NOT_COUNT: break;
    }
    ax_buf_addc(&v->text, '\n');
    flush(v, AX_STYLE_DIM);
}

static void show_skipped(view *v)
{
    bool first = true;
    for (uint32_t n = 0; n < v->o->plan->node_count; n++) {
        if (!ax_outlook_has(v->o, n) || v->o->preview.nodes[n].fate != AX_FATE_SKIPPED) continue;
        if (first) {
            ax_buf_adds(&v->text, "\nskipped, if nothing fails\n");
            flush(v, AX_STYLE_CYAN);
        }
        first = false;
        show_skipped_node(v, n);
    }
}

/* ---- critical path and schedules ---- */

static void show_critical(view *v)
{
    const ax_preview *p = &v->o->preview;
    if (p->critical_count == 0) return;
    ax_buf_adds(&v->text, "\ncritical path: ");
    if (v->o->has_durations) ax_duration_text(p->length_ms, &v->text);
    else ax_buf_addf(&v->text, "%u task%s", p->critical_count, p->critical_count == 1 ? "" : "s");
    ax_buf_addc(&v->text, '\n');
    flush(v, AX_STYLE_CYAN);
    for (uint32_t i = 0; i < p->critical_count; i++) {
        if (i == CRITICAL_SHOWN && p->critical_count > 2 * CRITICAL_SHOWN) {
            uint32_t hidden = p->critical_count - 2 * CRITICAL_SHOWN;
            ax_buf_addf(&v->text, "  and %u more\n", hidden);
            i += hidden;
        }
        const ax_preview_node *n = &p->nodes[p->critical[i]];
        ax_buf_adds(&v->text, "  ");
        ax_buf_add(&v->text, v->o->plan->nodes[p->critical[i]].name);
        if (v->o->has_durations) {
            ax_buf_adds(&v->text, "  ");
            ax_duration_text(n->end_ms - n->start_ms, &v->text);
        }
        ax_buf_addc(&v->text, '\n');
    }
    flush(v, AX_STYLE_PLAIN);
}

static ax_rc show_schedules(view *v, ax_err *err)
{
    const ax_plan *plan = v->o->plan;
    for (uint32_t i = 0; i < plan->schedule_count; i++) {
        ax_due due;
        ax_rc rc = ax_due_open(&v->o->cli->mem, &plan->schedules[i], &due, err);
        if (rc) return rc;
        ax_buf_adds(&v->text, "\nschedule ");
        ax_schedule_words(&plan->schedules[i], &v->text);
        ax_buf_addc(&v->text, '\n');
        flush(v, AX_STYLE_CYAN);
        if (ax_instants_show(v->o->cli, &due, ax_outlook_before(v->o, &due), AX_OUTLOOK_NEXT) == 0)
            ax_out_adds(v->out, "no instant is left\n");
    }
    return AX_OK;
}

ax_rc ax_outlook_show(ax_outlook *o, ax_err *err)
{
    view v = {.o = o, .out = &o->cli->out, .text = AX_BUF_INIT(TEXT_BYTES_MAX)};
    show_run(&v);
    show_params(&v);
    find_shared(&v);
    show_waves(&v);
    show_skipped(&v);
    show_critical(&v);
    ax_rc rc = show_schedules(&v, err);
    ax_buf_free(&v.text);
    ax_arena_free(&v.mem);
    return rc;
}
