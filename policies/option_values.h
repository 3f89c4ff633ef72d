/* SPDX-License-Identifier: MIT */
/*
 * Options of a configuration and the setters of their values. A row of the table in options.c names
 * the setter for its kind of value; some setters also change what depends on the option.
 */
#ifndef POLICY_OPTION_VALUES_H
#define POLICY_OPTION_VALUES_H

#include "state/engine.h"

#include <stddef.h>

struct pc_option {
    struct policy_row row;
    int of; /* the configurations that accept it */
    bool (*set)(struct policy_config *, const struct pc_option *, const char *value);
    size_t at;           /* offset in the configuration */
    const char *words;   /* "zero|one|two": values 0, 1, 2 */
    int64_t least, most; /* of numbers; durations in ms, ratios in ppm */
    /* Returns true if a chosen row uses the option; NULL: always. */
    bool (*serves)(const struct policy_config *);
};

/*
 * A setter parses the text into the option's member: words and numbers as int32_t, long ones as
 * int64_t, seconds as ms, ratios as ppm. It returns false, and changes nothing, if the text is
 * invalid.
 */
bool pc_set_word(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_flag(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_number(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_long(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_seconds(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_ratio(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_seed(struct policy_config *, const struct pc_option *, const char *value);

/* Rows by name; setting another order, queue order or unit also sets what belongs to it. */
bool pc_set_placement(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_order(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_queue_order(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_unit(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_backfill(struct policy_config *, const struct pc_option *, const char *value);

/* Lists, separated by commas. */
bool pc_set_thresholds(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_hours(struct policy_config *, const struct pc_option *, const char *value);
bool pc_set_actions(struct policy_config *, const struct pc_option *, const char *value);

#endif
