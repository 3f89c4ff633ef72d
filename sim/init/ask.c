/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions on a terminal; see ask.h. */
#include "sim/init/ask.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/base/text.h"
#include "sim/program/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool ask_somebody(void)
{
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

static void print_question(const char *question, const char *otherwise)
{
    struct err ignored;
    struct out *out = out_stream(stderr);
    out_text(out, question);
    if (*otherwise != '\0')
        out_format(out, " [%s]", otherwise);
    out_text(out, ": ");
    (void)out_close(out, &ignored); /* flushes; a question that cannot be printed is lost */
}

char *ask_text(const char *question, const char *otherwise)
{
    char *line = NULL;
    size_t room = 0;
    print_question(question, otherwise);
    ssize_t n = getline(&line, &room, stdin);
    while (n > 0 && strchr(" \t\r\n", line[n - 1]) != NULL)
        n--;
    size_t blanks = n > 0 ? strspn(line, " \t") : 0;
    char *answer = n > 0 ? mem_text_n(line + blanks, (size_t)n - blanks) : mem_text(otherwise);
    free(line);
    return answer;
}

int64_t ask_number(const char *question, int64_t otherwise, int64_t most)
{
    char *shown = mem_format("%" PRId64, otherwise);
    int64_t number = 0;
    while (number == 0) {
        char *answer = ask_text(question, shown);
        if (!text_i64(answer, strlen(answer), &number) || number < 1 || number > most) {
            cli_message("expected a whole number from 1 to %" PRId64, most);
            number = feof(stdin) ? otherwise : 0;
        }
        free(answer);
    }
    free(shown);
    return number;
}
