/* test_diag.c - collecting, limits, order, repetitions. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/base/diag.h"

static ax_arena mem;
static ax_sources sources;
static ax_diags diags;

static int start(void **state)
{
    (void)state;
    mem = AX_ARENA_INIT;
    sources = ax_sources_new(&mem);
    diags = ax_diags_new(&mem, &sources);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    ax_arena_free(&mem);
    return 0;
}

static void every_code_has_its_name(void **state)
{
    (void)state;
    assert_string_equal(ax_diag_name(AX_E0203), "E0203");
    assert_string_equal(ax_diag_slug(AX_E0203), "unknown-attribute");
    assert_int_equal(ax_diag_severity(AX_E0203), AX_ERROR);
    for (uint32_t code = 0; code < AX_DIAG_COUNT; code++) {
        char first = ax_diag_name((ax_diag_code)code)[0];
        assert_int_equal(first == 'W', ax_diag_severity((ax_diag_code)code) == AX_WARNING);
    }
}

static void diagnostics_are_sorted_by_place(void **state)
{
    (void)state;
    ax_diag_add(&diags, AX_E0203, (ax_span){9, 10}, "c");
    ax_diag_add(&diags, AX_E0401, (ax_span){5, 6}, "b");
    ax_diag_add(&diags, AX_E0203, (ax_span){5, 6}, "a");
    ax_diags_sort(&diags);
    assert_str(diags.list.at[0]->text, "a");
    assert_str(diags.list.at[1]->text, "b");
    assert_str(diags.list.at[2]->text, "c");
}

static void repetitions_are_dropped_and_not_counted(void **state)
{
    (void)state;
    ax_diag_add(&diags, AX_E0203, (ax_span){5, 6}, "a");
    ax_diag_add(&diags, AX_E0203, (ax_span){5, 7}, "longer");
    ax_diag_add(&diags, AX_E0203, (ax_span){5, 6}, "b");
    ax_diag_add(&diags, AX_W0601, (ax_span){5, 6}, "w");
    ax_diag_add(&diags, AX_W0601, (ax_span){5, 6}, "w");
    ax_diags_sort(&diags);
    assert_int_equal(diags.list.len, 3);
    assert_int_equal(diags.errors, 2);
    assert_int_equal(diags.warnings, 1);
}

static void a_flood_is_counted_but_not_kept(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= 5000; i++) {
        ax_diag *d = ax_diag_add(&diags, AX_W0601, (ax_span){i, i + 1}, "w");
        assert_non_null(d);
        ax_diag_note(&diags, d, (ax_span){0, 0}, "n");
        ax_diag_help(&diags, d, "h");
    }
    assert_int_equal(diags.list.len, AX_DIAGS_SHOWN_MAX);
    assert_int_equal(diags.warnings, 5000);
    assert_int_equal(diags.scratch.note_count, 0);
}

static void warnings_do_not_hide_errors(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= 200; i++) ax_diag_add(&diags, AX_W0601, (ax_span){i, i + 1}, "w");
    ax_diag_add(&diags, AX_E0203, (ax_span){1, 2}, "an error");
    ax_diags_sort(&diags);
    assert_str(diags.list.at[0]->text, "an error");
}

static void notes_have_a_limit(void **state)
{
    (void)state;
    ax_diag *d = ax_diag_add(&diags, AX_E0401, (ax_span){1, 2}, "a cycle");
    for (int i = 0; i < 50; i++) ax_diag_note(&diags, d, (ax_span){1, 2}, "note %d", i);
    assert_int_equal(d->note_count, AX_DIAG_NOTES_MAX);
    assert_str(d->notes[AX_DIAG_NOTES_MAX - 1].text, "note 7");
}

static void a_proposal_comes_with_its_edit(void **state)
{
    (void)state;
    ax_diag *d = ax_diag_add(&diags, AX_E0203, (ax_span){1, 7}, "no attribute '%s'", "timout");
    ax_diag_did_you_mean(&diags, d, d->span, (ax_str){0});
    assert_str(d->help, "");
    ax_diag_did_you_mean(&diags, d, d->span, AX_LIT("timeout"));
    assert_str(d->help, "did you mean 'timeout'?");
    assert_str(d->replacement, "timeout");
    assert_int_equal(d->edit.end, 7);
}

static void an_empty_collection_can_be_sorted(void **state)
{
    (void)state;
    ax_diags_sort(&diags);
    assert_int_equal(diags.list.len, 0);
}

#define WITH_DIAGS(test) cmocka_unit_test_setup_teardown(test, start, stop)

static const struct CMUnitTest tests[] = {
    WITH_DIAGS(every_code_has_its_name),
    WITH_DIAGS(diagnostics_are_sorted_by_place),
    WITH_DIAGS(repetitions_are_dropped_and_not_counted),
    WITH_DIAGS(a_flood_is_counted_but_not_kept),
    WITH_DIAGS(warnings_do_not_hide_errors),
    WITH_DIAGS(notes_have_a_limit),
    WITH_DIAGS(a_proposal_comes_with_its_edit),
    WITH_DIAGS(an_empty_collection_can_be_sorted),
};

RUN_TESTS(tests)
