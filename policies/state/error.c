/* SPDX-License-Identifier: MIT */
/* Messages without a formatting library: concatenated text and numbers. */
#include "state/engine.h"

#include <string.h>

void pc_error_text(struct policy_error *error, const char *text)
{
    if (error == NULL)
        return;
    size_t used = 0;
    while (used < sizeof error->message && error->message[used] != '\0')
        used++;
    while (*text != '\0' && used + 1 < sizeof error->message)
        error->message[used++] = *text++;
    if (used < sizeof error->message)
        error->message[used] = '\0';
}

void pc_error_number(struct policy_error *error, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0)
        digits[--at] = '-';
    pc_error_text(error, digits + at);
}

int pc_refuse(struct policy *p, int status, const char *what, int64_t value, const char *expected)
{
    memset(&p->error, 0, sizeof p->error);
    p->error.status = status;
    pc_error_text(&p->error, what);
    pc_error_text(&p->error, " ");
    pc_error_number(&p->error, value);
    pc_error_text(&p->error, ": ");
    pc_error_text(&p->error, expected);
    return status;
}

void pc_error_set(struct policy_error *error, int status, const char *what, const char *name,
                  const char *expected)
{
    if (error == NULL)
        return;
    memset(error, 0, sizeof *error);
    error->status = status;
    pc_error_text(error, what);
    pc_error_text(error, name);
    pc_error_text(error, expected);
}

bool pc_text_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int pc_no_memory(struct policy *p, policy_time before, const char *what, int64_t value)
{
    p->now = before;
    return pc_refuse(p, POLICY_NO_MEMORY, what, value, "no memory for it");
}

const struct policy_error *policy_last_error(const struct policy *p)
{
    return &p->error;
}
