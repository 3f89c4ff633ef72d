/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors as values: formatting into the caller's struct, and the one way to stop at a mistake of
 * ours. */
#include "sim/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool err_set(struct err *err, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    // A message may quote the text that it replaces, so it is built aside.
    char msg[sizeof err->msg];
    (void)vsnprintf(msg, sizeof msg, format, arguments);
    va_end(arguments);
    err->code = code;
    memcpy(err->msg, msg, strlen(msg) + 1);
    return false;
}

bool err_prefix(struct err *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char msg[sizeof err->msg];
    int length = vsnprintf(msg, sizeof msg, format, arguments);
    va_end(arguments);
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used + 2 < sizeof msg) {
        memcpy(msg + used, ": ", 2);
        used += 2;
        size_t rest = strlen(err->msg), room = sizeof msg - 1 - used;
        size_t n = rest < room ? rest : room;
        memcpy(msg + used, err->msg, n);
        msg[used + n] = '\0';
    }
    memcpy(err->msg, msg, strlen(msg) + 1);
    return false;
}

_Noreturn void bug_report(const char *what, const char *file, int line)
{
    (void)fprintf(stderr, "fauxfleet: internal error: %s (%s:%d)\n", what, file, line);
    abort();
}
