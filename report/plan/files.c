/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the data of a plan; see files.h. */
#include "report/plan/files.h"

bool plan_files_write(const struct plan_files *files, const char *dir, struct err *err)
{
    struct out *csv = out_open_in(dir, files->csv_name, err);
    if (csv == NULL)
        return false;
    files->csv(files->self, csv);
    if (!out_close(csv, err))
        return false;
    struct out *file = out_open_in(dir, "plan.json", err);
    if (file == NULL)
        return false;
    struct json json;
    json_init(&json, file, 1);
    files->json(files->self, &json);
    out_char(file, '\n');
    return out_close(file, err);
}
