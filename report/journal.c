/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing and hashing decisions; the record is in journal.h. */
#include "report/journal.h"

#include "sim/base/mem.h"

#include <stdlib.h>

#define RECORD 64

static unsigned char *put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *at++ = (unsigned char)(value >> (8 * i));
    return at;
}

void journal_init(struct journal *j)
{
    *j = (struct journal){0};
    digest_init(&j->digest);
}

bool journal_open(struct journal *j, const char *dir, const char *policy, struct err *err)
{
    char *path = mem_format("%s/journal.jsonl", dir);
    j->out = out_open(path, err);
    free(path);
    if (j->out == NULL)
        return false;
    struct json line;
    json_init(&line, j->out, 0);
    json_begin_object(&line, NULL);
    json_i64(&line, "fauxfleet_journal", 1);
    json_text(&line, "policy", policy);
    json_end_object(&line);
    out_char(j->out, '\n');
    return true;
}

static void write_line(struct journal *j, const struct sim *sim, const struct policy_decision *d,
                       const struct work_job *job)
{
    char hex[DIGEST_HEX];
    digest_hex(&j->digest, hex);
    hex[16] = '\0';
    struct json line;
    json_init(&line, j->out, 0);
    json_begin_object(&line, NULL);
    json_i64(&line, "t_ms", sim->now_ms);
    json_text(&line, "kind", policy_kind_name(d->kind));
    json_text(&line, "job", work_id(job));
    if (d->node.i != POLICY_NO_ID) {
        json_i64(&line, "task", d->task);
        json_text(&line, "node", sim->fleet->nodes[d->node.i].name);
        json_begin_array(&line, "devices");
        for (uint64_t rest = d->devices; rest != 0; rest &= rest - 1)
            json_i64(&line, NULL, __builtin_ctzll(rest));
        json_end_array(&line);
    } else {
        json_text(&line, "pool", sim->fleet->pools[d->pool].name);
    }
    json_i64(&line, "gpu_milli", d->gpu_milli);
    json_text(&line, "action", policy_action_name(d->action));
    json_text(&line, "hash", hex);
    json_end_object(&line);
    out_char(j->out, '\n');
}

static void decided(void *self, const struct sim *sim, const struct policy_decision *d,
                    const struct work_job *job)
{
    struct journal *j = self;
    unsigned char record[RECORD] = {0};
    unsigned char *at = put(record, (uint64_t)sim->now_ms, 8);
    at = put(at, job->number, 8);
    at = put(at, d->for_job.i == POLICY_NO_ID ? UINT64_MAX : sim->work.jobs[d->for_job.i].number, 8);
    at = put(at, d->devices, 8);
    at = put(at, (uint64_t)d->gpu_milli, 8);
    at = put(at, d->task, 4);
    at = put(at, d->node.i, 4);
    at = put(at, d->pool, 4);
    at = put(at, (uint64_t)d->kind, 1);
    at = put(at, (uint64_t)d->action, 1);
    put(at, (uint64_t)d->reason, 2);
    digest_add(&j->digest, record, sizeof record);
    j->count++;
    if (j->out != NULL)
        write_line(j, sim, d, job);
}

struct sim_observer journal_observer(struct journal *j)
{
    return (struct sim_observer){.self = j, .decided = decided};
}

void journal_hex(const struct journal *j, char hex[DIGEST_HEX])
{
    digest_hex(&j->digest, hex);
}
