/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names from outside (of jobs, queues, users, nodes, policies, files, options) that are written to
 * a sink where some bytes have a special meaning. One function per sink, used by all its writers:
 *
 *     sink                                    function
 *     terminal, log: a name, a message        escape_shown(), escape_format()   one line;
 *                                             escape_name() cuts it to columns as well
 *     terminal, log: whole output             out_show()           a filter of the stream, which
 *                                             also covers what forgot
 *     shell script, command to copy           escape_shell(), in a comment escape_shell_comment()
 *     JSON                                    json_quoted() (json.h)
 *     YAML                                    escape_yaml()
 *     CSV                                     out_csv() (out.h)
 *     HTML, SVG, XML: text and attributes     escape_markup(), of pages html_text()
 *     Markdown as GitHub and GitLab show it   escape_markdown()
 *     address in a link                       escape_url()
 *     gnuplot script                          escape_gnuplot()
 *     GitHub workflow command                 escape_github()
 *     name in SQL                             escape_sql()
 *
 * What is to be read by people loses nothing that can be seen: control characters, invisible
 * characters, those that turn the direction of text (Unicode's bidirectional controls) and
 * noncharacters appear as in JSON, \n \u001b \u202e, bytes that are not UTF-8 as \xff. A backslash
 * stays as it is, so this is not for reading back. JSON and YAML are read back: there names that
 * are UTF-8 come back as they were, and bytes that are not become U+FFFD. CSV keeps every byte. A
 * field that a spreadsheet would take for a formula ("=1+1") stays as it is, since these files are
 * read back by programs; import such columns as text.
 */
#ifndef SIM_BASE_ESCAPE_H
#define SIM_BASE_ESCAPE_H

#include "sim/base/out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One code point of UTF-8 at `text` and its length; ESCAPE_BROKEN with length 1 where it is not
 * well formed (RFC 3629). */
#define ESCAPE_BROKEN UINT32_MAX
uint32_t escape_decode(const char *text, const char *end, size_t *length);

bool escape_is_shown(uint32_t code); /* stands for itself in what people read */
bool escape_is_utf8(const char *text);

void escape_shown(struct out *, const char *text);
char *escape_shown_text(const char *text); /* the same, freed by the caller */

/*
 * out_format() for lines with names in them: what the arguments bring is shown and stays on the
 * line. The format may begin and end with new lines and has none inside.
 */
void escape_format(struct out *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same as escape_shown() for a table: of more than `limit` columns it is cut and ends in "..."
 * (limit 0: none). Freed by the caller. */
char *escape_name(const char *name, size_t limit);

/* Columns that valid UTF-8 takes in a terminal: 2 for East Asian wide characters, 0 for combining
 * ones. */
size_t escape_width(const char *text);

/*
 * Many lines: new lines and tabs stay. What GitHub's runner would take for a command, "::" where a
 * line begins and "##[", is broken up.
 */
void escape_lines(struct out *, const char *text, size_t n);

/* A word for sh: in single quotes unless it is plain. */
void escape_shell(struct out *, const char *word);

/* The same on one line whatever the word holds, for a comment: $'...' where it has control
 * characters. */
void escape_shell_comment(struct out *, const char *word);

void escape_yaml(struct out *, const char *text); /* a double-quoted scalar */
void escape_markup(struct out *, const char *text);
void escape_markdown(struct out *, const char *text);
void escape_url(struct out *, const char *path);

/* A single-quoted string, in which nothing is interpreted; tic labels also escape '%'. */
void escape_gnuplot(struct out *, const char *text, bool tic);

/* A message, which may have several lines, or a property of a command. */
void escape_github(struct out *, const char *text, bool property);

void escape_sql(struct out *, const char *name); /* an identifier in double quotes */

/* A code point in JSON's notation, in YAML's beyond 16 bits (\U0001fffe). */
void escape_code(struct out *, uint32_t code, bool yaml);

/*
 * Output from now on is for people on a terminal (true) or data (false). For people, control
 * characters and similar bytes are escaped as escape_lines() does. JSON passes unchanged. Not for
 * our own files.
 */
void out_show(struct out *, bool people);

#endif
