/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The losses of GPU-hours in words and by group: one table for the page's ledger and its verdict.
 * Keys are those of gpu_hours.lost in summary.json.
 */
#ifndef REPORT_WORDS_LOSSES_H
#define REPORT_WORDS_LOSSES_H

#include <cjson/cJSON.h>
#include <stdbool.h>

enum loss_group {
    LOSS_NONE,
    LOSS_AT_WORK,
    LOSS_IDLE,
    LOSS_GONE,
    LOSS_GROUPS
}; /* LOSS_NONE: productive */

/*
 * Share of the installed hours by which a ledger may be off; the page reports larger differences.
 */
#define LOSS_TOLERANCE 1e-3

/* An unknown key is its own label, and counts as lost at work. */
const char *loss_label(const char *key);
enum loss_group loss_group(const char *key);
const char *loss_group_label(enum loss_group);

/* Returns true if an item of gpu_hours.lost is a number of hours. */
bool loss_is_amount(const cJSON *item);

/* Returns the largest loss of a group (LOSS_NONE: of all), or NULL if none is above 0. */
const cJSON *loss_largest(const cJSON *lost, enum loss_group);

/* Returns the hours of a group. */
double loss_sum(const cJSON *lost, enum loss_group);

#endif
