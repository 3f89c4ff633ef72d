/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPUs of a Slurm node; see gres.h. */
#include "scenarios/import/gres.h"

#include "sim/base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int64_t gres_gpus(const char *gres, char type[GRES_TYPE])
{
    int64_t sum = 0;
    *type = '\0';
    for (const char *at = gres; *at != '\0';) {
        size_t n = strcspn(at, ",("), name = strcspn(at, ":,(");
        int64_t count = 1;
        if (name == 3 && strncmp(at, "gpu", 3) == 0) {
            const char *last = at + n;
            while (last > at && last[-1] != ':')
                last--;
            bool counted = last > at && text_i64(last, (size_t)(at + n - last), &count);
            const char *from = at + name + (at[name] == ':'), *to = counted ? last - 1 : at + n;
            if (*type == '\0' && to > from)
                (void)snprintf(type, GRES_TYPE, "%.*s",
                               (int)(to - from >= GRES_TYPE ? GRES_TYPE - 1 : to - from), from);
            sum += count > 0 ? count : 0;
        }
        at += n;
        while (*at == '(') // "(S:0-1)" may contain commas
            at += strcspn(at, ")") + (at[strcspn(at, ")")] == ')');
        at += *at == ',';
    }
    return sum;
}
