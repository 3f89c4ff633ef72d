/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and names in text: strict parsers that take all of the text or nothing, and the nearest
 * valid name for messages. No locale, no errno, no partial reads. `n` is the length of `text`,
 * which needs no final NUL.
 */
#ifndef SIM_BASE_TEXT_H
#define SIM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole decimal number with optional sign and, as traces write it, an optional ".0...0" or
 * exponent. */
bool text_i64(const char *text, size_t n, int64_t *value);

/* A decimal number; refuses nan, infinities, hexadecimal and trailing text. */
bool text_f64(const char *text, size_t n, double *value);

/*
 * A decimal number times 10^digits, rounded half away from zero: text_scaled("1.5", 3, 3) is 1500.
 * Exact, no floating point unless an exponent is present. Refuses what does not fit int64.
 */
bool text_scaled(const char *text, size_t n, int digits, int64_t *value);

/* "90s", "15m", "2h", "14d", "1w" or plain seconds, in milliseconds. Negative durations are
 * refused. */
bool text_duration_ms(const char *text, size_t n, int64_t *ms);

/* True if `text` ends in `end` and is longer: "a.json" in ".json". */
bool text_ends_in(const char *text, const char *end);

/*
 * The name among `count` names nearest to `name` (Damerau-Levenshtein, ignoring case), or NULL when
 * none is near enough to be a likely typing error. `names` points at the first name, names lie
 * `stride` bytes apart.
 */
const char *text_nearest(const char *name, const char *const *names, size_t count, size_t stride);

/* ", did you mean 'x'?" or "" in `buffer`; returns buffer. For the end of messages about unknown
 * names. */
const char *text_suggest(char *buffer, size_t size, const char *name, const char *const *names,
                         size_t count, size_t stride);

#endif
