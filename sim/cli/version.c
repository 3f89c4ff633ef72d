/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet --version`: the program, its libraries, and optional parts. */
#include "policies/plugin.h"
#include "report/results/sweep_sqlite.h"
#include "report/words/metric_rows.h"
#include "sim/base/rng.h"
#include "sim/program/help.h"

#include <cjson/cJSON.h>
#include <csv.h>
#include <gsl/gsl_version.h>
#include <nettle/version.h>
#include <zlib.h>
#include <zstd.h>

/* All formats of files that the program reads and writes are still the first. */
#define FORMATS                                                                                    \
    "scenario 1, catalogue 1, snapshot 1, summary 1, journal 1, sweep 1, gate 1, baseline 1"

#ifdef FAUXFLEET_SLURM
#define SLURM_ADAPTER "fauxfleet-slurm"
#else
#define SLURM_ADAPTER "no fauxfleet-slurm"
#endif

void help_version(struct out *out)
{
    const char *sqlite = sweep_sqlite_version();
    out_text(out, "fauxfleet " FAUXFLEET_VERSION "\n");
    out_format(
        out, "libraries: GSL %s, cJSON %s, zlib %s, zstd %s, nettle %d.%d, libcsv %d.%d.%d, %s%s\n",
        gsl_version, cJSON_Version(), zlibVersion(), ZSTD_versionString(), nettle_version_major(),
        nettle_version_minor(), CSV_MAJOR, CSV_MINOR, CSV_RELEASE,
        sqlite != NULL ? "SQLite " : "no SQLite", sqlite != NULL ? sqlite : "");
    out_format(out, "features: %s, " SLURM_ADAPTER "\n",
               sqlite != NULL ? "merge into SQLite" : "no SQLite");
    out_format(out, "interfaces: policy contract %d, plugins %d, random numbers %s, metrics %d\n",
               POLICY_VERSION, POLICY_PLUGIN_VERSION, rng_type->name, METRICS_VERSION);
    out_text(out, "formats: " FORMATS "\n");
    out_text(
        out,
        "License: GPL-3.0-or-later; the policy core (libfauxpolicy): MIT. There is no warranty.\n");
}
