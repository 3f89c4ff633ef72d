/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preceding jobs of SWF; see swf_preceding.h. */
#include "traces/formats/swf_preceding.h"

#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>

struct preceding {
    struct symbols *kept, *dropped; /* job numbers, as text */
};

static size_t spell(char text[32], const char *before, int64_t number)
{
    return (size_t)snprintf(text, 32, "%s%lld", before, (long long)number);
}

bool swf_preceding_open(struct format_context *context, struct err *err)
{
    (void)err;
    if (context->settings->dependencies != SETTINGS_DEPENDENCIES_HONOUR)
        return true;
    struct preceding *own = mem_alloc(1, sizeof *own);
    *own = (struct preceding){symbols_create(), symbols_create()};
    context->own = own;
    return true;
}

void swf_preceding_close(struct format_context *context)
{
    struct preceding *own = context->own;
    if (own == NULL)
        return;
    symbols_destroy(own->kept);
    symbols_destroy(own->dropped);
    free(own);
}

void swf_preceding_set(struct format_context *context, int64_t number, int64_t preceding,
                       int64_t think_ms)
{
    const struct preceding *own = context->own;
    if (preceding <= 0)
        return;
    if (own == NULL) {
        format_note(context,
                    "preceding job (field 17) is not waited for, option dependencies=honour does");
        return;
    }
    char text[32];
    size_t n = spell(text, "", preceding);
    if (preceding == number) {
        format_note(context, "preceding job is the job itself, not waited for");
    } else if (symbols_find(own->kept, text, n) != SYMBOL_NONE) {
        struct trace_job *job = &context->row.job;
        n = spell(text, "any:", preceding);
        job->after = texts_copy(context->fields.texts, text, n);
        job->think_ms = think_ms > 0 ? think_ms : TRACE_UNKNOWN;
    } else if (symbols_find(own->dropped, text, n) != SYMBOL_NONE) {
        format_note(context, "preceding job was dropped, not waited for");
    } else {
        format_note(context, "preceding job is unknown or comes later, not waited for");
    }
}

void swf_preceding_seen(struct format_context *context, int64_t number, bool kept)
{
    const struct preceding *own = context->own;
    if (own == NULL)
        return;
    char text[32];
    size_t n = spell(text, "", number);
    symbols_add(kept ? own->kept : own->dropped, text, n);
}
