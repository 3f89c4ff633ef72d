/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries the system; see machine.h. */
#include "sim/program/machine.h"

#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The first value of a key in a file of lines "key : value"; NULL if there is none. To be freed. */
static char *value_in(const char *path, const char *key)
{
    char line[512], *value = NULL;
    FILE *file = fopen(path, "re");
    while (file != NULL && value == NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, key, strlen(key)) == 0) {
            colon += 1 + strspn(colon + 1, " \t");
            value = mem_text_n(colon, strcspn(colon, "\n"));
        }
    }
    if (file != NULL)
        (void)fclose(file);
    return value;
}

char *machine_text(void)
{
    struct utsname name;
    if (uname(&name) != 0)
        return mem_text("unknown");
    char *model = value_in("/proc/cpuinfo", "model name"),
         *memory = value_in("/proc/meminfo", "MemTotal");
    char *text =
        mem_format("%s %s %s, %ld x %s, %lld MiB", name.sysname, name.release, name.machine,
                   sysconf(_SC_NPROCESSORS_CONF), model != NULL ? model : "processor",
                   memory != NULL ? strtoll(memory, NULL, 10) / 1024 : 0);
    free(model);
    free(memory);
    return text;
}
