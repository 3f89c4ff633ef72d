/* SPDX-License-Identifier: MIT */
/* The state file; see state.h. */
#include "policies/adapters/slurm/state.h"

#include "policies/adapters/slurm/memory.h"
#include "policies/facts/saved.h"
#include "policies/facts/saved_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(char *error, size_t size, const char *path, const char *why)
{
    (void)snprintf(error, size, "%s: %s", path, why);
    return false;
}

/* ---- reading ---- */

/* Takes the facts without the chains that end their lines. */
static void take_lines(struct state *state, const char *bytes, struct saved *saved)
{
    for (size_t from; from = saved->at, saved_next(saved);) {
        if (saved->line.fact.kind == FACT_HISTORY) {
            text_bytes(&state->past.lines, bytes + from, saved->at - 1 - from - CHAIN_TAIL);
            text_put(&state->past.lines, "}\n");
        }
    }
    if (state->past.lines.failed)
        memory_ran_out();
}

bool state_read(struct state *state, const char *path, char *error, size_t size)
{
    struct saved saved;
    char why[256];
    char *bytes;
    size_t n;
    *state = (struct state){.is_there = false};
    if (!saved_file_read(path, &bytes, &n, why, sizeof why))
        return fail(error, size, path, why);
    if (bytes == NULL)
        return true;
    state->is_there = true;
    bool ok = saved_open(&saved, bytes, n, why, sizeof why);
    if (!ok) {
        (void)fail(error, size, path, why);
    } else {
        (void)saved_next(&saved);
        const struct fact_policy *policy = saved.line.fact.spec;
        state->records = (uint64_t)policy->records;
        (void)snprintf(state->after, sizeof state->after, "%s", policy->after);
        take_lines(state, bytes, &saved);
    }
    saved_close(&saved);
    free(bytes);
    return ok;
}

void state_fini(struct state *state)
{
    past_fini(&state->past);
}

/* ---- writing ---- */

static void put(void *text, const char *bytes, size_t n)
{
    text_bytes(text, bytes, n);
}

static void put_all(struct text *text, const struct state *state, policy_time now,
                    const char *policy)
{
    struct saved_writer writer = {.put = put, .self = text};
    const struct fact_policy covered = {.version = FACTS_VERSION,
                                        .contract = POLICY_VERSION,
                                        .name = policy,
                                        .after = state->after,
                                        .records = (int64_t)state->records};
    struct text line = {.length = 0};
    const char *at = state->past.lines.bytes;
    size_t left = state->past.lines.length;
    saved_begin(&writer, now, &covered);
    while (left > 0) {
        const char *end = memchr(at, '\n', left);
        size_t n = end != NULL ? (size_t)(end - at) : left;
        text_bytes(&line, at, n - 1); /* the chain precedes the brace */
        saved_line(&writer, &line);
        at += n + (end != NULL);
        left -= n + (end != NULL);
    }
    saved_end(&writer, now);
    text_fini(&line);
    if (writer.failed || text->failed)
        memory_ran_out();
}

bool state_write(const struct state *state, const char *path, policy_time now, const char *policy,
                 char *error, size_t size)
{
    struct text text = {.length = 0};
    char why[256];
    put_all(&text, state, now, policy);
    bool ok = saved_file_write(path, text.bytes, text.length, why, sizeof why) ||
              fail(error, size, path, why);
    text_fini(&text);
    return ok;
}
