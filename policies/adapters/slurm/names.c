/* SPDX-License-Identifier: MIT */
/* Numbered names; see names.h. */
#include "policies/adapters/slurm/names.h"

#include "policies/adapters/slurm/memory.h"

#include <stdlib.h>
#include <string.h>

uint32_t names_number(struct names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->texts[i], name) == 0)
            return i;
    names->texts = memory_resize(names->texts, (size_t)names->count + 1, sizeof *names->texts);
    names->texts[names->count] = memory_text(name);
    return names->count++;
}

void names_fini(struct names *names)
{
    for (uint32_t i = 0; i < names->count; i++)
        free(names->texts[i]);
    free(names->texts);
    *names = (struct names){NULL, 0};
}

const char *names_next(const char **rest, const char *separators, char *buffer, size_t size)
{
    while (**rest != '\0') {
        size_t n = strcspn(*rest, separators), kept = n < size ? n : size - 1;
        memcpy(buffer, *rest, kept);
        buffer[kept] = '\0';
        *rest += n + ((*rest)[n] != '\0');
        if (n > 0)
            return buffer;
    }
    return NULL;
}
