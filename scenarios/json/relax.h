/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extensions to JSON in hand-written files: comments, from two slashes to the end of the line or in
 * C style, and a comma after the last member or element. Both are overwritten with blanks, so every
 * offset, line and column stays the same.
 */
#ifndef SCENARIOS_JSON_RELAX_H
#define SCENARIOS_JSON_RELAX_H

#include <stddef.h>

/*
 * Blanks comments and trailing commas. Strings are left alone, and so is anything invalid, such as
 * a comment without an end: the parser will refuse it.
 */
void json_relax(char *text, size_t n);

#endif
