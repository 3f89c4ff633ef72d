/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a tree; see values.h. */
#include "scenarios/schema/values.h"

#include "scenarios/json/source.h"
#include "scenarios/schema/check.h"

#include <math.h>

const char *fill_text(const cJSON *object, const char *key)
{
    const cJSON *value = json_member(object, key);
    return value ? value->valuestring : NULL;
}

double fill_number(const cJSON *object, const char *key)
{
    const cJSON *value = json_member(object, key);
    BUG_ON(!value);
    return value->valuedouble;
}

int64_t fill_integer(const cJSON *object, const char *key)
{
    return (int64_t)fill_number(object, key);
}

int64_t fill_scaled(const cJSON *object, const char *key, double factor)
{
    double value = fill_number(object, key);
    return value == -1 ? -1 : (int64_t)llround(value * factor);
}

int64_t fill_ms(const cJSON *object, const char *key, int64_t absent)
{
    const cJSON *value = json_member(object, key);
    return value ? check_duration_ms(value) : absent;
}

bool fill_true(const cJSON *object, const char *key)
{
    return cJSON_IsTrue(json_member(object, key));
}
