/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of `sacctmgr show assoc -P`: a table divided by '|' with the columns Account, User,
 * Share and GrpTRES among others. Rows with a user concern people within an account.
 */
#include "sim/base/text.h"
#include "sim/init/cluster_internal.h"

#include <stdio.h>
#include <string.h>

#define MOST_SHARE INT64_C(2147483647)
#define MOST_LIMIT INT64_C(1000000000)
#define FIELDS     64

enum account_column { ACCOUNT, USER, SHARE, LIMIT, ACCOUNT_COLUMNS };

static const char *const account_headers[ACCOUNT_COLUMNS] = {"Account", "User", "Share", "GrpTRES"};

struct account_field {
    const char *at;
    size_t n;
};

/* The fields of a line; those beyond the last one do not count. */
static size_t split_line(const char *line, struct account_field fields[FIELDS])
{
    size_t count = 0, length = strcspn(line, "\r\n");
    for (const char *at = line, *end = line + length; at <= end && count < FIELDS;) {
        size_t n = strcspn(at, "|\r\n");
        fields[count++] = (struct account_field){at, n};
        at += n + 1;
    }
    return count;
}

static bool is_field(struct account_field field, const char *text)
{
    return field.n == strlen(text) && strncmp(field.at, text, field.n) == 0;
}

static void read_account_header(const char *line, int columns[ACCOUNT_COLUMNS])
{
    struct account_field fields[FIELDS];
    size_t count = split_line(line, fields);
    for (int i = 0; i < ACCOUNT_COLUMNS; i++) {
        columns[i] = -1;
        for (size_t k = 0; k < count; k++)
            if (is_field(fields[k], account_headers[i]))
                columns[i] = (int)k;
    }
}

bool cluster_is_accounts(const char *text)
{
    int columns[ACCOUNT_COLUMNS];
    read_account_header(text, columns);
    return columns[ACCOUNT] >= 0 && (columns[SHARE] >= 0 || columns[LIMIT] >= 0);
}

static struct account_field field_of(const struct account_field *fields, size_t count, int column)
{
    bool there = column >= 0 && (size_t)column < count;
    return there ? fields[column] : (struct account_field){"", 0};
}

/* "cpu=1000,gres/gpu=64": 64; -1 without GPUs. */
static bool read_limit(struct account_field field, int64_t *gpus)
{
    static const char key[] = "gres/gpu=";
    size_t prefix = sizeof key - 1;
    *gpus = -1;
    for (const char *at = field.at, *end = at + field.n; at < end;) {
        size_t n = strcspn(at, ",|\r\n");
        if (n > prefix && strncmp(at, key, prefix) == 0 &&
            (!text_i64(at + prefix, n - prefix, gpus) || *gpus < 0 || *gpus > MOST_LIMIT))
            return false;
        at += n + 1;
    }
    return true;
}

/* "parent" uses the shares of the parent account: none of its own. */
static bool read_share(struct account_field field, int64_t *share)
{
    *share = 0;
    return field.n == 0 || is_field(field, "parent") ||
           (text_i64(field.at, field.n, share) && *share >= 0 && *share <= MOST_SHARE);
}

static bool read_account(struct cluster_reading *r, const int columns[ACCOUNT_COLUMNS],
                         const char *line, struct err *err)
{
    struct account_field fields[FIELDS];
    size_t count = split_line(line, fields);
    struct account_field name = field_of(fields, count, columns[ACCOUNT]),
                         user = field_of(fields, count, columns[USER]),
                         share = field_of(fields, count, columns[SHARE]),
                         limit = field_of(fields, count, columns[LIMIT]);
    struct init_account account = {.gpu_limit = -1};
    if (name.n == 0 || user.n > 0)
        return true;
    if (name.n >= sizeof account.name)
        return cluster_fail(r, err, "Account", name.at, name.n, "at most 127 bytes");
    if (!read_share(share, &account.share))
        return cluster_fail(r, err, "Share", share.at, share.n, "a whole number or parent");
    if (!read_limit(limit, &account.gpu_limit))
        return cluster_fail(r, err, "GrpTRES", limit.at, limit.n, "a list such as gres/gpu=64");
    (void)snprintf(account.name, sizeof account.name, "%.*s", (int)name.n, name.at);
    if (r->cluster->account_count == INIT_ACCOUNTS)
        return cluster_fail(r, err, "Account", name.at, name.n, "at most 1024 accounts");
    r->cluster->accounts[r->cluster->account_count++] = account;
    return true;
}

bool cluster_read_accounts(struct cluster_reading *r, const char *text, struct err *err)
{
    int columns[ACCOUNT_COLUMNS];
    read_account_header(text, columns);
    r->line = 1;
    for (const char *line = text + strcspn(text, "\n"); *line == '\n';
         line += strcspn(line, "\n")) {
        line++;
        r->line++;
        if (!read_account(r, columns, line, err))
            return false;
    }
    return true;
}
