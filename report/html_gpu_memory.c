/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of what sharing device memory did. */
#include "report/html.h"
#include "report/units.h"

#include <math.h>

static const struct {
    const char *key, *name;
    const char *(*format)(char text[UNIT_TEXT], double value);
} items[] = {
    {"mean_use",         "memory in use, of devices with tenants", unit_percent},
    {"peak_use",         "most of one device",                     unit_percent},
    {"mean_tenants",     "tasks on a device",                      unit_amount },
    {"peak_tenants",     "most on one device",                     unit_count  },
    {"collisions",       "wanted more than was free",              unit_count  },
    {"waits",            "stood still for it",                     unit_count  },
    {"wait_gpu_h",       "GPU-hours of that",                      unit_amount },
    {"oom_kills",        "killed, out of memory",                  unit_count  },
    {"stuck_kills",      "killed, all on a device waited",         unit_count  },
    {"evicted_idle",     "ended, idle",                            unit_count  },
    {"evicted_priority", "ended, lower priority",                  unit_count  },
    {"swapped_gb",       "GB moved to the host and back",          unit_amount },
    {"swap_lost_gpu_h",  "GPU-hours lost to that",                 unit_amount },
};

void html_gpu_memory(const struct page *page)
{
    const cJSON *all = json_at(page->run->summary, "gpu_memory");
    if (all == NULL)
        return;
    html_open_table(page, "Memory of shared devices", "gpu-memory", "numbers");
    out_text(page->out, "<thead><tr><th scope=\"col\">Device memory</th><th scope=\"col\" "
                        "class=\"n\">in the window</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        char text[UNIT_TEXT];
        double value = json_number_at(all, items[i].key);
        if (isnan(value))
            continue;
        out_text(page->out, "<tr><th scope=\"row\">");
        html_text(page->out, items[i].name);
        out_text(page->out, "</th>");
        html_number(page->out, items[i].format(text, value));
        out_text(page->out, "</tr>\n");
    }
    html_close_table(page);
}
