/* test_fsm.c - the transition tables: their shape, their golden files, the pages that show them.
 *
 * AX_BLESS=1 writes the golden files and the generated parts of docs/state-machines.md anew.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsl/base/file.h"
#include "runtime/core/record.h"
#include "runtime/core/step_int.h"
#include "tests/lib/test.h"

enum { TEXT_BYTES_MAX = 1 << 20 };

static const ax_fsm *const machines[] = {&ax_instance_fsm, &ax_node_fsm, &ax_run_fsm};
enum { MACHINE_COUNT = sizeof machines / sizeof *machines };

static const ax_fsm_row *cell(const ax_fsm *fsm, uint32_t state, uint32_t event)
{
    return &fsm->rows[state * fsm->event_count + event];
}

/* Marks every state that can be reached from the marked ones. */
static void spread(const ax_fsm *fsm, bool *marked)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t s = 0; s < fsm->state_count; s++)
            for (uint32_t e = 0; marked[s] && e < fsm->event_count; e++) {
                const ax_fsm_row *row = cell(fsm, s, e);
                if (!row->listed || marked[row->to]) continue;
                marked[row->to] = more = true;
            }
    }
}

static void every_state_is_reachable(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINE_COUNT; m++) {
        bool marked[32] = {0};
        for (uint32_t s = 0; s < machines[m]->state_count; s++)
            marked[s] = machines[m]->flags[s] & AX_ST_INITIAL;
        spread(machines[m], marked);
        for (uint32_t s = 0; s < machines[m]->state_count; s++)
            if (!marked[s]) fail_msg("%s: %s is never reached", machines[m]->name, machines[m]->states[s]);
    }
}

static void a_terminal_state_is_never_left(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINE_COUNT; m++)
        for (uint32_t s = 0; s < machines[m]->state_count; s++)
            for (uint32_t e = 0; ax_fsm_terminal(machines[m], s) && e < machines[m]->event_count; e++) {
                const ax_fsm_row *row = cell(machines[m], s, e);
                assert_true(!row->listed || row->to == s);
            }
}

static void every_other_state_leads_to_a_terminal_one(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINE_COUNT; m++)
        for (uint32_t s = 0; s < machines[m]->state_count; s++) {
            bool marked[32] = {0}, ends = false;
            marked[s] = true;
            spread(machines[m], marked);
            for (uint32_t t = 0; t < machines[m]->state_count; t++)
                ends |= marked[t] && ax_fsm_terminal(machines[m], t);
            if (!ends) fail_msg("%s: %s leads nowhere", machines[m]->name, machines[m]->states[s]);
        }
}

static void every_listed_cell_says_why(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINE_COUNT; m++)
        for (uint32_t s = 0; s < machines[m]->state_count; s++)
            for (uint32_t e = 0; e < machines[m]->event_count; e++) {
                const ax_fsm_row *row = cell(machines[m], s, e);
                assert_int_equal(row->listed, row->why != NULL);
                assert_true(row->to < machines[m]->state_count);
            }
}

static void every_event_is_accepted_somewhere(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINE_COUNT; m++)
        for (uint32_t e = 0; e < machines[m]->event_count; e++) {
            bool accepted = false;
            for (uint32_t s = 0; s < machines[m]->state_count; s++)
                accepted |= cell(machines[m], s, e)->listed;
            if (!accepted) fail_msg("%s: nothing accepts %s", machines[m]->name, machines[m]->events[e]);
        }
}

static void a_cell_that_is_not_listed_is_refused_with_both_names(void **state)
{
    (void)state;
    uint32_t refused = 0;
    for (int m = 0; m < MACHINE_COUNT; m++)
        for (uint32_t s = 0; s < machines[m]->state_count; s++)
            for (uint32_t e = 0; e < machines[m]->event_count; e++) {
                ax_err err = {0};
                uint8_t to = 99;
                ax_rc rc = ax_fsm_next(machines[m], s, e, &to, &err);
                assert_int_equal(rc, cell(machines[m], s, e)->listed ? AX_OK : AX_REFUSED);
                if (rc == AX_OK) continue;
                char want[128];
                snprintf(want, sizeof want, "%s does not accept %s", machines[m]->states[s],
                         machines[m]->events[e]);
                assert_string_equal(err.text, want);
                assert_int_equal(to, 99);
                refused++;
            }
    assert_true(refused > 200);
}

static void names_are_found_and_others_are_not(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINE_COUNT; m++) {
        for (uint32_t s = 0; s < machines[m]->state_count; s++)
            assert_int_equal(ax_fsm_state(machines[m], ax_str_of(machines[m]->states[s])), s);
        for (uint32_t e = 0; e < machines[m]->event_count; e++)
            assert_int_equal(ax_fsm_event(machines[m], ax_str_of(machines[m]->events[e])), e);
        assert_int_equal(ax_fsm_state(machines[m], AX_LIT("running")), UINT32_MAX);
        assert_int_equal(ax_fsm_event(machines[m], AX_LIT("")), UINT32_MAX);
    }
    for (uint32_t i = 0; i < AX_REASON_COUNT; i++)
        assert_int_equal(ax_reason_find(ax_str_of(ax_reason_name((ax_reason)i))), i);
    assert_int_equal(ax_reason_find(AX_LIT("bad luck")), AX_REASON_COUNT);
    assert_ptr_equal(ax_machine_fsm(AX_MACHINE_NODE), &ax_node_fsm);
    assert_ptr_equal(ax_machine_fsm(AX_MACHINE_GHOST), &ax_instance_fsm);
}

/* Where two machines meet: an attempt's end means something that an ACTIVE node accepts. */
static void every_end_of_an_attempt_means_something_for_its_node(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < ax_instance_fsm.state_count; s++) {
        if (!ax_fsm_terminal(&ax_instance_fsm, s)) continue;
        uint8_t to;
        ax_node_event event = ax_instance_means((ax_instance_state)s);
        assert_int_equal(ax_fsm_next(&ax_node_fsm, AX_NODE_ST_ACTIVE, event, &to, NULL), AX_OK);
    }
}

/* ---- golden and pages ---- */

static bool blesses(void)
{
    const char *bless = getenv("AX_BLESS");
    return bless && *bless;
}

static void read_text(const char *path, ax_buf *out)
{
    ax_err err = {0};
    *out = AX_BUF_INIT(TEXT_BYTES_MAX);
    if (ax_file_read(path, out, &err)) fail_msg("%s", err.text);
}

static void expect_text(const char *path, const ax_buf *text)
{
    ax_err err = {0};
    if (blesses() && ax_file_write(path, ax_buf_str(text), &err)) fail_msg("%s", err.text);
    ax_buf golden;
    read_text(path, &golden);
    if (!ax_str_eq(ax_buf_str(&golden), ax_buf_str(text)))
        fail_msg("%s differs: AX_BLESS=1 writes it anew", path);
    ax_buf_free(&golden);
}

static void the_tables_are_the_golden_ones(void **state)
{
    (void)state;
    for (int m = 0; m < MACHINE_COUNT; m++) {
        char path[128];
        ax_buf dump = AX_BUF_INIT(TEXT_BYTES_MAX);
        snprintf(path, sizeof path, "tests/golden/fsm/%s.fsm", machines[m]->name);
        ax_fsm_dump(machines[m], &dump);
        expect_text(path, &dump);
        ax_buf_free(&dump);
    }
}

static void a_picture_has_every_state_and_cell(void **state)
{
    (void)state;
    ax_buf dot = AX_BUF_INIT(TEXT_BYTES_MAX), dump = AX_BUF_INIT(TEXT_BYTES_MAX);
    ax_fsm_dot(&ax_run_fsm, &dot);
    ax_fsm_dump(&ax_run_fsm, &dump);
    uint32_t arrows = 0, lines = 0;
    for (const char *at = dot.ptr; (at = strstr(at, " -> ")); at++) arrows++;
    for (const char *at = dump.ptr; (at = strchr(at, '\n')); at++) lines++;
    assert_int_equal(arrows, lines);
    assert_non_null(strstr(dot.ptr, "    SUCCEEDED [label=\"SUCCEEDED\", peripheries=2]\n"));
    assert_non_null(strstr(dot.ptr, "    QUEUED -> RUNNING [label=\"ADMIT\"]\n"));
    ax_buf_free(&dot);
    ax_buf_free(&dump);
}

static void add_machine(const ax_fsm *fsm, ax_buf *page)
{
    ax_buf_adds(page, "| from | event | to | when |\n|---|---|---|---|\n");
    for (uint32_t s = 0; s < fsm->state_count; s++)
        for (uint32_t e = 0; e < fsm->event_count; e++) {
            const ax_fsm_row *row = cell(fsm, s, e);
            if (!row->listed) continue;
            ax_buf_addf(page, "| %s | %s | %s | %s |\n", fsm->states[s], fsm->events[e], fsm->states[row->to],
                        row->why);
        }
}

static void add_edges(ax_buf *page)
{
    static const char *const looks[AX_LOOK_COUNT] = {
        "BLOCKED, ACTIVE",
        "HELD",
        "SUCCEEDED (also accepted), FAILED under `ignore`",
        "FAILED, open (`pause`)",
        "FAILED under `skip`, or given up",
        "FAILED under `branch`",
        "SKIPPED, `upstream_failed`",
        "SKIPPED, any other reason",
        "group in motion, a member has failed",
        "CANCELLED (only `finally` nodes ask)",
    };
    static const char *const stands[AX_STAND_COUNT] = {"unresolved", "held", "satisfied", "void", "dead"};
    ax_buf_adds(page, "| parent |");
    for (uint32_t o = 0; o < AX_ON_COUNT; o++)
        ax_buf_addf(page, o ? " `a:%s` |" : " `a` |", ax_outcome_name((ax_outcome)o));
    ax_buf_adds(page, "\n|---|---|---|---|---|---|\n");
    for (uint32_t l = 0; l < AX_LOOK_COUNT; l++) {
        ax_buf_addf(page, "| %s |", looks[l]);
        for (uint32_t o = 0; o < AX_ON_COUNT; o++)
            ax_buf_addf(page, " %s |", stands[ax_look_stand((ax_look)l, (ax_outcome)o)]);
        ax_buf_addc(page, '\n');
    }
}

/* The page with the part between its two marks replaced. */
static void put_part(ax_buf *page, const char *name, const ax_buf *part)
{
    char mark[64];
    snprintf(mark, sizeof mark, "<!-- generated: %s -->\n", name);
    const char *begin = strstr(page->ptr, mark);
    const char *end = begin ? strstr(begin, "<!-- end -->") : NULL;
    if (!end) fail_msg("docs/state-machines.md has no part '%s'", name);
    begin += strlen(mark);
    ax_buf out = AX_BUF_INIT(TEXT_BYTES_MAX);
    ax_buf_add(&out, (ax_str){page->ptr, (size_t)(begin - page->ptr)});
    ax_buf_add(&out, ax_buf_str(part));
    ax_buf_adds(&out, end);
    ax_buf_free(page);
    *page = out;
}

static void the_page_shows_the_tables_as_they_are(void **state)
{
    (void)state;
    ax_buf page, part = AX_BUF_INIT(TEXT_BYTES_MAX);
    read_text("docs/state-machines.md", &page);
    for (int m = 0; m < MACHINE_COUNT; m++) {
        ax_buf_clear(&part);
        add_machine(machines[m], &part);
        put_part(&page, machines[m]->name, &part);
    }
    ax_buf_clear(&part);
    add_edges(&part);
    put_part(&page, "edges", &part);
    expect_text("docs/state-machines.md", &page);
    ax_buf_free(&part);
    ax_buf_free(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_is_reachable),
        cmocka_unit_test(a_terminal_state_is_never_left),
        cmocka_unit_test(every_other_state_leads_to_a_terminal_one),
        cmocka_unit_test(every_listed_cell_says_why),
        cmocka_unit_test(every_event_is_accepted_somewhere),
        cmocka_unit_test(a_cell_that_is_not_listed_is_refused_with_both_names),
        cmocka_unit_test(names_are_found_and_others_are_not),
        cmocka_unit_test(every_end_of_an_attempt_means_something_for_its_node),
        cmocka_unit_test(the_tables_are_the_golden_ones),
        cmocka_unit_test(a_picture_has_every_state_and_cell),
        cmocka_unit_test(the_page_shows_the_tables_as_they_are),
    };
    return cmocka_run_group_tests_name("fsm", tests, NULL, NULL);
}
