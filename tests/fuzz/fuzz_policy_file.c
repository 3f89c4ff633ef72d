/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file with the name and options of a policy. An accepted one has a name, and texts
 * that the core accepts or refuses. */
#include "policies/policy.h"
#include "scenarios/schema/policy_file.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/resize.h"

static void configure(const struct policy_file *file)
{
    struct policy_config config;
    struct policy_error error = {0};
    int status = policy_config_init(&config, file->name,
                                    (struct policy_allocator){fuzz_resize, NULL}, &error);
    for (size_t i = 0; i < file->option_count && status == POLICY_OK; i++)
        status = policy_config_set(&config, file->option[i].name, file->option[i].value, &error);
    if (status == POLICY_OK)
        status = policy_config_check(&config, &error);
    BUG_ON(status != POLICY_OK && error.message[0] == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    struct policy_file file;
    struct err err = {0};
    fuzz_put("policy.json", data, size);
    if (policy_file_open(&file, fuzz_path(path, "policy.json"), &err)) {
        BUG_ON(file.name == NULL || *file.name == '\0');
        configure(&file);
        policy_file_close(&file);
    } else {
        BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
    }
    return 0;
}
