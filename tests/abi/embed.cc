/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An embedder in C++11: the public headers as they are, a policy made, asked and destroyed. */
#include "plugin.h"
#include "policy.h"

#include <cstdio>
#include <cstdlib>

static void *resize(void *, void *old, std::size_t, std::size_t new_size)
{
    if (new_size > 0)
        return std::realloc(old, new_size);
    std::free(old);
    return nullptr;
}

int main()
{
    policy_config config;
    policy_error error;
    policy_allocator allocator = {resize, nullptr};
    if (policy_config_init(&config, "runai", allocator, &error) != POLICY_OK)
        return EXIT_FAILURE;
    policy *p = policy_create(&config, &error);
    if (p == nullptr)
        return EXIT_FAILURE;
    policy_node_spec node = policy_node_spec();
    node.size = sizeof node;
    node.devices = 8;
    node.max_tasks = node.cpu_milli = node.mem_mib = POLICY_UNLIMITED;
    std::size_t count = 1;
    bool added = policy_add_node(p, 0, &node).i == 0;
    bool nothing = policy_decide(p, 1, &count) == nullptr && count == 0;
    policy_destroy(p);
    std::puts(added && nothing ? "ok" : "wrong");
    return added && nothing ? EXIT_SUCCESS : EXIT_FAILURE;
}
