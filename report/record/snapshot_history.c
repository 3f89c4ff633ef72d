/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the policy's history; see snapshot_history.h. */
#include "report/record/snapshot_history.h"

#include "scenarios/snapshot/history.h"
#include "sim/base/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define EXACT INT64_C(9007199254740992) /* 2^53: integers up to here survive as JSON numbers */

static void put_natural(struct json *j, const char *key, uint64_t value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    if (value <= (uint64_t)EXACT)
        json_u64(j, key, value);
    else
        json_text(j, key, text);
}

static void put_signed(struct json *j, const char *key, int64_t value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    if (value >= -EXACT && value <= EXACT)
        json_i64(j, key, value);
    else
        json_text(j, key, text);
}

static void put_name(struct json *j, const char *key, const char *name)
{
    if (name != NULL)
        json_text(j, key, name);
}

/* The time is always written; readers default to the snapshot's. */
static void put_member(const struct policy_history *record, const struct snap_history_key *key,
                       struct json *j)
{
    const char *at = (const char *)record + key->offset;
    uint64_t value = 0;
    uint32_t narrow;
    bool truth;
    const char *text;
    switch ((int)key->type) {
    case SNAP_HISTORY_U32:
        memcpy(&narrow, at, sizeof narrow);
        if (narrow != 0)
            json_i64(j, key->key, narrow);
        return;
    case SNAP_HISTORY_BOOL:
        memcpy(&truth, at, sizeof truth);
        if (truth)
            json_bool(j, key->key, truth);
        return;
    case SNAP_HISTORY_TEXT:
        memcpy(&text, at, sizeof text);
        put_name(j, key->key, text);
        return;
    default:
        memcpy(&value, at, sizeof value);
        break;
    }
    if (value == 0 && key->offset != offsetof(struct policy_history, at))
        return;
    if (key->type == SNAP_HISTORY_I64)
        put_signed(j, key->key, (int64_t)value);
    else
        put_natural(j, key->key, value);
}

static void put_kind(struct json *j, int32_t kind)
{
    const char *name = SNAP_HISTORY_KINDS;
    char word[16];
    for (; kind > 0; kind--)
        name += strcspn(name, "|") + 1;
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "|"), name);
    json_text(j, "of", word);
}

/* Returns false if a job, queue or user in the record has no name. */
static bool put_record(const struct policy_history *h, const struct snapshot_names *names,
                       bool first, struct out *out)
{
    const char *job = h->job.i != POLICY_NO_ID ? names->job(names->of, h->job) : NULL;
    const char *other = h->other.i != POLICY_NO_ID ? names->job(names->of, h->other) : NULL;
    const char *queue = h->queue.i != POLICY_NO_ID ? names->queue(names->of, h->queue) : NULL;
    const char *node = h->node.i != POLICY_NO_ID ? names->node(names->of, h->node) : NULL;
    const char *user = h->user != 0 ? names->user(names->of, h->user) : NULL;
    if ((h->job.i != POLICY_NO_ID && job == NULL) ||
        (h->other.i != POLICY_NO_ID && other == NULL) ||
        (h->queue.i != POLICY_NO_ID && queue == NULL) ||
        (h->node.i != POLICY_NO_ID && node == NULL) || (h->user != 0 && user == NULL))
        return false;
    struct json j;
    out_text(out, first ? "\n  " : ",\n  ");
    json_init(&j, out, 0);
    json_begin_object(&j, NULL);
    put_kind(&j, h->kind);
    put_name(&j, "job", job);
    put_name(&j, "other", other);
    put_name(&j, "queue", queue);
    put_name(&j, "user", user);
    put_name(&j, "node", node);
    for (const struct snap_history_key *key = snap_history_keys; key->key != NULL; key++)
        put_member(h, key, &j);
    json_end_object(&j);
    return true;
}

void snapshot_history(const struct policy *policy, const struct snapshot_names *names,
                      struct out *out)
{
    struct policy_history h = {.size = sizeof h};
    bool first = true;
    for (uint64_t next = 0; policy_history(policy, &next, &h);)
        first = !put_record(&h, names, first, out) && first;
}
