/* SPDX-License-Identifier: MIT */
/* Values of options from text. */
#ifndef POLICY_BASE_WORDS_H
#define POLICY_BASE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* A decimal number times 10^digits, all digits behind the point needed; "-1" is the only negative
 * number. */
bool pc_parse_decimal(const char *text, int digits, int64_t *value);

/* The position of the value among words that are separated by '|', or -1. */
int32_t pc_word_of(const char *words, const char *value);

/* "mon-fri 08-18,sat 10-12": bit i of the three words is hour i of the week, from Monday 00:00. */
bool pc_parse_hours(const char *text, uint64_t hours[3]);

#endif
