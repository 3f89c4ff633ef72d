/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet --version`: the program and the libraries that it runs with. */
#include "report/sweep_sqlite.h"
#include "sim/cli/help.h"

#include <cjson/cJSON.h>
#include <csv.h>
#include <gsl/gsl_version.h>
#include <nettle/version.h>
#include <zlib.h>
#include <zstd.h>

void help_version(struct out *out)
{
    const char *sqlite = sweep_sqlite_version();
    out_text(out, "fauxfleet " FAUXFLEET_VERSION "\n");
    out_format(out, "libraries: GSL %s, cJSON %s, zlib %s, zstd %s, nettle %d.%d, libcsv %d.%d.%d, %s%s\n",
               gsl_version, cJSON_Version(), zlibVersion(), ZSTD_versionString(), nettle_version_major(),
               nettle_version_minor(), CSV_MAJOR, CSV_MINOR, CSV_RELEASE,
               sqlite != NULL ? "SQLite " : "no SQLite", sqlite != NULL ? sqlite : "");
    out_text(out, "License: GPL-3.0-or-later; the policy core (libfauxpolicy): MIT. There is no warranty.\n");
}
