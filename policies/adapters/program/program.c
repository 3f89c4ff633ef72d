/* SPDX-License-Identifier: MIT */
/* getopt, help and the manual page; see program.h. */
#include "policies/adapters/program/program.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#define COLUMNS 79
#define MEANING 30 /* column of the descriptions */

void program_getopt(const struct program *p, struct option rows[PROGRAM_MOST],
                    char letters[2 * PROGRAM_MOST])
{
    size_t n = 0;
    for (const struct program_option *o = p->options; o->name != NULL && n + 1 < PROGRAM_MOST;
         o++) {
        bool takes = o->argument != NULL;
        rows[n++] =
            (struct option){o->name, takes ? required_argument : no_argument, NULL, o->letter};
        if (o->letter <= CHAR_MAX)
            *letters++ = (char)o->letter;
        if (o->letter <= CHAR_MAX && takes)
            *letters++ = ':';
    }
    rows[n] = (struct option){NULL, 0, NULL, 0};
    *letters = '\0';
}

/* ---- help ---- */

/* Writes the words of text[0..n) starting at a column, wrapped to lines that begin at `indent`. */
static void wrap(FILE *out, const char *text, size_t n, size_t column, size_t indent)
{
    for (size_t at = 0; at < n;) {
        size_t length = 0;
        while (at + length < n && text[at + length] != ' ')
            length++;
        if (column > indent && column + 1 + length > COLUMNS) {
            (void)fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        (void)fprintf(out, "%s%.*s", column > indent ? " " : "", (int)length, text + at);
        column += length + (column > indent);
        at += length + 1;
    }
    (void)fputc('\n', out);
}

static void help_option(FILE *out, const struct program_option *o)
{
    char words[96];
    int n = o->letter <= CHAR_MAX ? snprintf(words, sizeof words, "  -%c, --%s", o->letter, o->name)
                                  : snprintf(words, sizeof words, "      --%s", o->name);
    if (o->argument != NULL)
        n += snprintf(words + n, sizeof words - (size_t)n, "=%s", o->argument);
    (void)fputs(words, out);
    if (n + 2 > MEANING)
        (void)fputc('\n', out);
    (void)fprintf(out, "%*s", n + 2 > MEANING ? MEANING : MEANING - n, "");
    wrap(out, o->help, strlen(o->help), MEANING, MEANING);
}

static void help(const struct program *p, FILE *out)
{
    (void)fprintf(out, "Usage: %s [OPTION]...\n%c%s.\n\n", p->name,
                  toupper((unsigned char)p->summary[0]), p->summary + 1);
    for (const char *line = p->text; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        if (*line == ' ')
            (void)fprintf(out, "%.*s\n", (int)n, line);
        else
            wrap(out, line, n, 0, 0);
        line += n + (line[n] == '\n');
    }
    (void)fputs("\nOptions:\n", out);
    for (const struct program_option *o = p->options; o->name != NULL; o++)
        help_option(out, o);
    (void)fputs("\nExit codes:", out);
    wrap(out, p->exit_codes, strlen(p->exit_codes), strlen("Exit codes:"), 0);
}

/* ---- the manual page, in the macros of man(7) ---- */

/* '-' becomes a minus, so that options can be copied; a leading dot or quote is escaped. */
static void roff(FILE *out, const char *text, size_t n)
{
    static const struct {
        char plain;
        const char *roff;
    } rows[] = {
        {'-', "\\-"}, {'\\', "\\e"}, {'\'', "\\(aq"}, {'^', "\\(ha"}, {'~', "\\(ti"},
    };
    if (n > 0 && (text[0] == '.' || text[0] == '\''))
        (void)fputs("\\&", out);
    for (size_t i = 0; i < n; i++) {
        const char *as = NULL;
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            as = rows[k].plain == text[i] ? rows[k].roff : as;
        if (as != NULL)
            (void)fputs(as, out);
        else
            (void)fputc(text[i], out);
    }
}

static void roff_line(FILE *out, const char *text)
{
    roff(out, text, strlen(text));
    (void)fputc('\n', out);
}

static void roff_text(FILE *out, const char *text)
{
    bool filled = true;
    for (const char *line = text; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        bool fill = *line != ' ' && n > 0;
        if (n > 0 && fill)
            (void)fputs(filled ? ".PP\n" : ".EE\n.PP\n", out);
        if (n > 0 && !fill && filled)
            (void)fputs(".PP\n.EX\n", out);
        filled = n > 0 ? fill : filled;
        roff(out, line, n);
        (void)fputs(n > 0 ? "\n" : "", out);
        line += n + (line[n] == '\n');
    }
    (void)fputs(filled ? "" : ".EE\n", out);
}

static void roff_option(FILE *out, const struct program_option *o)
{
    (void)fputs(".TP\n.BR ", out);
    if (o->letter <= CHAR_MAX)
        (void)fprintf(out, "\\-%c \", \" ", o->letter);
    (void)fputs("\\-\\-", out);
    roff(out, o->name, strlen(o->name));
    if (o->argument != NULL)
        (void)fprintf(out, " =\\fI%s\\fR", o->argument);
    (void)fputc('\n', out);
    roff_line(out, o->help);
}

static void manual(const struct program *p, FILE *out)
{
    (void)fputs(".\\\" SPDX-License-Identifier: MIT\n.TH ", out);
    for (const char *c = p->name; *c != '\0'; c++)
        (void)fputc(toupper((unsigned char)*c), out);
    (void)fprintf(out, " 1 \"\" \"fauxfleet %s\" \"User Commands\"\n.SH NAME\n", p->version);
    roff(out, p->name, strlen(p->name));
    (void)fputs(" \\- ", out);
    roff_line(out, p->summary);
    (void)fputs(".SH SYNOPSIS\n.B ", out);
    roff_line(out, p->name);
    (void)fputs(".RI [ OPTION ]...\n.SH DESCRIPTION\n", out);
    roff_text(out, p->text);
    (void)fputs(".SH OPTIONS\n", out);
    for (const struct program_option *o = p->options; o->name != NULL; o++)
        roff_option(out, o);
    (void)fputs(".SH \"EXIT STATUS\"\n", out);
    roff_line(out, p->exit_codes);
    (void)fputs(".SH \"SEE ALSO\"\n.BR fauxfleet (1)\n", out);
}

bool program_answers(const struct program *p, int letter, const char *argument, FILE *out,
                     bool *printed)
{
    *printed = true;
    if (letter == PROGRAM_HELP)
        help(p, out);
    else if (letter == PROGRAM_VERSION)
        (void)fprintf(out, "%s %s\n", p->name, p->version);
    else if (letter == PROGRAM_MAN)
        manual(p, out);
    else if (letter == PROGRAM_COMPLETION)
        *printed = program_completion(p, argument, out);
    else
        return false;
    return true;
}
