/* SPDX-License-Identifier: MIT */
/* Parsing option values. */
#ifndef POLICY_BASE_WORDS_H
#define POLICY_BASE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses a decimal number into *value, times 10^digits; further decimals must be 0. "-1" is the
 * only negative number.
 */
bool pc_parse_decimal(const char *text, int digits, int64_t *value);

/* Returns the position of the value among words separated by '|', or -1. */
int32_t pc_word_of(const char *words, const char *value);

/* "mon-fri 08-18,sat 10-12": bit i of the three words is hour i of the week, from Monday 00:00. */
bool pc_parse_hours(const char *text, uint64_t hours[3]);

#endif
