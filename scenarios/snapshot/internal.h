/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the reader of snapshots share. A reader holds the text, the tree with all
 * defaults, and blocks of memory that live as long as the snapshot, which is its first member. The
 * file of shares is read by the same parts.
 *
 * Places in messages are put together only when something is wrong: `at` is the JSON path of what
 * is being read ("jobs[3]"), and what fails adds the rest (".tasks[1].node").
 */
#ifndef SCENARIOS_SNAPSHOT_INTERNAL_H
#define SCENARIOS_SNAPSHOT_INTERNAL_H

#include "scenarios/json/source.h"
#include "scenarios/schema/schema.h"
#include "scenarios/snapshot/snapshot.h"

#include <cjson/cJSON.h>

extern const struct schema_row schema_snapshot, schema_shares;

struct snap_reader {
    struct snapshot s; /* first: what the caller sees */
    struct json_source source;
    cJSON *tree;     /* with all defaults */
    char at[64];     /* the element that is being read */
    uint64_t *taken; /* of each node the devices that tasks hold */
    void **blocks;
    size_t block_count, block_capacity;
    struct err *err;
};

/* Memory that lives as long as the snapshot; zeroed. */
void *snap_alloc(struct snap_reader *, size_t count, size_t size);

/* Checks the text that was loaded, and makes the tree. */
bool snap_check(struct snap_reader *, const struct schema_row *schema);
void snap_close(struct snap_reader *);

/* Sets the error of what stands at reader->at and `path` behind it ("", ".node"); returns false. */
bool snap_fail(struct snap_reader *, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "unknown node 'nod1', did you mean 'node1'?" */
bool snap_unknown(struct snap_reader *, const char *path, const char *what, const char *name,
                  const struct name_set *names);

/* Values of the tree, which passed the check. A key that is absent or null answers with `absent`.
 */
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

/* Sorts by the rank that the file gives, then by the place of the name among all names. */
struct snap_ranked {
    int64_t own_rank;
    uint32_t place;
    size_t index;
};
void snap_rank(struct snap_ranked *, size_t count);

/* An array: how many elements, 0 when it is not there. */
size_t snap_size(const cJSON *list);

/*
 * Numbers names that have to be unique: names[i] lie `stride` bytes apart. In *of_name the index of
 * each numbered one. False when one is there twice; `what` and `list` say of what, "node" of
 * "nodes".
 */
bool snap_number(struct snap_reader *, struct name_set *, size_t **of_name,
                 const char *const *names, size_t count, size_t stride, const char *what,
                 const char *key);

/* The parts, each with its file. */
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
bool snap_read_history(struct snap_reader *, const cJSON *list); /* after all that it names */
bool snap_assign_devices(
    struct snap_reader *); /* to tasks that run and do not say which they hold */

#endif
