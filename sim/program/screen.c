/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where standard output goes. */
#include "sim/program/screen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NARROWEST 80
#define WIDEST    160 /* lines that are longer are hard to follow */

static const char *const choices[] = {"auto", "never", "ascii", "unicode"};

/* The locale as setlocale() would choose it; the program itself stays in the locale "C". */
static const char *locale(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return value;
    }
    return NULL;
}

static size_t terminal_columns(size_t otherwise)
{
    size_t columns = otherwise;
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
#endif
    return columns < NARROWEST ? NARROWEST : columns > WIDEST ? WIDEST : columns;
}

bool screen_of(struct screen *screen, const struct cli *cli, size_t otherwise, struct err *err)
{
    const char *choice = cli_option(cli, OPT_CHARTS);
    struct spark_terminal at = {isatty(STDOUT_FILENO) == 1, getenv("TERM"), locale(),
                                getenv("NO_UNICODE")};
    size_t i = 0, count = sizeof choices / sizeof *choices;
    while (choice && i < count && strcmp(choice, choices[i]) != 0)
        i++;
    if (i == count)
        return err_set(err, EXIT_INPUT, "--charts '%s': expected auto, never, ascii or unicode",
                       choice);
    screen->columns = at.is_terminal ? terminal_columns(otherwise) : otherwise;
    const enum spark drawn[] = {spark_choose(&at), SPARK_NONE, SPARK_ASCII, SPARK_UNICODE};
    screen->spark = drawn[i];
    return true;
}
