/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of storage and of startup; scenarios/catalog/storage.h and scenarios/load/startup.c
 * define them.
 */
#ifndef SCENARIOS_SCHEMA_STORAGE_H
#define SCENARIOS_SCHEMA_STORAGE_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_store; /* one storage, in the catalogue or in a scenario */
extern const struct schema_row schema_storage_rows[];  /* `storage` of a scenario */
extern const struct schema_row schema_startup_rows[];  /* `startup` of a scenario */
extern const struct schema_row schema_storage_catalog; /* scenarios/catalog/storage.json */

#endif
