/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries on a parsed command line, and messages to the user. */
#include "sim/base/escape.h"
#include "sim/base/mem.h"
#include "sim/program/command.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_fini(struct cli *cli)
{
    for (size_t i = 0; i < OPT_COUNT; i++)
        free(cli->values[i].texts);
    *cli = (struct cli){.out = NULL};
}

bool cli_given(const struct cli *cli, enum option_id id)
{
    return cli->values[id].count > 0;
}

const char *cli_option(const struct cli *cli, enum option_id id)
{
    const struct cli_value *value = &cli->values[id];
    return value->count ? value->texts[value->count - 1] : NULL;
}

uint64_t cli_number(const struct cli *cli, enum option_id id, uint64_t otherwise)
{
    return cli_given(cli, id) ? cli->values[id].number : otherwise;
}

const char *const *cli_all(const struct cli *cli, enum option_id id, size_t *count)
{
    *count = cli->values[id].count;
    return cli->values[id].texts;
}

const char *cli_name(const struct cli *cli, char *buffer, size_t size)
{
    (void)snprintf(buffer, size, "fauxfleet%s%s%s%s", cli->group ? " " : "",
                   cli->group ? cli->group->name : "", cli->command ? " " : "",
                   cli->command ? cli->command->name : "");
    return buffer;
}

bool cli_check_operands(const struct cli *cli, struct err *err)
{
    const struct command *command = cli->command;
    char name[64];
    if (cli->operand_count < (size_t)command->operands_min)
        return err_set(err, EXIT_INPUT, "operand missing, expected: %s %s",
                       cli_name(cli, name, sizeof name), command->operands);
    if (cli->operand_count > (size_t)command->operands_max)
        return err_set(err, EXIT_INPUT, "unexpected operand '%s', expected: %s%s%s",
                       cli->operands[command->operands_max], cli_name(cli, name, sizeof name),
                       command->operands[0] ? " " : "", command->operands);
    return true;
}

/* One write per line, so that lines of processes that share a terminal stay whole. */
static void __attribute__((format(printf, 2, 0)))
print_line(const char *prefix, const char *format, va_list arguments)
{
    char line[sizeof((struct err *)NULL)->msg + 512];
    int used = snprintf(line, sizeof line - 1, "%s: ", prefix);
    int more = vsnprintf(line + used, sizeof line - 1 - (size_t)used, format, arguments);
    BUG_ON(used < 0 || more < 0);
    size_t n;
    char *shown = escape_shown_text(line);
    struct out *whole = out_memory();
    escape_lines(whole, shown, strlen(shown));
    out_char(whole, '\n');
    const char *text = out_memory_text(whole, &n);
    (void)fwrite(text, 1, n, stderr);
    out_discard(whole);
    free(shown);
}

void cli_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("fauxfleet", format, arguments);
    va_end(arguments);
}

void cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("note", format, arguments);
    va_end(arguments);
}

void cli_tell(const char *what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(what, format, arguments);
    va_end(arguments);
}

int cli_fail(const struct err *err)
{
    cli_message("%s", err->msg);
    return err->code;
}

struct out *cli_data(const struct cli *cli)
{
    out_show(cli->out, isatty(STDOUT_FILENO) == 1);
    return cli->out;
}

int cli_misuse(const struct cli *cli, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char name[64];
    cli_name(cli, name, sizeof name);
    print_line(name, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "Try '%s --help'.\n", name);
    return EXIT_INPUT;
}
