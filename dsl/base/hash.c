/* hash.c - a multiply-and-fold hash for maps, eight bytes a step, and OpenSSL's SHA-256. */
#include "dsl/base/hash.h"

#include <openssl/evp.h>
#include <string.h>

#include "dsl/base/assert.h"

/* Odd constants with well-mixed bits: the fraction of the golden ratio, and that of the square root of 3. */
#define MIX_A UINT64_C(0x9e3779b97f4a7c15)
#define MIX_B UINT64_C(0xbb67ae8584caa73b)

static uint64_t fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t ax_hash(ax_str s)
{
    uint64_t hash = MIX_A ^ s.len;
    size_t at = 0;
    for (; s.len - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, s.ptr + at, sizeof word);
        hash = fold(hash ^ word, MIX_B);
    }
    uint64_t rest = 0;
    if (at < s.len) memcpy(&rest, s.ptr + at, s.len - at);
    return fold(hash ^ rest ^ MIX_A, MIX_B);
}

void ax_sha256_hex(ax_str s, char out[AX_SHA256_HEX + 1])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[AX_SHA256_HEX / 2];
    unsigned int len = 0;
    int ok = EVP_Digest(s.ptr ? s.ptr : "", s.len, bytes, &len, EVP_sha256(), NULL);
    AX_ASSERT(ok && len == sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[AX_SHA256_HEX] = '\0';
}
