/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Slurm that never answers, to be preloaded: it notes in the file $SILENT_HERE that it was
 * called. For tests/e2e/signals.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void slurm_init(const char *configuration);
void slurm_fini(void);
int slurm_load_ctl_conf(long since, void **conf);

void slurm_init(const char *configuration)
{
    (void)configuration;
}

void slurm_fini(void)
{
}

int slurm_load_ctl_conf(long since, void **conf)
{
    FILE *file = fopen(getenv("SILENT_HERE"), "w");
    (void)since, (void)conf;
    if (file != NULL)
        (void)fclose(file);
    for (;;)
        (void)sleep(1000);
}
