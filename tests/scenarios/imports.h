/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imported snapshots for tests: the result for files or texts, with its parts found by name. */
#ifndef TESTS_SCENARIOS_IMPORTS_H
#define TESTS_SCENARIOS_IMPORTS_H

#include "scenarios/import/import.h"
#include "scenarios/snapshot/snapshot.h"

#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

struct made {
    struct import *import;
    struct snapshot *snapshot;
};

/* Turns the printed texts into the snapshot. */
static inline void make_printed(struct made *made)
{
    struct err err = {.msg = ""};
    struct out *out = out_memory();
    size_t n;
    import_print(made->import, out, NULL);
    const char *text = out_memory_text(out, &n);
    ck_assert_msg(snapshot_parse(&made->snapshot, "made", text, n, &err), "%s\n%s", err.msg, text);
    out_discard(out);
}

static inline void make(struct made *made, const char *first, const char *second)
{
    struct err err = {.msg = ""};
    made->import = import_create();
    ck_assert_msg(import_add(made->import, first, &err), "%s", err.msg);
    ck_assert_msg(!second || import_add(made->import, second, &err), "%s", err.msg);
    make_printed(made);
}

/* Imports one text. */
static inline void make_of(struct made *made, const char *text)
{
    struct err err = {.msg = ""};
    made->import = import_create();
    ck_assert_msg(import_parse(made->import, "f", text, strlen(text), &err), "%s", err.msg);
    make_printed(made);
}

static inline void forget(struct made *made)
{
    snapshot_destroy(made->snapshot);
    import_destroy(made->import);
}

static inline const struct snap_node *node(const struct made *made, const char *name)
{
    for (size_t i = 0; i < made->snapshot->node_count; i++)
        if (strcmp(made->snapshot->nodes[i].name, name) == 0)
            return &made->snapshot->nodes[i];
    ck_abort_msg("no node %s", name);
}

static inline const struct snap_job *job(const struct made *made, const char *id)
{
    for (size_t i = 0; i < made->snapshot->job_count; i++)
        if (strcmp(made->snapshot->jobs[i].id, id) == 0)
            return &made->snapshot->jobs[i];
    ck_abort_msg("no job %s", id);
}

static inline uint64_t noted(const struct made *made, const char *part)
{
    size_t count;
    const struct trace_note *notes = import_notes(made->import, &count);
    for (size_t i = 0; i < count; i++)
        if (strstr(notes[i].what, part))
            return notes[i].rows;
    return 0;
}

/* Returns true if there is a note with exactly these words. */
static inline bool says(const struct made *made, const char *words)
{
    size_t count;
    const struct trace_note *notes = import_notes(made->import, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(notes[i].what, words) == 0)
            return true;
    return false;
}

static inline const char *label(const struct snap_node *node, const char *key)
{
    for (size_t i = 0; i < node->label_count; i++)
        if (strcmp(node->labels[i].key, key) == 0)
            return node->labels[i].value;
    return NULL;
}

/* The only value of the task's term for the key; NULL if it has none. */
static inline const char *asks(const struct snap_job *job, const char *key)
{
    const struct snap_request *request = &job->tasks[0].request;
    for (size_t i = 0; i < request->term_count; i++)
        if (strcmp(request->terms[i].key, key) == 0 && request->terms[i].value_count == 1)
            return request->terms[i].values[0];
    return NULL;
}

static inline const struct snap_queue *queue(const struct made *made, const char *name)
{
    for (size_t i = 0; i < made->snapshot->queue_count; i++)
        if (strcmp(made->snapshot->queues[i].name, name) == 0)
            return &made->snapshot->queues[i];
    ck_abort_msg("no queue %s", name);
}

#endif
