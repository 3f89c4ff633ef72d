/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An input as the objects of one JSON array, "[{...}, {...}]", or of the array "items" in an
 * object, as kubectl prints lists. Objects are parsed one at a time, so memory is that of the
 * largest one, however long the array. A byte order mark at the beginning is skipped. Errors: an
 * object above INPUT_PIECE_MAX, anything but one comma between objects, anything after the array.
 */
#ifndef TRACES_OBJECTS_H
#define TRACES_OBJECTS_H

#include "traces/input.h"

#include <cjson/cJSON.h>
#include <stdint.h>

struct objects;

struct objects *objects_create(struct input *); /* borrows the input */

/* Returns 1 with an object (freed by the caller with cJSON_Delete), 0 at the end, -1 with err set,
 * prefixed with its place. */
int objects_next(struct objects *, cJSON **object, struct err *err);

uint64_t
objects_line(const struct objects *); /* 1-based: the line where the object last returned begins */
void objects_destroy(struct objects *); /* NULL is fine */

#endif
