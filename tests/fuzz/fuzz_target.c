/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a target of plan. An accepted one has a path and a number, and can be looked up. */
#include "report/plan/target.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct target target;
    struct err err = {0};
    char *text = mem_text_n((const char *)data, size);
    if (target_parse(&target, text, &err)) {
        cJSON *empty = cJSON_CreateObject();
        double value;
        BUG_ON(target.step_count == 0 || target.step_count > TARGET_STEPS || isnan(target.limit));
        BUG_ON(target_find(&target, empty, &value) != TARGET_ABSENT ||
               target_absent(&target, empty, &err));
        cJSON_Delete(empty);
        target_fini(&target);
    }
    BUG_ON(err.code != EXIT_INPUT && err.code != EXIT_OK);
    free(text);
    return 0;
}
