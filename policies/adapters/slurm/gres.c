/* SPDX-License-Identifier: MIT */
/* Parsing Slurm's GRES texts; see gres.h. */
#include "policies/adapters/slurm/gres.h"

#include <string.h>

#define MOST_COUNT INT64_C(1000000000)

/* Parses digits up to the first other character. Returns false without any, or with too many. */
static bool number(const char **at, int64_t *value)
{
    const char *from = *at;
    for (*value = 0; **at >= '0' && **at <= '9' && *value < MOST_COUNT; (*at)++)
        *value = *value * 10 + (**at - '0');
    return *at > from && *value < MOST_COUNT;
}

static const char *skip_prefix(const char *at)
{
    bool prefixed = strncmp(at, "gres:", 5) == 0 || strncmp(at, "gres/", 5) == 0;
    return prefixed ? at + 5 : at;
}

/* What follows "gpu": nothing, ":8", ":h100", ":h100:8", "=8", ":h100=8". */
static bool read_gpus(struct gres *g, const char *at, size_t n)
{
    int64_t count = 1;
    const char *end = at + n, *digits = end;
    while (digits > at && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    if (digits < end && digits > at && (digits[-1] == ':' || digits[-1] == '=')) {
        const char *read = digits;
        if (!number(&read, &count))
            return false;
        end = digits - 1;
    }
    if (end > at + 1 && *g->type == '\0') {
        size_t length = (size_t)(end - at) - 1;
        if (length >= sizeof g->type)
            return false;
        memcpy(g->type, at + 1, length);
        g->type[length] = '\0';
    }
    g->gpus += count;
    return g->gpus < MOST_COUNT;
}

bool gres_read(struct gres *g, const char *text)
{
    *g = (struct gres){.gpus = 0};
    for (const char *at = text != NULL ? text : ""; *at != '\0';) {
        at = skip_prefix(at);
        size_t n = strcspn(at, ",;("), name = strcspn(at, ":=,;(");
        if (name == 0)
            return false;
        bool gpus = name == 3 && strncmp(at, "gpu", 3) == 0;
        g->other = g->other || !gpus;
        if (gpus && !read_gpus(g, at + name, n - name))
            return false;
        at += n;
        if (*at == '(') // "(S:0-1)" contains commas
            at += strcspn(at, ")") + (at[strcspn(at, ")")] == ')');
        if (*at != '\0' && *at != ',' && *at != ';')
            return false;
        at += *at != '\0';
    }
    return true;
}

int64_t gres_array_tasks(const char *text, uint32_t *tasks, int64_t most)
{
    int64_t count = 0;
    for (const char *at = text != NULL ? text : ""; *at != '\0' && *at != '%';) {
        int64_t from, to, step = 1;
        if (!number(&at, &from))
            return -1;
        to = from;
        if (*at == '-' && (at++, !number(&at, &to)))
            return -1;
        if (*at == ':' && (at++, !number(&at, &step)))
            return -1;
        if (to < from || step < 1 || to - from > 4000000)
            return -1;
        for (int64_t i = from; i <= to; i += step, count++)
            if (count < most)
                tasks[count] = (uint32_t)i;
        if (*at == ',')
            at++;
        else if (*at != '\0' && *at != '%')
            return -1;
    }
    return count;
}
