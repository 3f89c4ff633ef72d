/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See items.h. */
#include "report/results/items.h"

#include <math.h>

const char *item_text(char text[UNIT_TEXT], const struct item *item, const cJSON *summary)
{
    double value = json_number_at(summary, item->path);
    if (isnan(value) || (item->positive && !(value > 0)))
        return NULL;
    return item->format(text, value);
}
