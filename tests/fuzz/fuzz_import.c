/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: output of kubectl and Slurm. The result is JSON that loads as a snapshot or is
 * refused with a reason. */
#include "scenarios/import/import.h"
#include "scenarios/snapshot/snapshot.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct import *import = import_create();
    struct err err = {0};
    if (import_parse(import, "fuzz", (const char *)data, size, &err)) {
        struct out *out = out_memory();
        size_t n;
        struct snapshot *snapshot = NULL;
        struct out *key = out_memory();
        import_print(import, out, key);
        out_discard(key);
        const char *text = out_memory_text(out, &n);
        if (snapshot_parse(&snapshot, "made", text, n, &err))
            snapshot_destroy(snapshot);
        out_discard(out);
    } else {
        BUG_ON(err.code != EXIT_INPUT || strncmp(err.msg, "fuzz:", 5) != 0);
    }
    import_destroy(import);
    return 0;
}
