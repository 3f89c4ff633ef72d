/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An input as the objects of one JSON array, "[{...}, {...}]", or of the array "items" in an object
 * around it, as kubectl prints a list, parsed one at a time: memory is that
 * of the largest object, however long the array is. A byte order mark at the beginning is skipped.
 * An object above INPUT_PIECE_MAX is an error, as is anything between objects but one comma, and
 * anything after the array.
 */
#ifndef TRACES_OBJECTS_H
#define TRACES_OBJECTS_H

#include "traces/input.h"

#include <cjson/cJSON.h>
#include <stdint.h>

struct objects;

struct objects *objects_create(struct input *); /* borrows the input */

/* 1 with an object (freed by the caller with cJSON_Delete), 0 at the end, -1 with err set, its
 * place in front. */
int objects_next(struct objects *, cJSON **object, struct err *err);

uint64_t objects_line(const struct objects *); /* 1-based: where the object last given begins */
void objects_destroy(struct objects *);        /* NULL is fine */

#endif
