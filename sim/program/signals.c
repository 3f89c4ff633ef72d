/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of a program ended by a signal, and polling by commands; see signals.h. */
#include "sim/program/signals.h"

#include "policies/adapters/ending/ending.h"
#include "sim/policy/plugin_watch.h"

#include <stddef.h>
#include <unistd.h>

/* In a handler. A progress bar may stand on the terminal. */
static void say(int signal, int removed)
{
    struct ending_line line = {0}, question = {0};
    ending_put(&line, "fauxfleet: ended by ");
    ending_put_signal(&line, signal);
    if (removed > 0) {
        ending_put(&line, "; unfinished files removed: ");
        ending_put_number(&line, removed);
    }
    if (ending_held() != NULL) {
        ending_put(&line, "; kept: ");
        ending_put(&line, ending_held());
    }
    if (plugin_put_question(&question)) {
        question.text[question.length] = '\0';
        ending_put(&line, "; ");
        ending_put(&line, question.text);
        ending_put(&line, " and had not answered");
    }
    if (isatty(STDERR_FILENO))
        (void)!write(STDERR_FILENO, "\n", 1);
    ending_write(&line);
}

void cli_begin_signals(void)
{
    ending_begin(say);
}

void cli_catch_signals(void)
{
    ending_in_order();
}

void cli_release_signals(void)
{
    ending_at_once();
}

int cli_interrupted(void)
{
    return ending_signal();
}

bool cli_stop(void *self)
{
    (void)self;
    return cli_interrupted() != 0;
}

bool cli_go_on(void *self, const struct sim *sim)
{
    (void)self;
    (void)sim;
    return cli_interrupted() == 0;
}

void cli_holds(const char *what)
{
    ending_holds(what);
}

void cli_keep(void)
{
    ending_keep();
}

void cli_kept(void)
{
    ending_kept();
}
