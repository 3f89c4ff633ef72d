/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The manual page, in the macros of man(7), from the same rows as the help texts. Texts of ours are escaped on the
 * way, so that rows are written in plain words. There is no date in it: the page is the same bytes for a version.
 */
#include "sim/cli/help.h"

#include <ctype.h>
#include <string.h>

/* One line of text: '-' is a minus (so that options can be copied), a dot or quote in front is no request. */
static void line_n(struct out *out, const char *text, size_t n)
{
    if (n > 0 && (text[0] == '.' || text[0] == '\''))
        out_text(out, "\\&");
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '-')
            out_text(out, "\\-");
        else if (text[i] == '\\')
            out_text(out, "\\e");
        else if (text[i] == '\'')
            out_text(out, "\\(aq");
        else if (text[i] == '^')
            out_text(out, "\\(ha");
        else if (text[i] == '~')
            out_text(out, "\\(ti");
        else
            out_char(out, text[i]);
    }
}

static void line(struct out *out, const char *text)
{
    line_n(out, text, strlen(text));
    out_char(out, '\n');
}

/* Lines between .EX and .EE stay as they are. */
static void verbatim(struct out *out, const char *text)
{
    out_text(out, ".PP\n.RS 4\n.EX\n");
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n");
        line_n(out, p, n);
        out_char(out, '\n');
        p += n + (p[n] == '\n');
    }
    out_text(out, ".EE\n.RE\n");
}

static void paragraphs(struct out *out, const char *text)
{
    bool filled = true;
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n");
        bool fill = *p != ' ' && n > 0;
        if (!fill && n > 0 && filled)
            out_text(out, ".PP\n.nf\n");
        if (fill)
            out_text(out, filled ? ".PP\n" : ".fi\n.PP\n");
        if (n > 0) {
            filled = fill;
            line_n(out, p, n);
            out_char(out, '\n');
        }
        p += n + (p[n] == '\n');
    }
    if (!filled)
        out_text(out, ".fi\n");
}

static void term(struct out *out, const char *name, const char *meaning)
{
    out_text(out, ".TP\n.B ");
    line(out, name);
    line(out, meaning);
}

static void option(struct out *out, const struct option_use *use)
{
    const struct option_row *row = &option_rows[use->id];
    const char *argument = use->argument ? use->argument : row->argument;
    out_text(out, ".TP\n.BR ");
    if (row->letter)
        out_format(out, "\\-%c \", \" ", row->letter);
    out_text(out, "\\-\\-");
    line_n(out, row->name, strlen(row->name));
    if (argument) {
        // .BR alternates bold and roman; the argument is the third font, set by hand.
        out_text(out, " =\\fI");
        line_n(out, argument, strlen(argument));
        out_text(out, "\\fR");
    }
    out_char(out, '\n');
    line(out, use->help ? use->help : row->help);
    if (row->repeatable)
        line(out, "(may be repeated)");
}

/* One command: usage, text, options, examples. */
static void command_section(struct out *out, const struct command *group, const struct command *command)
{
    char usage[160];
    out_text(out, ".SS \"");
    help_usage(usage, sizeof usage, group, command);
    line_n(out, usage, strlen(usage));
    out_text(out, "\"\n");
    out_char(out, (char)toupper((unsigned char)command->summary[0]));
    line_n(out, command->summary + 1, strlen(command->summary + 1));
    out_text(out, ".\n");
    if (command->description)
        paragraphs(out, command->description);
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(group, command, set);
    for (size_t i = 0; i < count; i++) {
        if (set[i]->id != OPT_HELP) // said once, for all
            option(out, set[i]);
    }
    if (command->examples)
        verbatim(out, command->examples);
}

/* Subcommands that only stand for a table (no description) are a list; the others get a section each. */
static void command_manual(struct out *out, const struct command *command)
{
    command_section(out, NULL, command);
    for (const struct command *sub = command->subcommands; sub && sub->name; sub++) {
        if (!sub->description)
            term(out, sub->name, sub->summary);
    }
    for (const struct command *sub = command->subcommands; sub && sub->name; sub++) {
        if (sub->description)
            command_section(out, command, sub);
    }
}

static void terms(struct out *out, const char *heading, const struct help_term *rows)
{
    out_format(out, ".SH %s\n", heading);
    for (; rows->term; rows++)
        term(out, rows->term, rows->meaning);
}

void help_manual(struct out *out)
{
    out_text(out, ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n");
    out_text(out, ".TH FAUXFLEET 1 \"\" \"fauxfleet " FAUXFLEET_VERSION "\" \"User Commands\"\n");
    out_text(out, ".SH NAME\nfauxfleet \\- simulate a GPU fleet and evaluate scheduling policies\n");
    out_text(out, ".SH SYNOPSIS\n.B fauxfleet\n.I COMMAND\n.RI [ OPTION ]...\n.RI [ OPERAND ]...\n");
    out_text(out, ".SH DESCRIPTION\n");
    line(out, help_about);
    out_text(out,
             ".PP\nStandard output carries data only; messages, notes and the progress bar go to standard "
             "error. Every file is written under a temporary name and renamed when it is complete.\n");
    out_text(out, ".SH OPTIONS\n");
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(NULL, NULL, set);
    for (size_t i = 0; i < count; i++)
        option(out, set[i]);
    out_text(out, ".SH COMMANDS\nEvery command takes\n.B \\-\\-help\ntoo.\n");
    for (const struct command *command = commands; command->name; command++)
        command_manual(out, command);
    terms(out, "\"EXIT STATUS\"", help_exit_codes);
    terms(out, "ENVIRONMENT", help_environment);
    out_text(out, ".SH \"SEE ALSO\"\n.BR gnuplot (1)\n");
}
