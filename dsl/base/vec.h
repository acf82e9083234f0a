/* vec.h - a growing array in an arena.
 *
 *   AX_VEC(ax_edge) edges = {0};
 *   ax_vec_push(mem, &edges, edge);
 *   for (uint32_t i = 0; i < edges.len; i++) use(edges.at[i]);
 */
#ifndef AX_BASE_VEC_H
#define AX_BASE_VEC_H

#include <stdint.h>

#include "dsl/base/arena.h"

#define AX_VEC(T)                                                                                            \
    struct {                                                                                                 \
        T *at;                                                                                               \
        uint32_t len, cap;                                                                                   \
    }

/* The grown array for one more item of item_size bytes; updates *cap. Asserts on more than UINT32_MAX / 2
 * items. */
void *ax_vec_grow(ax_arena *mem, void *at, uint32_t len, uint32_t *cap, size_t item_size);

/* Appends a copy of item. `vec` is evaluated more than once. */
#define ax_vec_push(mem, vec, ...)                                                                           \
    do {                                                                                                     \
        if ((vec)->len == (vec)->cap)                                                                        \
            (vec)->at = ax_vec_grow((mem), (vec)->at, (vec)->len, &(vec)->cap, sizeof *(vec)->at);           \
        (vec)->at[(vec)->len++] = (__VA_ARGS__);                                                             \
    } while (0)

#endif
