/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a journal; see journal_file.h. */
#include "sim/replay/journal_file.h"

#include "policies/facts/records.h"

#include <inttypes.h>
#include <string.h>

bool journal_file_open(struct journal_file *j, const char *path, struct err *err)
{
    *j = (struct journal_file){.path = path, .input = input_open(path, err)};
    if (j->input == NULL)
        return false;
    j->lines = lines_create_exact(j->input, RECORD_LINE);
    return true;
}

void journal_file_close(struct journal_file *j)
{
    lines_destroy(j->lines);
    input_close(j->input);
    fact_line_fini(&j->line);
    *j = (struct journal_file){.path = NULL};
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
            "a journal of decisions only: it lacks the facts that the policy saw, so nothing can "
            "be decided again; run the scenario with --set outputs.journal=facts",
            err);
    if (!read)
        return wrong(j, j->line.error, err);
    return begins_section(j) ||
           wrong(j, "expected the fact 'policy', with which a journal begins", err);
}

static bool check_line(struct journal_file *j, const char *bytes, size_t n, struct err *err)
{
    bool read = fact_line_read(&j->line, bytes, n);
    if (j->number == 1 && !check_first(j, read, err))
        return false;
    if (!read)
        return wrong(j, j->line.error, err);
    if (begins_section(j) && !check_section(j, err))
        return false;
    switch (chain_check(&j->chain, bytes, n)) {
    case CHAIN_MISSING:
        return wrong(j, "expected 'chain' as the last member", err);
    case CHAIN_BROKEN:
        return wrong(j, "the chain is broken: this line was changed, or one before it is missing",
                     err);
    case CHAIN_HOLDS:
        break;
    }
    return j->line.kind != LINE_REQUEST || wrong(j, "a request does not belong in a journal", err);
}

bool journal_file_next(struct journal_file *j, bool *end, struct err *err)
{
    const char *bytes;
    size_t n;
    int got = lines_next(j->lines, &bytes, &n, err);
    if (got < 0)
        return false;
    *end = got == 0;
    if (got == 0)
        return true;
    j->number++;
    if (!lines_is_torn(j->lines))
        return check_line(j, bytes, n, err);
    j->torn = n;
    *end = true;
    return j->number > 1 || wrong(j, "expected a journal: its first line is incomplete", err);
}
