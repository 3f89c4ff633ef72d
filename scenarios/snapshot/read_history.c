/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the policy's history; see history.h. */
#include "scenarios/snapshot/history.h"
#include "scenarios/snapshot/internal.h"

#include "sim/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Finds the index of the name at `key`; SNAP_NONE if there is no name. */
static bool find(struct snap_reader *reader, const cJSON *from, const char *key,
                 const struct name_set *names, const size_t *of_name, size_t *index)
{
    char path[16];
    const char *name = snap_text(from, key);
    *index = SNAP_NONE;
    if (name == NULL)
        return true;
    uint32_t number = name_set_find(names, name);
    (void)snprintf(path, sizeof path, ".%s", key);
    if (number == NAME_NONE)
        return snap_unknown(reader, path, key, name, names);
    *index = of_name[number];
    return true;
}

/* ---- numbers ---- */

/* The whole text has to be a number that the type can hold. */
static bool whole_number(const char *text, bool is_signed, uint64_t *value)
{
    bool minus = *text == '-';
    const char *digits = text + minus;
    char *end = NULL;
    if (*digits < '0' || *digits > '9' || (minus && !is_signed))
        return false;
    errno = 0;
    unsigned long long number = strtoull(digits, &end, 10);
    uint64_t most = !is_signed ? UINT64_MAX : minus ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    *value = minus ? 0 - (uint64_t)number : (uint64_t)number;
    return errno == 0 && *end == '\0' && number <= most;
}

static bool number_of(struct snap_reader *reader, const cJSON *from,
                      const struct snap_history_key *key, uint64_t *value)
{
    const cJSON *item = json_member(from, key->key);
    char path[32];
    if (!cJSON_IsString(item)) {
        *value =
            cJSON_IsBool(item) ? cJSON_IsTrue(item) != 0 : (uint64_t)(int64_t)item->valuedouble;
        return true;
    }
    (void)snprintf(path, sizeof path, ".%s", key->key);
    return whole_number(item->valuestring, key->type == SNAP_HISTORY_I64, value) ||
           snap_fail(reader, path, "'%.32s' is not a whole number of 64 bits", item->valuestring);
}

static bool read_numbers(struct snap_reader *reader, const cJSON *from,
                         struct policy_history *record)
{
    for (const struct snap_history_key *key = snap_history_keys; key->key != NULL; key++) {
        char *at = (char *)record + key->offset;
        uint64_t value = 0;
        if (json_member(from, key->key) == NULL)
            continue;
        if (key->type == SNAP_HISTORY_TEXT) {
            const char *text = snap_text(from, key->key);
            memcpy(at, &text, sizeof text);
            continue;
        }
        if (!number_of(reader, from, key, &value))
            return false;
        const uint32_t narrow = (uint32_t)value;
        const bool truth = value != 0;
        if (key->type == SNAP_HISTORY_BOOL)
            memcpy(at, &truth, sizeof truth);
        else if (key->type == SNAP_HISTORY_U32)
            memcpy(at, &narrow, sizeof narrow);
        else
            memcpy(at, &value, sizeof value);
    }
    return true;
}

/* ---- records ---- */

static bool read_record(struct snap_reader *reader, const cJSON *from, struct snap_history *h)
{
    const struct snapshot *s = &reader->s;
    const char *user = snap_text(from, "user");
    h->record = (struct policy_history){.size = sizeof h->record,
                                        .kind = snap_choice(from, "of", SNAP_HISTORY_KINDS),
                                        .at = s->now_ms};
    h->user = user != NULL ? user : "";
    return find(reader, from, "job", &s->job_ids, s->job_of_name, &h->job) &&
           find(reader, from, "other", &s->job_ids, s->job_of_name, &h->other) &&
           find(reader, from, "queue", &s->queue_names, s->queue_of_name, &h->queue) &&
           find(reader, from, "node", &s->node_names, s->node_of_name, &h->node) &&
           read_numbers(reader, from, &h->record);
}

bool snap_read_history(struct snap_reader *reader, const cJSON *list)
{
    struct snapshot *s = &reader->s;
    s->has_history = list != NULL;
    if (list == NULL)
        return true;
    s->history = snap_alloc(reader, snap_size(list), sizeof *s->history);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        (void)snprintf(reader->at, sizeof reader->at, "history[%zu]", s->history_count);
        if (!read_record(reader, entry, &s->history[s->history_count++]))
            return false;
    }
    return true;
}
