/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of the effects of sharing device memory. */
#include "report/page/html.h"

static const struct item items[] = {
    {"gpu_memory.mean_use", "memory in use, of devices with tenants", unit_percent, false},
    {"gpu_memory.peak_use", "most of one device", unit_percent, false},
    {"gpu_memory.mean_tenants", "tasks on a device", unit_amount, false},
    {"gpu_memory.peak_tenants", "most on one device", unit_count, false},
    {"gpu_memory.collisions", "wanted more than was free", unit_count, false},
    {"gpu_memory.waits", "stood still for it", unit_count, false},
    {"gpu_memory.wait_gpu_h", "GPU-hours of that", unit_amount, false},
    {"gpu_memory.oom_kills", "killed, out of memory", unit_count, false},
    {"gpu_memory.stuck_kills", "killed, all on a device waited", unit_count, false},
    {"gpu_memory.evicted_idle", "ended, idle", unit_count, false},
    {"gpu_memory.evicted_priority", "ended, lower priority", unit_count, false},
    {"gpu_memory.swapped_gb", "GB moved to the host and back", unit_amount, false},
    {"gpu_memory.swap_lost_gpu_h", "GPU-hours lost to that", unit_amount, false},
};

void html_gpu_memory(const struct page *page)
{
    if (json_at(page->run->summary, "gpu_memory") == NULL)
        return;
    html_items(page, &(struct html_items){"Memory of shared devices", "gpu-memory", "Device memory",
                                          items, sizeof items / sizeof *items});
}
