/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the baseline of a gate: refused with a reason, or its replicas are accepted. */
#include "report/gate/baseline.h"
#include "tests/report/gate/made.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gate_baseline b;
    struct err err = {0};
    char *text = mem_text_n((const char *)data, size);
    if (baseline_parse(&b, "fuzz.json", text, size, &err)) {
        struct gate g;
        made_begin(&g, 1, 2, 1);
        g.looks[0] = 1;
        if (baseline_apply(&b, &g, &err))
            BUG_ON(g.scenarios[0].sides[SIDE_A].count != 1);
        else
            BUG_ON(err.code != EXIT_BASELINE || err.msg[0] == '\0');
        gate_fini(&g);
        baseline_close(&b);
    } else {
        BUG_ON((err.code != EXIT_INPUT && err.code != EXIT_BASELINE) || err.msg[0] == '\0');
    }
    free(text);
    return 0;
}
