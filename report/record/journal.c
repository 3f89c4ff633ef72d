/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and hashes decisions; the record is in journal.h. */
#include "report/record/journal.h"

#include "sim/base/digits.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define RECORD 64

/* Little endian, byte by byte, so it is the same on every machine; compilers merge the stores. */
static unsigned char *put2(unsigned char *at, unsigned value)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
    return at + 2;
}

static unsigned char *put4(unsigned char *at, uint32_t value)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
    at[2] = (unsigned char)(value >> 16);
    at[3] = (unsigned char)(value >> 24);
    return at + 4;
}

static unsigned char *put8(unsigned char *at, uint64_t value)
{
    return put4(put4(at, (uint32_t)value), (uint32_t)(value >> 32));
}

void journal_init(struct journal *j)
{
    *j = (struct journal){0};
    digest_init(&j->digest);
}

bool journal_open(struct journal *j, const char *dir, const char *policy, struct err *err)
{
    j->out = out_open_in(dir, "journal.jsonl", err);
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

#define LINE_MOST 1024 /* three names, 64 devices (254 bytes), numbers and words */

static char *put(char *to, const char *text)
{
    size_t n = strlen(text);
    memcpy(to, text, n);
    return to + n;
}

/* A name that needs more room or escapes is printed by the writer, and the line goes on behind it.
 */
static char *put_name(struct out *out, char *to, const char *name)
{
    char *end = json_plain(to, name);
    if (end != NULL)
        return end;
    out_advance(out, to);
    json_quoted(out, name);
    return out_room(out, LINE_MOST);
}

static char *put_devices(char *to, uint64_t devices)
{
    to = put(to, ", \"devices\": [");
    for (uint64_t rest = devices; rest != 0; rest &= rest - 1) {
        to = digits_u64(to, (uint64_t)__builtin_ctzll(rest));
        if ((rest & (rest - 1)) != 0)
            to = put(to, ", ");
    }
    return put(to, "]");
}

static char *put_place(struct out *out, char *to, const struct sim *sim,
                       const struct policy_decision *d)
{
    if (d->node.i == POLICY_NO_ID)
        return put_name(out, put(to, ", \"pool\": "), sim->fleet->pools[d->pool].name);
    to = digits_u64(put(to, ", \"task\": "), d->task);
    to = put_name(out, put(to, ", \"node\": "), sim->fleet->nodes[d->node.i].name);
    return put_devices(to, d->devices);
}

/* Prints the beneficiary and reason of an eviction. */
static char *put_why(struct out *out, char *to, const struct sim *sim,
                     const struct policy_decision *d)
{
    if (d->for_job.i != POLICY_NO_ID)
        to = put_name(out, put(to, ", \"for_job\": "), work_id(&sim->work.jobs[d->for_job.i]));
    return put(put(put(to, ", \"reason\": \""), policy_reason_name(d->reason)), "\"");
}

/*
 * Prints one JSON object per line without a JSON writer, since every decision has one. Job NULL:
 * the decision is about a node.
 */
static void write_line(struct journal *j, const struct sim *sim, const struct policy_decision *d,
                       const struct work_job *job)
{
    struct out *out = j->out;
    char hex[DIGEST_SHORT];
    digest_short(&j->digest, hex);
    char *to = digits_i64(put(out_room(out, LINE_MOST), "{\"t_ms\": "), sim->now_ms);
    to = put(put(to, ", \"kind\": \""), policy_kind_name(d->kind));
    to = put(to, job != NULL ? "\", \"job\": " : "\", \"node\": ");
    to = put_name(out, to, job != NULL ? work_id(job) : sim->fleet->nodes[d->node.i].name);
    if (job != NULL)
        to = put_place(out, to, sim, d);
    to = digits_i64(put(to, ", \"gpu_milli\": "), d->gpu_milli);
    to = put(put(put(to, ", \"action\": \""), policy_action_name(d->action)), "\"");
    if (d->kind == POLICY_EVICT)
        to = put_why(out, to, sim, d);
    to = put(put(put(to, ", \"hash\": \""), hex), "\"}\n");
    out_advance(out, to);
}

static void decided(void *self, const struct sim *sim, const struct policy_decision *d,
                    const struct work_job *job)
{
    struct journal *j = self;
    unsigned char record[RECORD] = {0};
    unsigned char *at = put8(record, (uint64_t)sim->now_ms);
    at = put8(at, job != NULL ? job->number : UINT64_MAX);
    at = put8(at, d->for_job.i == POLICY_NO_ID ? UINT64_MAX : sim->work.jobs[d->for_job.i].number);
    at = put8(at, d->devices);
    at = put8(at, (uint64_t)d->gpu_milli);
    at = put4(at, d->task);
    at = put4(at, d->node.i);
    at = put4(at, d->pool);
    at = put2(at, (unsigned)d->kind | (unsigned)d->action << 8);
    put2(at, (unsigned)d->reason);
    digest_add(&j->digest, record, sizeof record);
    j->count++;
    if (j->out != NULL)
        write_line(j, sim, d, job);
}

static void provisioned(void *self, const struct sim *sim, const struct policy_decision *d)
{
    decided(self, sim, d, NULL);
}

struct sim_observer journal_observer(struct journal *j)
{
    return (struct sim_observer){.self = j, .decided = decided, .provisioned = provisioned};
}

void journal_hex(const struct journal *j, char hex[DIGEST_HEX])
{
    digest_hex(&j->digest, hex);
}
