/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a scenario: the file up to the first NUL, then a --set. An accepted scenario must
 * resolve to text that is accepted, too, and resolves to itself. No file is opened.
 */
#include "scenarios/load/fill.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_text_n((const char *)data, size);
    size_t n = strlen(text);
    const char *sets[] = {text + n + 1};
    struct scen_overrides overrides = {.set = sets, .set_count = n < size ? 1 : 0};
    struct scenario *first = NULL, *second = NULL;
    struct err err = {0};
    if (scenario_parse(&first, "fuzz.json", text, n, &overrides, false, &err)) {
        bool again = scenario_parse(&second, "again.json", first->resolved, strlen(first->resolved),
                                    NULL, false, &err);
        BUG_ON(!again);
        BUG_ON(strcmp(first->resolved, second->resolved) != 0);
        BUG_ON(strcmp(first->digest, second->digest) != 0);
        char where[600];
        (void)scenario_where(first, "queues[1].gpu.quota", where, sizeof where);
        scenario_destroy(first);
        scenario_destroy(second);
    } else {
        BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
    }
    // The bytes after the NUL, and all of them, are separate texts.
    struct json_source source;
    if (json_source_parse(&source, "raw.json", (const char *)data, size, &err))
        json_source_close(&source);
    free(text);
    return 0;
}
