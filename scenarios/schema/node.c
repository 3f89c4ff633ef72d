/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a node's keys. A missing key without a default means unknown. */
#include "scenarios/schema/node.h"

// clang-format off

const struct schema_row schema_instances = {.type = SCHEMA_INTEGER, .max = 448};

static const struct schema_row bandwidth = {.type = SCHEMA_NUMBER, .max = 1e6};
static const struct schema_row index_element = {.type = SCHEMA_INTEGER, .max = 63};
static const struct schema_row usd_element = {.type = SCHEMA_NUMBER, .max = 1e9};
static const struct schema_row text_element = {.type = SCHEMA_TEXT, .min = 1};

static const struct schema_row node_rows[] = {
    {.key = "summary", .type = SCHEMA_TEXT, .summary = "one line about this kind of node"},
    {.key = "source", .type = SCHEMA_TEXT,
     .summary = "source of its figures, unless `sources` names another"},
    {.key = "sources", .type = SCHEMA_OBJECT, .open = &text_element,
     .summary = "sources of single figures, such as {\"idle_w\": \"measured\"}"},
    {.key = "unverified", .type = SCHEMA_LIST, .max = 64, .child = &text_element,
     .summary = "figures that are estimates or unchecked"},

    {.key = "gpus", .type = SCHEMA_INTEGER, .max = 64, .required = true,
     .summary = "devices of one node"},
    {.key = "gpu_type", .type = SCHEMA_TEXT, .min = 1, .fallback = "\"any\"",
     .summary = "name of the device type"},
    {.key = "gpu_mem_mib", .type = SCHEMA_INTEGER, .max = 1e9, .group = "gpu memory",
     .fallback = "0",
     .summary = "memory of one device in MiB, 0 unknown"},
    {.key = "gpu_mem_gb", .type = SCHEMA_NUMBER, .max = 1e6, .group = "gpu memory",
     .summary = "the same as vendors write it: 80 is 81920 MiB"},
    {.key = "cpus", .type = SCHEMA_AMOUNT, .max = 1e6, .group = "cpu",
     .summary = "CPU cores, -1 not modelled"},
    {.key = "cpu_milli", .type = SCHEMA_INTEGER, .min = -1, .max = 1e9, .group = "cpu",
     .fallback = "-1",
     .summary = "the same in thousandths of a core"},
    {.key = "mem_mib", .type = SCHEMA_INTEGER, .min = -1, .max = 1e12, .group = "memory",
     .fallback = "-1",
     .summary = "host memory in MiB, -1 not modelled"},
    {.key = "mem_gb", .type = SCHEMA_AMOUNT, .max = 1e9, .group = "memory",
     .summary = "the same in units of 1024 MiB"},
    {.key = "max_tasks", .type = SCHEMA_INTEGER, .min = -1, .max = 1e6, .fallback = "-1",
     .summary = "tasks at one time, -1 unlimited"},
    SCHEMA_MIG_ROWS,

    {.key = "links", .type = SCHEMA_CHOICE, .choices = SCHEMA_LINKS,
     .summary = "between devices: NVLink in pairs, as DGX-1V has it, between any two, by NVSwitch "
                "[pcie]"},
    {.key = "nvlink_gb_s", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "NVLink of one device in GB/s, both directions, as sold"},
    {.key = "busbw_gb_s", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "bus bandwidth of a large all-reduce over all devices in GB/s"},
    {.key = "busbw_of", .type = SCHEMA_OBJECT, .open = &bandwidth,
     .summary = "the same over fewer devices where it differs, such as {\"4\": 370}"},
    {.key = "pair_gb_s", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "the same over a bridged pair"},
    {.key = "pcie_gb_s", .type = SCHEMA_NUMBER, .max = 1e6, .summary = "the same over PCIe"},
    {.key = "nvlink_nodes", .type = SCHEMA_INTEGER, .min = 1, .max = 1024,
     .summary = "nodes in one NVLink domain [1]"},
    {.key = "nvlink_domain_gb_s", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "bus bandwidth of a large all-reduce over such a domain"},

    {.key = "network", .type = SCHEMA_CHOICE, .choices = SCHEMA_NETWORKS,
     .summary = "compute network of the node [none]"},
    {.key = "nics", .type = SCHEMA_INTEGER, .max = 64,
     .summary = "NICs of the compute network, each a rail"},
    {.key = "nic_gbit_s", .type = SCHEMA_NUMBER, .max = 1e5, .summary = "Gbit/s of each"},
    {.key = "nic_efficiency", .type = SCHEMA_NUMBER, .max = 1,
     .summary = "share of it that collectives reach [that of the network]"},
    {.key = "nic_of", .type = SCHEMA_LIST, .max = 64, .child = &index_element,
     .summary = "the NIC next to each device [in order]"},

    {.key = "sockets", .type = SCHEMA_INTEGER, .max = 64, .summary = "CPU sockets"},
    {.key = "numa", .type = SCHEMA_INTEGER, .max = 64, .summary = "NUMA domains"},
    {.key = "numa_of", .type = SCHEMA_LIST, .max = 64, .child = &index_element,
     .summary = "NUMA domain of each device"},
    {.key = "pcie_of", .type = SCHEMA_LIST, .max = 64, .child = &index_element,
     .summary = "PCIe switch of each device"},

    {.key = "idle_w", .type = SCHEMA_NUMBER, .max = 1e7,
     .summary = "watts of the node without work"},
    {.key = "peak_w", .type = SCHEMA_NUMBER, .max = 1e7,
     .summary = "watts on its nameplate; at full load it draws 0.80 of them"},
    {.key = "gpu_idle_w", .type = SCHEMA_NUMBER, .max = 1e5,
     .summary = "watts of one device without work"},
    {.key = "gpu_peak_w", .type = SCHEMA_NUMBER, .max = 1e5,
     .summary = "maximum watts of one device"},
    {.key = "usd", .type = SCHEMA_NUMBER, .max = 1e9,
     .summary = "to buy a node, for `cost.basis` own"},
    {.key = "usd_range", .type = SCHEMA_LIST, .min = 2, .max = 2, .child = &usd_element,
     .with = "usd", .summary = "its low and high estimate"},
    {.key = "rent_usd_per_hour", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "to rent a node on demand, energy included, for `cost.basis` rent"},
    {.key = "rent_range", .type = SCHEMA_LIST, .min = 2, .max = 2, .child = &usd_element,
     .with = "rent_usd_per_hour",
     .summary = "its low and high estimate"},
    {.key = "spot_usd_per_hour", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "to rent it as spot capacity"},
    {.key = "reserved_usd_per_hour", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "to rent it under a reservation, for `billing` reserved of a pool"},
    {.key = "usd_per_hour", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "your price of a node: overrides both bases; energy is added only with "
                "cost.usd_per_kwh"},
    {.key = "ssd_gb_s", .type = SCHEMA_NUMBER, .max = 1e5,
     .summary = "read bandwidth of its own disks in GB/s"},
    {.key = "bf16_tflops", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "TFLOP/s of large BF16 matmuls on one device, or 0.8 of the dense peak: for types "
                "not in `list speeds`"},
    {.key = "mem_tb_s", .type = SCHEMA_NUMBER, .max = 1e4,
     .summary = "TB/s of its memory, for the same"},
    {.key = "speed", .type = SCHEMA_NUMBER, .max = 1e4,
     .summary = "speed of one device relative to an A100-SXM; overrides `list speeds`, but not a "
                "model's own speeds"},
    {0},
};
const struct schema_row schema_node = {.type = SCHEMA_OBJECT, .child = node_rows};

// clang-format on
