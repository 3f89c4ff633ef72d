/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a journal; see journal_file.h. */
#include "sim/cli/journal_file.h"

#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool journal_file_open(struct journal_file *j, const char *path, struct err *err)
{
    *j = (struct journal_file){.path = path, .input = input_open(path, err)};
    return j->input != NULL;
}

void journal_file_close(struct journal_file *j)
{
    input_close(j->input);
    fact_line_fini(&j->line);
    free(j->bytes);
    *j = (struct journal_file){.path = NULL};
}

/* What is left of the chunk, up to the line feed and with it, goes to the line. True when the line is whole. */
static bool take_from_chunk(struct journal_file *j, size_t *length)
{
    const char *end = j->left > 0 ? memchr(j->chunk, '\n', j->left) : NULL;
    size_t n = end != NULL ? (size_t)(end + 1 - j->chunk) : j->left;
    j->bytes = mem_grow(j->bytes, &j->room, *length + n + 1, 1);
    if (n > 0) {
        memcpy(j->bytes + *length, j->chunk, n);
        *length += n;
        j->chunk += n;
        j->left -= n;
    }
    return end != NULL;
}

/* The next line with its line feed, if it has one; 0 bytes at the end. */
static bool read_line(struct journal_file *j, size_t *length, struct err *err)
{
    int got = 1;
    *length = 0;
    while (!take_from_chunk(j, length) && got > 0)
        got = input_read(j->input, &j->chunk, &j->left, err);
    return got >= 0 || err_prefix(err, "%s:%" PRIu64, j->path, j->number + 1);
}

static bool wrong(const struct journal_file *j, const char *what, struct err *err)
{
    return err_set(err, EXIT_INPUT, "%s:%" PRIu64 ": %s", j->path, j->number, what);
}

static bool begins_section(const struct journal_file *j)
{
    return j->line.kind == LINE_FACT && j->line.fact.kind == FACT_POLICY;
}

/* A section continues where the one before it ended, in another process maybe. */
static bool check_section(struct journal_file *j, struct err *err)
{
    const struct fact_policy *policy = j->line.fact.spec;
    const char *after = policy->after != NULL ? policy->after : "";
    if (strcmp(after, j->number == 1 ? "" : j->chain.last) != 0)
        return wrong(j, "this section does not follow the one before it: lines are missing", err);
    chain_begin(&j->chain);
    return true;
}

static bool check_first(const struct journal_file *j, bool read, struct err *err)
{
    const cJSON *tree = j->line.tree;
    if (cJSON_GetObjectItemCaseSensitive(tree, "fauxfleet_journal") != NULL)
        return wrong(
            j,
            "a journal of decisions only: it does not have what the policy was told, so nothing can be "
            "decided again; run the scenario with --set outputs.journal=facts",
            err);
    if (!read)
        return wrong(j, j->line.error, err);
    return begins_section(j) || wrong(j, "expected the fact 'policy', with which a journal begins", err);
}

static bool check_line(struct journal_file *j, size_t n, struct err *err)
{
    bool read = fact_line_read(&j->line, j->bytes, n);
    if (j->number == 1 && !check_first(j, read, err))
        return false;
    if (!read)
        return wrong(j, j->line.error, err);
    if (begins_section(j) && !check_section(j, err))
        return false;
    switch (chain_check(&j->chain, j->bytes, n)) {
    case CHAIN_MISSING:
        return wrong(j, "expected 'chain' as the last member", err);
    case CHAIN_BROKEN:
        return wrong(j, "the chain is broken: this line was changed, or one before it is missing", err);
    case CHAIN_HOLDS:
        break;
    }
    return j->line.kind != LINE_REQUEST || wrong(j, "a request is no part of a journal", err);
}

bool journal_file_next(struct journal_file *j, bool *end, struct err *err)
{
    size_t n;
    if (!read_line(j, &n, err))
        return false;
    *end = n == 0;
    if (n == 0)
        return true;
    j->number++;
    if (j->bytes[n - 1] == '\n')
        return check_line(j, n - 1, err);
    j->torn = n;
    *end = true;
    return j->number > 1 || wrong(j, "expected a journal: not even its first line is whole", err);
}
