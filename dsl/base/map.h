/* map.h - a hash map from strings to 32-bit numbers (usually indices), in an arena. Keys are views that must
 * outlive the map. Insertion order is not kept: iterate over the array that the numbers index.
 */
#ifndef AX_BASE_MAP_H
#define AX_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "dsl/base/str.h"

#define AX_MAP_NONE UINT32_MAX

typedef struct {
    struct ax_map_slot *slots;
    uint32_t count, cap; /* cap is a power of two, or 0 */
} ax_map;

/* The number stored for key, or AX_MAP_NONE. */
uint32_t ax_map_get(const ax_map *map, ax_str key);
/* Stores value for key if it is new and returns value; else changes nothing and returns the number already
 * there. */
uint32_t ax_map_add(ax_arena *mem, ax_map *map, ax_str key, uint32_t value);
/* Stores value for key, whether new or not. */
void ax_map_set(ax_arena *mem, ax_map *map, ax_str key, uint32_t value);

#endif
