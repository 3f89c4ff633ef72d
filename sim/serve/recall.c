/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking up records; see recall.h. */
#include "sim/serve/recall.h"

#include "policies/facts/records.h"
#include "policies/facts/write.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST_BYTES ((size_t)4 << 20) /* of decisions in one answer, about */

/* ---- records ---- */

/*
 * The log before the one that was started when the state was saved. Returns false if there is none.
 */
static bool open_older(const struct service *s, struct fact_log *older)
{
    char why[256];
    char *path = mem_format("%s.1", s->log_path != NULL ? s->log_path : "");
    bool ok =
        s->log.is_renewed && access(path, R_OK) == 0 && fact_log_open(older, path, why, sizeof why);
    free(path);
    if (ok && (!fact_log_scan(older, why, sizeof why) || older->records != s->log.base)) {
        older->sync_ms = FACT_LOG_NEVER;
        (void)fact_log_close(older);
        return false;
    }
    return ok;
}

uint64_t service_first_record(const struct service *s)
{
    struct fact_log older;
    uint64_t first = s->log.base + 1;
    if (s->log.is_renewed && open_older(s, &older)) {
        first = older.base + 1;
        (void)fact_log_close(&older);
    }
    return first;
}

/* From that record on, until `read` has enough. False when it is not there. */
static bool look_up(struct service *s, uint64_t from, struct fact_log_reader reader)
{
    struct fact_log older;
    if (!fact_log_commit(&s->log))
        return false;
    if (from > s->log.base) {
        (void)fact_log_read(&s->log, from, reader);
        return true;
    }
    if (!open_older(s, &older))
        return false;
    bool there = fact_log_has(&older, from);
    if (there && fact_log_read(&older, from, reader))
        (void)fact_log_read(&s->log, s->log.base + 1, reader);
    (void)fact_log_close(&older);
    return there;
}

static void put_record(struct text *list, const char *line, size_t n, uint64_t number)
{
    text_put(list, list->length > 0 ? ", " : "");
    text_put(list, "{\"record\": ");
    text_natural(list, number);
    text_put(list, ", ");
    text_bytes(list, line + 1, n - 1 - CHAIN_TAIL);
    text_put(list, "}");
}

/* ---- one that a client names ---- */

struct lookup {
    struct recall *recall;
    const struct fact *fact; /* of the request */
    struct text wanted;      /* as it was to be recorded */
    bool same;
    uint64_t missing; /* decisions */
};

/* A decide is one time, whatever came of it. */
static bool is_same(const struct lookup *l, const char *line, size_t n)
{
    size_t length = l->wanted.length;
    bool begins = n >= CHAIN_TAIL + length && memcmp(line, l->wanted.bytes, length) == 0;
    return begins &&
           (n == CHAIN_TAIL + length ||
            (l->fact->kind == FACT_DECIDE && memcmp(line + length, ", \"decisions\"", 13) == 0));
}

static bool see(void *self, uint64_t number, const char *line, size_t n)
{
    struct lookup *l = self;
    struct fact_line decide = {.tree = NULL};
    if (number == (uint64_t)l->recall->record) {
        l->same = is_same(l, line, n);
        if (l->same && l->fact->kind == FACT_DECIDE && fact_line_read(&decide, line, n))
            l->recall->count = l->missing = decide.fact.count;
        fact_line_fini(&decide);
    } else {
        struct text *list = &l->recall->decisions;
        text_put(list, list->length > 0 ? ", " : "");
        text_bytes(list, line, n - CHAIN_TAIL);
        text_put(list, "}");
        l->missing--;
    }
    return l->missing > 0;
}

static enum recall_verdict wrong(const struct service *s, struct recall *r, const char *what)
{
    (void)snprintf(r->error, sizeof r->error,
                   "'record' %" PRId64 ": %s; %" PRIu64 " records were taken", r->record, what,
                   s->log.records);
    return RECALL_WRONG;
}

void service_recall_fini(struct recall *r)
{
    text_fini(&r->decisions);
}

enum recall_verdict service_recall(struct service *s, struct recall *r, const struct fact *fact)
{
    uint64_t record = (uint64_t)r->record;
    struct lookup l = {.recall = r, .fact = fact};
    if (r->record < 0) /* the client gave none */
        return RECALL_NEXT;
    service_begin_section(s);
    if (record > s->log.records + 1)
        return wrong(s, r, "the records before it are missing");
    if (record == s->log.records + 1)
        return RECALL_NEXT;
    fact_write(&l.wanted, fact);
    bool there = s->log.file >= 0 && look_up(s, record, (struct fact_log_reader){see, &l});
    text_fini(&l.wanted);
    if (!there)
        return wrong(s, r, "it was taken, and is not kept any more");
    return l.same ? RECALL_REPEATED : wrong(s, r, "it was taken, and is something else");
}

/* ---- decisions ---- */

struct listing {
    struct text list;
    uint64_t upto;
};

static bool list(void *self, uint64_t number, const char *line, size_t n)
{
    struct listing *l = self;
    if (record_is(line, n, "\"decision\""))
        put_record(&l->list, line, n, number);
    l->upto = number;
    return l->list.length < LIST_BYTES;
}

bool service_recall_decisions(struct service *s, uint64_t after, struct text *answer, char *error,
                              size_t size)
{
    struct listing l = {.upto = after};
    if (s->log.file < 0 || after > s->log.records) {
        (void)snprintf(error, size, "'after': %s, and %" PRIu64 " records were taken",
                       s->log.file < 0 ? "there is no --journal and no --state to look it up in"
                                       : "expected the number of a record",
                       s->log.records);
        return false;
    }
    if (after < s->log.records && !look_up(s, after + 1, (struct fact_log_reader){list, &l})) {
        (void)snprintf(error, size, "'after': records up to %" PRIu64 " are not kept any more",
                       s->log.base);
        return false;
    }
    text_put(answer, ", \"decisions\": [");
    text_bytes(answer, l.list.bytes, l.list.length);
    text_put(answer, "], \"upto\": ");
    text_natural(answer, l.upto);
    text_put(answer, ", \"records\": ");
    text_natural(answer, s->log.records);
    text_fini(&l.list);
    return true;
}
