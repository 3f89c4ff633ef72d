/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names become small dense ids: 0, 1, 2, ... in order of first appearance. Used for queues, users,
 * GPU types, pools. The table owns its copies of the names; a returned name lives as long as the
 * table.
 */
#ifndef SIM_BASE_SYMBOLS_H
#define SIM_BASE_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#define SYMBOL_NONE UINT32_MAX

struct symbols;

struct symbols *symbols_create(void);
void symbols_destroy(struct symbols *);

uint32_t symbols_add(struct symbols *, const char *name, size_t length); /* finds or adds */
uint32_t symbols_find(const struct symbols *, const char *name,
                      size_t length); /* SYMBOL_NONE when absent */
const char *symbols_name(const struct symbols *, uint32_t id);
uint32_t symbols_count(const struct symbols *);

#endif
