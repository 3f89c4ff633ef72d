/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The losses of the GPU-hours in words, and what kind of loss each is: one table for the ledger of
 * the page and for its verdict. Keys are those of gpu_hours.lost in summary.json.
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

/* Of the installed hours: a ledger that is off by more does not add up, and its page says so. */
#define LOSS_TOLERANCE 1e-3

/* A key that the table does not know is its own label, and lost at work. */
const char *loss_label(const char *key);
enum loss_group loss_group(const char *key);
const char *loss_group_label(enum loss_group);

/* True if an item of gpu_hours.lost is a number of hours. */
bool loss_is_amount(const cJSON *item);

/* The largest loss above 0 of a group (LOSS_NONE: of all); NULL when there is none. */
const cJSON *loss_largest(const cJSON *lost, enum loss_group);

/* The hours of a group. */
double loss_sum(const cJSON *lost, enum loss_group);

#endif
