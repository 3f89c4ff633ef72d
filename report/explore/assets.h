/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explorer's script and style as NUL-terminated texts, made from script/ and explorer.css when
 * the program is built.
 */
#ifndef REPORT_EXPLORE_ASSETS_H
#define REPORT_EXPLORE_ASSETS_H

extern const char explore_script[], explore_style[];

#endif
