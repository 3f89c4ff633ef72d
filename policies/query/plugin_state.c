/* SPDX-License-Identifier: MIT */
/*
 * A plugin's saved state as history records: its name and a 0, then its bytes, in consecutive
 * chunks. The first record calls the plugin, later ones use that result. Bytes are hexadecimal
 * text, which every journal and snapshot can carry.
 */
#include "query/plugins.h"
#include "state/history.h"

#include <string.h>

#define PART PC_PLUGIN_PART
#define MOST (UINT32_C(1) << 30) /* maximum size of a state */

static bool saves(const struct policy *p)
{
    return p->plugin != NULL && p->plugin->of.save != NULL;
}

static uint32_t name_bytes(const struct pc_plugin *x)
{
    uint32_t count = 0;
    while (x->of.name[count] != '\0')
        count++;
    return count + 1;
}

/* ---- saving ---- */

/* Returns false if out of memory, or if the plugin reports inconsistent sizes. */
static bool save(const struct policy *p)
{
    struct pc_plugin *x = p->plugin;
    const uint32_t name = name_bytes(x);
    const size_t size = x->of.save(x->self, NULL, 0);
    x->saved.count = 0;
    if (size > MOST || !PC_GROW(&p->memory, x->saved.of, x->saved.capacity, name + (uint32_t)size))
        return false;
    memcpy(x->saved.of, x->of.name, name);
    if (x->of.save(x->self, x->saved.of + name, size) != size)
        return false;
    x->saved.count = name + (uint32_t)size;
    return true;
}

static char digit(unsigned value)
{
    return (char)(value < 10 ? '0' + value : 'a' + value - 10);
}

/* A state that cannot be saved yields a record without data, which is refused on restore. */
static bool get_part(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    struct pc_plugin *x = p->plugin;
    const bool saved = *i > 0 || save(p);
    const uint32_t from = *i * PART;
    if (saved && from >= x->saved.count)
        return false;
    const uint32_t left = saved ? x->saved.count - from : 0;
    const uint32_t count = left < PART ? left : PART;
    for (uint32_t b = 0; b < count; b++) {
        x->digits[2 * b] = digit(x->saved.of[from + b] >> 4);
        x->digits[2 * b + 1] = digit(x->saved.of[from + b] & 15);
    }
    x->digits[2 * count] = '\0';
    h->at = p->now;
    h->place = from;
    h->count = x->saved.count;
    h->level = (int32_t)x->of.state_version;
    h->data = x->digits;
    return saved || *i == 0;
}

/* ---- loading ---- */

static int value_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Number of bytes encoded by the digits; -1: invalid. */
static int64_t count_bytes(const char *digits)
{
    int64_t count = 0;
    while (digits != NULL && digits[count] != '\0' && value_of(digits[count]) >= 0)
        count++;
    return digits == NULL || digits[count] != '\0' || count % 2 != 0 ? -1 : count / 2;
}

static int check_part(struct policy *p, const struct policy_history *h, int64_t count)
{
    const struct pc_plugin *x = p->plugin;
    if (h->count == 0 || h->count > MOST || count < 1)
        return pc_refuse(p, POLICY_INVALID, "bytes of a plugin's state", (int64_t)h->count,
                         "hexadecimal digits of at least one");
    if (h->place != 0 && (h->place != x->told.count || h->count != x->told.total))
        return pc_refuse(p, POLICY_CONFLICT, "part of a plugin's state from byte", h->place,
                         "it does not follow the part before it");
    return (uint64_t)h->place + (uint64_t)count <= h->count
               ? POLICY_OK
               : pc_refuse(p, POLICY_INVALID, "part of a plugin's state from byte", h->place,
                           "it is longer than the whole");
}

static int load(struct policy *p, policy_time before, uint32_t version)
{
    struct pc_plugin *x = p->plugin;
    const uint32_t name = name_bytes(x);
    if (x->told.count < name || memcmp(x->told.of, x->of.name, name) != 0) {
        p->now = before;
        return pc_refuse(p, POLICY_UNSUPPORTED, "state of a plugin, bytes", x->told.count,
                         "it is that of another plugin");
    }
    if (x->of.load(x->self, version, x->told.of + name, x->told.count - name))
        return POLICY_OK;
    p->now = before;
    return pc_refuse(p, POLICY_INVALID, "state of the plugin, version", version,
                     "the plugin does not take it");
}

static int set_part(struct policy *p, policy_time at, const struct policy_history *h)
{
    struct pc_plugin *x = p->plugin;
    const policy_time before = p->now;
    const int64_t count = count_bytes(h->data);
    int status = check_part(p, h, count);
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    if (!PC_GROW(&p->memory, x->told.of, x->told.capacity, (uint32_t)h->count))
        return pc_no_memory(p, before, "bytes of a plugin's state", (int64_t)h->count);
    x->told.count = h->place;
    x->told.total = (uint32_t)h->count;
    for (int64_t b = 0; b < count; b++)
        x->told.of[x->told.count++] =
            (uint8_t)(value_of(h->data[2 * b]) << 4 | value_of(h->data[2 * b + 1]));
    return x->told.count == x->told.total ? load(p, before, (uint32_t)h->level) : POLICY_OK;
}

const struct pc_history_row pc_plugin_history = {POLICY_HISTORY_PLUGIN, saves, get_part, set_part,
                                                 "the plugin's own saved state"};
