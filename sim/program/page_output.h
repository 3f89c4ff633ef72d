/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What -o names where a command writes a page: the same for compare, whatif and plan. */
#ifndef SIM_PROGRAM_PAGE_OUTPUT_H
#define SIM_PROGRAM_PAGE_OUTPUT_H

enum page_output {
    PAGE_NONE,     /* no -o */
    PAGE_HTML,     /* FILE.html: the page alone */
    PAGE_MARKDOWN, /* FILE.md */
    PAGE_FOLDER,   /* DIR: the page and its data */
    PAGE_UNKNOWN,  /* another kind of file */
};

enum page_output page_output_of(const char *path); /* NULL: PAGE_NONE */

#define PAGE_OUTPUT_EXPECTED "a directory, or a name that ends in .html or .md"

#endif
