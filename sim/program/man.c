/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The manual pages, in the macros of man(7), from the same rows as the help texts: one for the
 * program, and one for each command with its subcommands. Texts are escaped on the way, so rows are
 * plain words. There is no date, so the pages of a version always have the same bytes.
 */
#include "sim/program/help.h"

#include <ctype.h>
#include <string.h>

/* One line of text: '-' is a minus (so that options can be copied), a dot or quote in front is no
 * request. */
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

/* Lines between .EX and .EE are not filled. */
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
    const char *argument = help_argument(use);
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
    line(out, help_option(use));
    if (row->repeatable)
        line(out, "(may be repeated)");
}

/* "Say why ...", as a sentence, and the paragraphs about it. */
static void text_of(struct out *out, const struct command *command)
{
    out_char(out, (char)toupper((unsigned char)command->summary[0]));
    line_n(out, command->summary + 1, strlen(command->summary + 1));
    out_text(out, ".\n");
    if (command->description)
        paragraphs(out, command->description);
}

static void options_of(struct out *out, const struct command *group, const struct command *command)
{
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(group, command, set);
    for (size_t i = 0; i < count; i++) {
        if (set[i]->id != OPT_HELP && set[i]->id != OPT_MAN) // said once, for all
            option(out, set[i]);
    }
}

/* One command below others: usage, text, options, examples. */
static void command_section(struct out *out, const struct command *group,
                            const struct command *command)
{
    char usage[160];
    out_text(out, ".SS \"");
    help_usage(usage, sizeof usage, group, command);
    line_n(out, usage, strlen(usage));
    out_text(out, "\"\n");
    text_of(out, command);
    options_of(out, group, command);
    if (command->examples)
        verbatim(out, command->examples);
}

/* Subcommands that only stand for a table (no description) are a list; the others get a section
 * each. */
static void subcommand_terms(struct out *out, const struct command *command)
{
    for (const struct command *sub = command->subcommands; sub && sub->name; sub++) {
        if (!sub->description)
            term(out, sub->name, sub->summary);
    }
}

static void subcommand_sections(struct out *out, const struct command *command)
{
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

/* "fauxfleet-run (1)" in bold, for all commands but this one. */
static void see_also(struct out *out, const struct command *but)
{
    out_text(out, ".SH \"SEE ALSO\"\n");
    if (but != NULL)
        out_text(out, ".BR fauxfleet (1),\n");
    for (const struct command *command = commands; command->name; command++) {
        if (command != but)
            out_format(out, ".BR fauxfleet\\-%s (1),\n", command->name);
    }
    out_text(out, ".BR gnuplot (1)\n");
}

/* One line of whatis(1): "fauxfleet-run - simulate one scenario". */
static void head(struct out *out, const char *page, const char *name, const char *summary)
{
    out_text(out, ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n");
    out_format(out, ".TH %s 1 \"\" \"fauxfleet " FAUXFLEET_VERSION "\" \"User Commands\"\n", page);
    out_text(out, ".SH NAME\n");
    line_n(out, name, strlen(name));
    out_text(out, " \\- ");
    line(out, summary);
}

static void program_page(struct out *out)
{
    head(out, "FAUXFLEET", "fauxfleet", "simulate a GPU fleet and evaluate scheduling policies");
    out_text(out,
             ".SH SYNOPSIS\n.B fauxfleet\n.I COMMAND\n.RI [ OPTION ]...\n.RI [ OPERAND ]...\n");
    out_text(out, ".SH DESCRIPTION\n");
    line(out, help_about);
    out_text(out, ".PP\nStandard output carries data only; messages, notes and the progress bar go "
                  "to standard error. Every file is written under a temporary name and renamed "
                  "when it is complete.\n");
    out_text(out, ".SH OPTIONS\n");
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(NULL, NULL, set);
    for (size_t i = 0; i < count; i++)
        option(out, set[i]);
    out_text(out, ".SH COMMANDS\nEvery command takes\n.B \\-\\-help\nand\n.B \\-\\-man\ntoo, "
                  "and has a page of its own.\n");
    for (const struct command *command = commands; command->name; command++) {
        command_section(out, NULL, command);
        subcommand_terms(out, command);
        subcommand_sections(out, command);
    }
}

static void command_page(struct out *out, const struct command *command)
{
    char name[64], title[64], usage[160];
    size_t n = 0;
    (void)snprintf(name, sizeof name, "fauxfleet-%s", command->name);
    for (; name[n]; n++)
        title[n] = (char)toupper((unsigned char)name[n]);
    title[n] = '\0';
    head(out, title, name, command->summary);
    out_text(out, ".SH SYNOPSIS\n.B ");
    line(out, help_usage(usage, sizeof usage, NULL, command));
    out_text(out, ".SH DESCRIPTION\n");
    text_of(out, command);
    subcommand_terms(out, command);
    out_text(out, ".SH OPTIONS\n");
    options_of(out, NULL, command);
    const struct option_use always[] = {{.id = OPT_HELP}, {.id = OPT_MAN}};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        option(out, &always[i]);
    if (command->subcommands && command->subcommands->description)
        out_text(out, ".SH SUBCOMMANDS\n");
    subcommand_sections(out, command);
    if (command->examples) {
        out_text(out, ".SH EXAMPLES\n");
        verbatim(out, command->examples);
    }
}

void help_manual(struct out *out, const struct command *command)
{
    if (command == NULL)
        program_page(out);
    else
        command_page(out, command);
    terms(out, "\"EXIT STATUS\"", help_exit_codes);
    terms(out, "ENVIRONMENT", help_environment);
    see_also(out, command);
}
