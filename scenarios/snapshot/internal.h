/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the parts of the snapshot reader. A reader holds the text, the tree with all defaults,
 * and memory that lives as long as the snapshot, which is its first member. Files of shares are
 * read by the same parts.
 *
 * Locations in messages are composed only on errors: `at` is the JSON path being read ("jobs[3]"),
 * and the failing code adds the rest (".tasks[1].node").
 */
#ifndef SCENARIOS_SNAPSHOT_INTERNAL_H
#define SCENARIOS_SNAPSHOT_INTERNAL_H

#include "scenarios/json/source.h"
#include "scenarios/schema/schema.h"
#include "scenarios/snapshot/snapshot.h"

#include <cjson/cJSON.h>

extern const struct schema_row schema_snapshot, schema_shares;

struct snap_reader {
    struct snapshot s; /* first: the public part */
    struct json_source source;
    cJSON *tree;     /* with all defaults */
    char at[64];     /* path of the current element */
    uint64_t *taken; /* by node: devices that tasks hold */
    void **blocks;
    size_t block_count, block_capacity;
    struct err *err;
};

/* Returns zeroed memory that lives as long as the snapshot. */
void *snap_alloc(struct snap_reader *, size_t count, size_t size);

/* Checks the loaded text and makes the tree. */
bool snap_check(struct snap_reader *, const struct schema_row *schema);
void snap_close(struct snap_reader *);

/* Sets the error for the value at reader->at followed by `path` ("", ".node"); returns false. */
bool snap_fail(struct snap_reader *, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "unknown node 'nod1', did you mean 'node1'?" */
bool snap_unknown(struct snap_reader *, const char *path, const char *what, const char *name,
                  const struct name_set *names);

/* Values of the tree, which has been checked. For an absent or null key, they return `absent`. */
const char *snap_text(const cJSON *object, const char *key);
int64_t snap_integer(const cJSON *object, const char *key, int64_t absent);
struct snap_origin snap_origin(const cJSON *object);
int64_t snap_ms(const cJSON *object, const char *key, int64_t absent); /* a duration */
int64_t snap_scaled(const cJSON *object, const char *key, double factor);
uint64_t snap_device_set(const cJSON *list);
int32_t snap_choice(const cJSON *object, const char *key,
                    const char *names); /* its place in "a|b|c" */
struct snap_count *snap_counts(struct snap_reader *, const cJSON *object,
                               size_t *count); /* by name */

/* Sorts by the rank that the file gives, then by the position of the name among all names. */
struct snap_ranked {
    int64_t own_rank;
    uint32_t place;
    size_t index;
};
void snap_rank(struct snap_ranked *, size_t count);

/* Returns the length of an array; 0 if it is absent. */
size_t snap_size(const cJSON *list);

/*
 * Numbers unique names: names[i] are `stride` bytes apart. *of_name maps numbers to indexes.
 * Returns false for a duplicate; `what` and `list` are used in the message, "node" of "nodes".
 */
bool snap_number(struct snap_reader *, struct name_set *, size_t **of_name,
                 const char *const *names, size_t count, size_t stride, const char *what,
                 const char *key);

/* The parts, each in its file. */
bool snap_read_nodes(struct snap_reader *, const cJSON *list);
bool snap_read_offers(struct snap_reader *, const cJSON *list); /* after the nodes; NULL: none */
bool snap_read_queues(struct snap_reader *, const cJSON *list);
bool snap_read_job(struct snap_reader *, const cJSON *from, struct snap_job *);
bool snap_read_life(struct snap_reader *, const cJSON *from, struct snap_life *);
bool snap_read_roles(struct snap_reader *, const cJSON *from, struct snap_job *);
bool snap_read_tasks(struct snap_reader *, const cJSON *from, struct snap_job *);
bool snap_read_request(struct snap_reader *, const cJSON *from, const char *path,
                       struct snap_request *);
bool snap_read_constraint(struct snap_reader *, const cJSON *from, const char *path,
                          struct snap_constraint *);
bool snap_read_history(struct snap_reader *,
                       const cJSON *list); /* after everything that it names */
bool snap_assign_devices(
    struct snap_reader *); /* for running tasks that do not state their devices */

#endif
