/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program: parses, dispatches, and closes and checks standard output in one place. The locale
 * stays "C" and GSL's handler, which aborts, is off: errors come back as values.
 */
#include "sim/base/escape.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/gate/side.h"
#include "sim/policy/plugin_watch.h"
#include "sim/program/command.h"
#include "sim/program/command_words.h"
#include "sim/program/help.h"
#include "sim/program/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A file opened while 0, 1 or 2 is closed would take its number, and messages would land in it. The
 * wrong direction makes using it an error, as with a closed one.
 */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    }
}

static void list_subcommands(const struct command *command, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (const struct command *sub = command->subcommands; sub->name && used < size; sub++) {
        int n = snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", sub->name);
        used += n > 0 ? (size_t)n : 0;
    }
}

/* Before any plugin is loaded, and for every command that may load one. */
static bool take_decision_limit(const struct cli *cli, struct err *err)
{
    const char *text = cli_option(cli, OPT_DECISION_LIMIT);
    int64_t ms;
    if (text == NULL)
        return true;
    if (!text_duration_ms(text, strlen(text), &ms))
        return err_set(err, EXIT_INPUT,
                       "option '--decision-limit': '%s', expected a time such as 10s, 0.5s or 2m, "
                       "or 0 for any",
                       text);
    plugin_limit(ms);
    return true;
}

/* `task`: of a child process of the gate; else NULL. */
static int dispatch(struct cli *cli, const char *task)
{
    struct err err;
    const struct command *command = cli->command;
    if (cli_given(cli, OPT_HELP)) {
        if (command)
            help_command(cli->out, cli->group, command);
        else
            help_overview(cli->out);
        return EXIT_OK;
    }
    if (cli_given(cli, OPT_MAN)) {
        help_manual(cli->out, cli->group ? cli->group : command);
        return EXIT_OK;
    }
    if (cli_given(cli, OPT_VERSION)) {
        help_version(cli->out);
        return EXIT_OK;
    }
    if (cli_given(cli, OPT_COMPLETION))
        return help_completion(cli->out, cli_option(cli, OPT_COMPLETION), &err)
                   ? EXIT_OK
                   : cli_misuse(cli, "%s", err.msg);
    if (!command)
        return cli_misuse(cli, "command missing");
    if (!command->run) {
        char names[256];
        list_subcommands(command, names, sizeof names);
        return cli_misuse(cli, "%s missing, expected one of %s", command->subcommand_word, names);
    }
    if (!cli_check_operands(cli, &err) || !take_decision_limit(cli, &err))
        return cli_misuse(cli, "%s", err.msg);
    return task != NULL ? gate_side_main(cli, task) : command->run(cli);
}

/*
 * Output that could not be written is an error, whatever the command returned; closing detects it
 * at the latest. Lost messages on standard error show only in the exit code.
 */
static int close_streams(struct cli *cli, int code)
{
    struct err err;
    bool ok = out_close(cli->out, &err);
    if (ok && fclose(stdout) != 0)
        ok = err_set(&err, EXIT_INTERNAL, "standard output: cannot write: %s", strerror(errno));
    if (!ok)
        cli_message("%s", err.msg);
    ok = ok && fflush(stderr) == 0 && !ferror(stderr);
    return ok || code != EXIT_OK ? code : EXIT_INTERNAL;
}

/* Everything is a function of the command's inputs, so the same command fails in the same way. */
static void say_again(int argc, char **argv)
{
    struct command_words words = {0};
    command_word(&words, mem_text("fauxfleet"));
    for (int i = 1; i < argc; i++)
        command_word(&words, mem_text(argv[i]));
    char *text = command_text(&words);
    cli_note("to see it again: %s", text);
    free(text);
    command_forget(&words);
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    cli_begin_signals();
    (void)signal(SIGXFSZ,
                 SIG_IGN); /* a file at its limit is an error of the write, as a full disk is */
    (void)gsl_set_error_handler_off();
    struct err err;
    struct cli cli = {.out = out_stream(stdout)};
    const char *task = argc > 2 && strcmp(argv[1], GATE_SIDE_WORD) == 0 ? argv[2] : NULL;
    int behind = task != NULL ? 2 : 0;
    out_show(cli.out, task == NULL);
    int code = cli_parse(&cli, argc - behind, argv + behind, &err)
                   ? dispatch(&cli, task)
                   : cli_misuse(&cli, "%s", err.msg);
    if (code == EXIT_INVARIANT && task == NULL)
        say_again(argc, argv);
    code = close_streams(&cli, code);
    cli_fini(&cli);
    if (cli_interrupted() && code == EXIT_OK)
        cli_message("interrupted when all was done");
    return cli_interrupted() ? 128 + cli_interrupted() : code;
}
