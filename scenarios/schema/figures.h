/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of a catalogue as written, for users and programs that ask for the source of a figure:
 * `source` covers all figures, `sources` single ones, and `unverified` names the unverified ones.
 */
#ifndef SCENARIOS_SCHEMA_FIGURES_H
#define SCENARIOS_SCHEMA_FIGURES_H

#include "scenarios/schema/schema.h"

#define FIGURES 64 /* in one object, at most */

/* Everything points into the object or the schema. */
struct figure {
    const struct schema_row *row; /* key and meaning */
    const cJSON *value;
    const char *source; /* NULL if not stated */
    bool unverified;    /* the figure, or a part of it ("speeds.t4") */
};

/* Lists the figures of the object in the order of its schema; returns their number. */
size_t figures_of(const cJSON *object, const struct schema_row *schema,
                  struct figure figures[FIGURES]);

#endif
