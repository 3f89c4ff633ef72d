/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See rejects.h. */
#include "traces/rejects.h"

#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

void rejects_take(struct rejects *rejects, const struct err *row)
{
    if (rejects->count++ == 0)
        rejects->first = *row;
}

bool rejects_end(struct rejects *rejects, uint64_t rows, int64_t ppm, struct err *err)
{
    const char *noun = rows == 1 ? "row" : "rows";
    if (rejects->count == 0)
        return true;
    if ((double)rejects->count * 1e6 > (double)rows * (double)ppm) {
        const char *first = rejects->first.msg;
        if (ppm == 0)
            return err_set(err, EXIT_INPUT, "%s", first);
        return err_set(err, EXIT_INPUT,
                       "%s (%" PRIu64 " of %" PRIu64 " %s cannot be read, more than the %g %% that "
                       "are left out; option 'rejected' of the trace)",
                       first, rejects->count, rows, noun, (double)ppm / 1e4);
    }
    rejects->words = mem_format("%" PRIu64 " of %" PRIu64 " %s cannot be read and %s left out; "
                                "first %s",
                                rejects->count, rows, noun, rejects->count == 1 ? "is" : "are",
                                rejects->first.msg);
    return true;
}

void rejects_fini(struct rejects *rejects)
{
    free(rejects->words);
}
