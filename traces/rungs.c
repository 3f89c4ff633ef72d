/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rungs of arrays; see trace.h. */
#include "traces/trace.h"

#include "sim/base/text.h"
#include "traces/fields.h"

#include <string.h>

bool trace_rungs(const char *text, int64_t ms[TRACE_RUNGS], int *count)
{
    *count = 0;
    int64_t before = 0;
    while (*text != '\0' || before > 0) {
        size_t n = strcspn(text, "|");
        int64_t at;
        if (*count == TRACE_RUNGS || !text_scaled(text, n, 3, &at) || at <= before ||
            at > FIELD_LARGEST)
            return false;
        ms[(*count)++] = before = at;
        if (text[n] == '\0')
            return true;
        text += n + 1;
    }
    return true;
}
