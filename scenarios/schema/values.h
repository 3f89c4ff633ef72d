/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a checked tree with all defaults: every value has the right type. */
#ifndef SCENARIOS_SCHEMA_VALUES_H
#define SCENARIOS_SCHEMA_VALUES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

const char *fill_text(const cJSON *object, const char *key); /* NULL when absent */
double fill_number(const cJSON *object, const char *key);
int64_t fill_integer(const cJSON *object, const char *key);
int64_t fill_scaled(const cJSON *object, const char *key, double factor); /* -1 stays -1 */
int64_t fill_ms(const cJSON *object, const char *key, int64_t absent);
bool fill_true(const cJSON *object, const char *key);

#endif
