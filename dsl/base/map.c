/* map.c - open addressing with linear probing; grows at three quarters. Nothing is ever removed. */
#include "dsl/base/map.h"

#include "dsl/base/assert.h"
#include "dsl/base/hash.h"

struct ax_map_slot {
    ax_str key;
    uint32_t tag; /* the low half of the hash, so that unequal keys are seldom compared */
    uint32_t value;
    bool used;
};

/* The slot of key, or the free one where it belongs. The map has at least one free slot. */
static struct ax_map_slot *find(const ax_map *map, ax_str key, uint64_t hash)
{
    uint32_t mask = map->cap - 1;
    uint32_t at = (uint32_t)(hash >> 32) & mask;
    struct ax_map_slot *slot = &map->slots[at];
    while (slot->used && !(slot->tag == (uint32_t)hash && ax_str_eq(slot->key, key))) {
        at = (at + 1) & mask;
        slot = &map->slots[at];
    }
    return slot;
}

static void grow(ax_arena *mem, ax_map *map)
{
    AX_ASSERT(map->cap <= UINT32_MAX / 4);
    ax_map grown = {.count = map->count, .cap = map->cap ? map->cap * 2 : 4};
    grown.slots = AX_NEW_N(mem, struct ax_map_slot, grown.cap);
    for (uint32_t i = 0; i < map->cap; i++) {
        struct ax_map_slot *slot = &map->slots[i];
        if (slot->used) *find(&grown, slot->key, ax_hash(slot->key)) = *slot;
    }
    *map = grown;
}

uint32_t ax_map_get(const ax_map *map, ax_str key)
{
    if (map->count == 0) return AX_MAP_NONE;
    const struct ax_map_slot *slot = find(map, key, ax_hash(key));
    return slot->used ? slot->value : AX_MAP_NONE;
}

/* The slot of key, made with value if it is new. */
static struct ax_map_slot *slot_for(ax_arena *mem, ax_map *map, ax_str key, uint32_t value)
{
    AX_ASSERT(value != AX_MAP_NONE);
    if (map->count >= map->cap / 4 * 3) grow(mem, map);
    uint64_t hash = ax_hash(key);
    struct ax_map_slot *slot = find(map, key, hash);
    if (!slot->used) {
        *slot = (struct ax_map_slot){.key = key, .tag = (uint32_t)hash, .value = value, .used = true};
        map->count++;
    }
    return slot;
}

uint32_t ax_map_add(ax_arena *mem, ax_map *map, ax_str key, uint32_t value)
{
    return slot_for(mem, map, key, value)->value;
}

void ax_map_set(ax_arena *mem, ax_map *map, ax_str key, uint32_t value)
{
    slot_for(mem, map, key, value)->value = value;
}
