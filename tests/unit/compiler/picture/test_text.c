/* test_text.c - widths, cutting and escaping of any text. */
#include <string.h>

#include "compiler/picture/text_int.h"
#include "dsl/base/utf8.h"
#include "tests/lib/test.h"

static ax_str cut(ax_arena *mem, const char *text, double width, bool middle)
{
    return ax_text_cut(mem, ax_str_of(text), &(ax_cut){AX_FACE_PLAIN, 10, width, middle});
}

static void wide_characters_are_wider_and_marks_are_nothing(void **state)
{
    (void)state;
    double latin = ax_text_width(AX_LIT("a"), AX_FACE_PLAIN, 10);
    assert_true(ax_text_width(AX_LIT("日"), AX_FACE_PLAIN, 10) > latin);
    assert_true(ax_text_width(AX_LIT("a\xcc\x81"), AX_FACE_PLAIN, 10) == latin);
    assert_true(ax_text_width(AX_LIT("a"), AX_FACE_BOLD, 10) > latin);
    assert_true(ax_text_width(AX_LIT("il"), AX_FACE_CODE, 10) ==
                ax_text_width(AX_LIT("MW"), AX_FACE_CODE, 10));
}

static void what_fits_is_not_cut(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    assert_str(cut(&mem, "short", 100, false), "short");
    assert_str(cut(&mem, "", 100, true), "");
    assert_str(cut(&mem, "", 0, false), "");
    ax_arena_free(&mem);
}

static void a_cut_text_fits_and_is_whole_characters(void **state)
{
    (void)state;
    static const char *const texts[] = {"a rather long sentence", "日本語日本語日本語日本語",
                                        "n\xc3\xa9"
                                        "e n\xc3\xa9"
                                        "e n\xc3\xa9"
                                        "e",
                                        "\xff\xfe\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (double width = 12; width < 80; width += 1.5) {
            ax_arena mem = AX_ARENA_INIT;
            for (int middle = 0; middle < 2; middle++) {
                ax_str s = cut(&mem, texts[i], width, middle);
                assert_true(ax_text_width(s, AX_FACE_PLAIN, 10) <= width + 0.001);
                if (ax_utf8_invalid(ax_str_of(texts[i])) == strlen(texts[i]))
                    assert_int_equal(ax_utf8_invalid(s), s.len);
            }
            ax_arena_free(&mem);
        }
    }
}

static void names_are_cut_in_the_middle(void **state)
{
    (void)state;
    ax_arena mem = AX_ARENA_INIT;
    ax_str s = cut(&mem, "load_the_customers_of_region_eu", 100, true);
    assert_true(ax_str_starts(s, AX_LIT("load_")) && ax_str_ends(s, AX_LIT("n_eu")));
    ax_arena_free(&mem);
}

static void markup_and_characters_that_xml_lacks_are_escaped(void **state)
{
    (void)state;
    ax_buf out = AX_BUF_INIT(1000);
    ax_text_xml(&out, (ax_str){"<a b=\"'&\">\n\t\r\0\x01\x1b\xff\xef\xbf\xbe✓", 23});
    assert_str(ax_buf_str(&out),
               "&lt;a b=&quot;&#39;&amp;&quot;&gt;&#10;&#9;&#13;\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
               "\xef\xbf\xbd\xef\xbf\xbd✓");
    ax_buf_free(&out);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(wide_characters_are_wider_and_marks_are_nothing),
    cmocka_unit_test(what_fits_is_not_cut),
    cmocka_unit_test(a_cut_text_fits_and_is_whole_characters),
    cmocka_unit_test(names_are_cut_in_the_middle),
    cmocka_unit_test(markup_and_characters_that_xml_lacks_are_escaped),
};
RUN_TESTS(tests)
