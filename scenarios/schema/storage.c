/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of keys of storage and startup, innermost first. */
#include "scenarios/schema/storage.h"

// clang-format off

static const struct schema_row text_element = {.type = SCHEMA_TEXT, .min = 1};

static const struct schema_row loader_rows[] = {
    {.key = "gb", .type = SCHEMA_NUMBER, .min = 1e-6, .max = 1e6, .required = true,
     .summary = "GB loaded"},
    {.key = "load_s", .type = SCHEMA_NUMBER, .min = 1e-6, .max = 1e6, .required = true,
     .summary = "seconds taken"},
    {.key = "ready_s", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "seconds until the engine was ready, loading included"},
    {.key = "threads", .type = SCHEMA_INTEGER, .min = 1, .max = 1e6,
     .summary = "that read, for people"},
    {0},
};
static const struct schema_row loader = {.type = SCHEMA_OBJECT, .child = loader_rows};

#define GBPS(name, text) {.key = name, .type = SCHEMA_NUMBER, .min = 1e-6, .max = 1e6, \
   .summary = text}

#define STORE_ROWS \
    GBPS("read_gbps", "GB/s that all nodes read together at most [no bound]"), \
    GBPS("write_gbps", "and write [no bound]"), \
    GBPS("node_read_gbps", "GB/s that one node reads at most [no bound]"), \
    GBPS("node_write_gbps", "and writes [no bound]"), \
    {.key = "loaders", .type = SCHEMA_OBJECT, .open = &loader, \
     .summary = "ways to load a model, as measured on one node, such as {\"default\": {\"gb\": " \
                "15, \"load_s\": 48}}"}

static const struct schema_row store_rows[] = {
    {.key = "summary", .type = SCHEMA_TEXT, .summary = "one line about this storage"},
    {.key = "source", .type = SCHEMA_TEXT,
     .summary = "source of its figures, unless `sources` names another"},
    {.key = "sources", .type = SCHEMA_OBJECT, .open = &text_element,
     .summary = "sources of single figures"},
    {.key = "unverified", .type = SCHEMA_LIST, .max = 64, .child = &text_element,
     .summary = "figures that are estimates or unchecked"},
    STORE_ROWS,
    {0},
};
const struct schema_row schema_store = {.type = SCHEMA_OBJECT, .child = store_rows};

static const struct schema_row tier_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true,
     .summary = "of the tier: hot, warm, cold"},
    {.key = "tb", .type = SCHEMA_NUMBER, .max = 1e9, .required = true, .summary = "TB kept in it"},
    {.key = "usd_per_tb_month", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0",
     .summary = "price of a TB for 730 h"},
    {.key = "hit", .type = SCHEMA_NUMBER, .max = 1,
     .summary = "share of all reads that it serves; the last tier serves the rest"},
    GBPS("read_gbps", "GB/s that it reads at most, for all nodes together [no bound]"),
    {.key = "usd_per_tb_read", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0",
     .summary = "fee for each TB read from it; from a colder tier it then moves to the first"},
    {.key = "usd_per_tb_written", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0",
     .summary = "fee for each TB written to it: checkpoints to the first, what makes room to others"},
    {0},
};
static const struct schema_row tier = {.type = SCHEMA_OBJECT, .child = tier_rows};

static const struct schema_row data_preset = {.type = SCHEMA_CHOICE, .choices = "none|high"};
const struct schema_row schema_storage_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1,
     .summary = "storage of the catalogue; other keys here override its figures"},
    STORE_ROWS,
    {.key = "data_gb_per_gpu_s", .type = SCHEMA_NUMBER, .max = 1e4, .other = &data_preset,
     .fallback = "0",
     .summary = "GB/s that each GPU reads while it trains at ideal speed; high: 0.975, 7.8 GB/s "
                "for 8 V100"},
    {.key = "cache_hit", .type = SCHEMA_NUMBER, .max = 1, .fallback = "0", .with = "cache_gbps",
     .summary = "share of these reads served by caches in the nodes"},
    GBPS("cache_gbps", "GB/s that the cache of a node reads at most [no cache]"),
    {.key = "tb", .type = SCHEMA_NUMBER, .max = 1e9, .group = "kept",
     .summary = "TB that are kept and paid for"},
    {.key = "usd_per_tb_month", .type = SCHEMA_NUMBER, .max = 1e6, .with = "tb", .fallback = "0",
     .summary = "price of a TB for 730 h"},
    {.key = "tiers", .type = SCHEMA_LIST, .min = 1, .max = 8, .child = &tier, .group = "kept",
     .summary = "tiers instead, hottest first, with prices and hit rates"},
    {0},
};

#define CLASSES "build|train|distributed|inference|batch"
static const struct schema_row class_element = {.type = SCHEMA_CHOICE, .choices = CLASSES};

const struct schema_row schema_startup_rows[] = {
    {.key = "image", .type = SCHEMA_DURATION, .fallback = "0",
     .summary = "to pull the image and start the container"},
    {.key = "model_gb", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "0",
     .summary = "GB of model that each task then loads"},
    {.key = "storage", .type = SCHEMA_TEXT, .min = 1, .other = &schema_store,
     .summary = "storage of its own for models, not shared: name in the catalogue, or the storage "
                "itself [`storage`, shared]"},
    {.key = "loader", .type = SCHEMA_TEXT, .min = 1, .fallback = "\"default\"",
     .summary = "one of the loaders of the storage"},
    {.key = "engine", .type = SCHEMA_DURATION,
     .summary = "time to start the engine [as measured with the loader, else 0]"},
    {.key = "classes", .type = SCHEMA_LIST, .max = 5, .child = &class_element,
     .summary = "classes of jobs with this startup [all]"},
    {0},
};

static const struct schema_row catalog_rows[] = {
    {.key = "fauxfleet_catalog", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "storage", .type = SCHEMA_OBJECT, .open = &schema_store, .required = true,
     .summary = "storage by name"},
    {0},
};
const struct schema_row schema_storage_catalog = {.type = SCHEMA_OBJECT, .child = catalog_rows};

// clang-format on
