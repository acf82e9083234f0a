/* test_hash.c - known SHA-256 values, and that the map's hash looks at every byte. */
#include "tests/lib/test.h"

#include <string.h>

#include "dsl/base/hash.h"

static void sha256_has_the_published_values(void **state)
{
    (void)state;
    char hex[AX_SHA256_HEX + 1];
    ax_sha256_hex((ax_str){0}, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    ax_sha256_hex(AX_LIT("abc"), hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void every_byte_and_the_length_change_the_hash(void **state)
{
    (void)state;
    char bytes[40] = {0};
    for (size_t len = 0; len < sizeof bytes; len++) {
        uint64_t zero = ax_hash((ax_str){bytes, len});
        assert_int_not_equal(zero, ax_hash((ax_str){bytes, len + 1}));
        for (size_t i = 0; i < len; i++) {
            bytes[i] = 1;
            assert_int_not_equal(zero, ax_hash((ax_str){bytes, len}));
            bytes[i] = 0;
        }
    }
}

static void equal_bytes_hash_equally_wherever_they_are(void **state)
{
    (void)state;
    char text[32] = "xx_the_same_name";
    assert_int_equal(ax_hash((ax_str){text + 3, 13}), ax_hash(AX_LIT("the_same_name")));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sha256_has_the_published_values),
    cmocka_unit_test(every_byte_and_the_length_change_the_hash),
    cmocka_unit_test(equal_bytes_hash_equally_wherever_they_are),
};

RUN_TESTS(tests)
