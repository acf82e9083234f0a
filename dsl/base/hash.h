/* hash.h - a fast hash for maps and the content hash (SHA-256, from OpenSSL) for versions. */
#ifndef AX_BASE_HASH_H
#define AX_BASE_HASH_H

#include <stdint.h>

#include "dsl/base/str.h"

#define AX_SHA256_HEX 64 /* characters of a content hash */

/* A 64-bit hash of the bytes; not for secrets, and not stored anywhere. */
uint64_t ax_hash(ax_str s);
/* The SHA-256 of the bytes as lower-case hex and a NUL. */
void ax_sha256_hex(ax_str s, char out[AX_SHA256_HEX + 1]);

#endif
