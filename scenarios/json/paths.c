/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File names within files; see paths.h. */
#include "scenarios/json/paths.h"

#include "sim/base/mem.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

char *path_folder(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? mem_text_n(file, slash == file ? 1 : (size_t)(slash - file)) : mem_text("");
}

char *path_stem(const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    return mem_text_n(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

char *path_beside(const char *folder, const char *name)
{
    if (*folder == '\0' || name[0] == '/' || strcmp(name, "-") == 0)
        return mem_text(name);
    bool slashed = folder[strlen(folder) - 1] == '/';
    return mem_format("%s%s%s", folder, slashed ? "" : "/", name);
}

bool path_digest(struct digest *digest, const char *path, struct err *err)
{
    unsigned char bytes[8192];
    size_t n;
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) // reading a device may never end
        return err_set(err, EXIT_INPUT, "'%s' is not a regular file", path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return err_set(err, EXIT_INPUT, "cannot open '%s': %s", path, strerror(errno));
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
        digest_add(digest, bytes, n);
    int failed = ferror(file) ? errno : 0;
    (void)fclose(file);
    return failed == 0 || err_set(err, EXIT_INPUT, "cannot read '%s': %s", path, strerror(failed));
}
