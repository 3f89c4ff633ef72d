/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the files of a comparison; see comparison_files.h. */
#include "sim/cli/comparison_files.h"

#include "sim/base/mem.h"
#include "sim/program/page_output.h"
#include "sim/study/run_dir.h"

#include <stdlib.h>

static bool write_json(const struct comparison_files *files, const struct comparison *c,
                       struct err *err)
{
    char *name = mem_format("%s.json", files->stem);
    struct out *out = out_open_in(files->path, name, err);
    free(name);
    if (out == NULL)
        return false;
    files->json(files->self, c, out);
    return out_close(out, err);
}

bool comparison_files_write(const struct comparison_files *files, const struct comparison *c,
                            struct err *err)
{
    enum page_output kind = page_output_of(files->path);
    if (kind != PAGE_FOLDER)
        return kind == PAGE_NONE || comparison_write(c, files->path, err);
    char *page = mem_format("%s/%s.html", files->path, files->stem);
    bool ok = run_dir_make(files->path, err) && comparison_write(c, page, err) &&
              write_json(files, c, err);
    free(page);
    return ok;
}
