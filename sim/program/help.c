/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help texts for the terminal. */
#include "sim/program/help.h"

#include <ctype.h>
#include <string.h>

#define WIDTH       ((size_t)80)
#define TERM_COLUMN ((size_t)26) /* where the meaning of an option or a command begins */

const char help_about[] = "fauxfleet simulates a fleet of GPU nodes: it replays a job trace, or "
                          "makes one, and lets a scheduling policy take every decision. The policy "
                          "core is the one that a production scheduler links.";

const struct help_term help_exit_codes[] = {
    {"0", "success"},
    {"1", "outputs differ, or a gate failed"},
    {"2", "usage, configuration or input error"},
    {"3", "no answer: inconclusive or incomplete"},
    {"4", "an invariant of the simulation was violated, or a plugin did what it may not: a wrong "
          "decision, exit(), or more CPU time than --decision-limit"},
    {"5", "a baseline is missing or incompatible"},
    {"70", "internal error; no memory left; standard output or messages cannot be written"},
    {"128+n", "ended by signal n: 130 is Ctrl-C, 139 a crash, 141 a reader of standard output that "
              "went away"},
    {NULL, NULL},
};

const struct help_term help_environment[] = {
    {"TERM", "with 'dumb', or unset, there is no progress bar"},
    {"NO_COLOR", "honoured: the program uses neither colours nor terminal escapes"},
    {NULL, NULL},
};

/* Fills lines of WIDTH with words, each line from `indent` on. `column` is where the cursor stands.
 */
static void wrap(struct out *out, const char *text, size_t n, size_t indent, size_t column)
{
    bool first = true;
    for (const char *p = text, *end = text + n; p < end;) {
        while (p < end && isspace((unsigned char)*p))
            p++;
        size_t length = 0;
        while (p + length < end && !isspace((unsigned char)p[length]))
            length++;
        if (length == 0)
            break;
        if (!first && column + 1 + length >= WIDTH) {
            out_char(out, '\n');
            column = 0;
            first = true;
        }
        for (; first && column < indent; column++)
            out_char(out, ' ');
        if (!first) {
            out_char(out, ' ');
            column++;
        }
        out_bytes(out, p, length);
        column += length;
        p += length;
        first = false;
    }
    out_char(out, '\n');
}

/* Indented and empty lines are printed unchanged; each other line is a paragraph. */
static void paragraphs(struct out *out, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (n == 0 || *text == ' ') {
            out_bytes(out, text, n);
            out_char(out, '\n');
        } else {
            wrap(out, text, n, 0, 0);
        }
        text += n + (text[n] == '\n');
    }
}

/* "  term                  meaning", on two lines when the term is long. */
static void term(struct out *out, const char *name, const char *meaning, size_t column)
{
    size_t used = 2 + strlen(name);
    out_text(out, "  ");
    out_text(out, name);
    if (used + 2 > column) {
        out_char(out, '\n');
        used = 0;
    }
    wrap(out, meaning, strlen(meaning), column, used);
}

const char *help_option(const struct option_use *use)
{
    return use->help ? use->help : option_rows[use->id].help;
}

const char *help_argument(const struct option_use *use)
{
    return use->argument ? use->argument : option_rows[use->id].argument;
}

static void option(struct out *out, const struct option_use *use)
{
    const struct option_row *row = &option_rows[use->id];
    const char *argument = help_argument(use);
    char name[64], letter[8] = "    ";
    if (row->letter)
        (void)snprintf(letter, sizeof letter, "-%c, ", row->letter);
    (void)snprintf(name, sizeof name, "%s--%s%s%s", letter, row->name, argument ? "=" : "",
                   argument ? argument : "");
    char meaning[512];
    (void)snprintf(meaning, sizeof meaning, "%s%s", help_option(use),
                   row->repeatable ? " (may be repeated)" : "");
    term(out, name, meaning, TERM_COLUMN);
}

static void command_terms(struct out *out, const struct command *table)
{
    size_t longest = 0;
    for (const struct command *c = table; c->name; c++)
        longest = strlen(c->name) > longest ? strlen(c->name) : longest;
    for (const struct command *c = table; c->name; c++)
        term(out, c->name, c->summary, longest + 4);
}

const char *help_usage(char *buffer, size_t size, const struct command *group,
                       const struct command *command)
{
    char word[32] = ""; // of what follows: "SUBCOMMAND"
    for (size_t i = 0; command->subcommands && command->subcommand_word[i] && i + 1 < sizeof word;
         i++)
        word[i] = (char)toupper((unsigned char)command->subcommand_word[i]);
    bool optional = command->subcommands && command->run;
    (void)snprintf(buffer, size, "fauxfleet %s%s%s%s%s%s%s [OPTION]...%s%s",
                   group ? group->name : "", group ? " " : "", command->name, word[0] ? " " : "",
                   optional ? "[" : "", word, optional ? "]" : "", command->operands[0] ? " " : "",
                   command->operands);
    return buffer;
}

void help_command(struct out *out, const struct command *group, const struct command *command)
{
    char usage[160];
    out_format(out, "Usage: %s\n", help_usage(usage, sizeof usage, group, command));
    out_format(out, "%c%s.\n", toupper((unsigned char)command->summary[0]), command->summary + 1);
    if (command->description) {
        out_char(out, '\n');
        paragraphs(out, command->description);
    }
    if (command->subcommands) {
        out_format(out, "\n%c%ss:\n", toupper((unsigned char)command->subcommand_word[0]),
                   command->subcommand_word + 1);
        command_terms(out, command->subcommands);
    }
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(group, command, set);
    out_text(out, "\nOptions:\n");
    for (size_t i = 0; i < count; i++)
        option(out, set[i]);
    if (command->examples) {
        out_text(out, "\nExamples:\n");
        for (const char *p = command->examples; *p;) {
            size_t n = strcspn(p, "\n");
            out_text(out, "  ");
            out_bytes(out, p, n);
            out_char(out, '\n');
            p += n + (p[n] == '\n');
        }
    }
}

void help_overview(struct out *out)
{
    out_text(out, "Usage: fauxfleet COMMAND [OPTION]... [OPERAND]...\n");
    wrap(out, help_about, strlen(help_about), 0, 0);
    out_text(out, "\nCommands:\n");
    command_terms(out, commands);
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(NULL, NULL, set);
    out_text(out, "\nOptions:\n");
    for (size_t i = 0; i < count; i++)
        option(out, set[i]);
    out_text(out, "\nExit codes:\n");
    for (const struct help_term *row = help_exit_codes; row->term; row++)
        term(out, row->term, row->meaning, 9);
    out_text(out, "\n'fauxfleet COMMAND --help' says more about a command. A first run:\n"
                  "  fauxfleet run scenarios/examples/demo.json -o out\n");
}
