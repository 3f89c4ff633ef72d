/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The extender's answers to requests as kube-scheduler sends them. The clusters are small enough to say by hand what the
 * quota policy does:
 *
 *   extender-cluster  n1 and n2 of 4 GPUs with 1 and 2 free, n3 of 8 that is empty, n4 of 8 that is cordoned; queue red has
 *                     8 GPUs to itself, small no more than one. Packing prefers the node with fewest free: n1, n2, n3.
 *   extender-gangs    n1 and n2 of 2 GPUs, n3 of one; a gang of two pods with 2 GPUs each, so each pod may be on n1 or on n2
 *   kube-cluster      n1 of 2 GPUs which blue holds, with a quota of one: its later pod u-b-1 has to go for red's pod
 */
#include "policies/adapters/kubernetes/extender.h"
#include "scenarios/json_source.h"
#include "sim/base/mem.h"

#include "tests/lib/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DATA "tests/e2e/data/"

static char *file(const char *name)
{
    char path[128], *text = mem_alloc(1 << 16, 1);
    (void)snprintf(path, sizeof path, DATA "%s.json", name);
    FILE *in = fopen(path, "rb");
    ck_assert_msg(in != NULL, "%s", path);
    ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, in), 0);
    ck_assert_int_eq(fclose(in), 0);
    return text;
}

static struct extender *extender_of(const char *cluster, const struct extender_options *options)
{
    struct err err = {.msg = ""};
    char path[128];
    struct extender *e = extender_create(options);
    (void)snprintf(path, sizeof path, DATA "%s.json", cluster);
    ck_assert_msg(extender_state_file(e, path, &err), "%s", err.msg);
    return e;
}

static void check_answer(struct extender *e, const char *verb, const char *body, int status, const char *text)
{
    struct extender_reply reply;
    ck_assert(extender_answer(e, verb, body, strlen(body), &reply));
    ck_assert_msg(reply.status == status, "%s: %d %s", verb, reply.status, reply.text);
    ck_assert_str_eq(reply.text, text);
    free(reply.text);
}

#define LIMIT                                                                                                \
    "OVER_LIMIT: queue 'small' has 0 of at most 1 GPU, and the job wants 2 more; alternative: up to 1 GPU "  \
    "would stay within the limit"
#define NODE_2                                                                                               \
    "{\"metadata\":{\"name\":\"n2\",\"labels\":{\"kubernetes.io/hostname\":\"n2\"}},\"spec\":{},\"status\":" \
    "{\"allocatable\":{\"nvidia.com/gpu\":\"4\",\"cpu\":\"64\",\"memory\":\"512Gi\",\"pods\":\"110\"},"      \
    "\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}"

// clang-format off
static const struct {
    const char *cluster, *verb, *body, *answer;
} exchanges[] = {
    // Names in the order of the request; a node that is cordoned, and one that nobody knows.
    {"extender-cluster", "filter", "extender-filter",
     "{\"NodeNames\":[\"n3\",\"n1\",\"n2\"],\"FailedNodes\":{\"n4\":\"NODES_DOWN: not on this node now, but on n1\"},"
     "\"FailedAndUnresolvableNodes\":{\"n7\":\"the snapshot of fauxfleet does not have this node\"},\"Error\":\"\"}\n"},
    // Three nodes: 10, 10 * 2 / 3, 10 * 1 / 3. Members in lower case.
    {"extender-cluster", "prioritize", "extender-prioritize",
     "[{\"Host\":\"n3\",\"Score\":3},{\"Host\":\"n1\",\"Score\":10},{\"Host\":\"n4\",\"Score\":0},{\"Host\":\"n2\",\"Score\":6}]\n"},
    // Whole nodes come back whole.
    {"extender-cluster", "filter", "extender-nodes",
     "{\"Nodes\":{\"items\":[" NODE_2 "]},\"FailedNodes\":{\"n4\":\"NODES_DOWN: not on this node now, but on n2\"},"
     "\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}\n"},
    // The queue's limit, on all nodes.
    {"extender-cluster", "filter", "extender-limit",
     "{\"NodeNames\":[],\"FailedNodes\":{\"n2\":\"" LIMIT "\",\"n3\":\"" LIMIT "\"},\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}\n"},
    // Half of a gang: its other pod does not exist yet.
    {"extender-cluster", "filter", "extender-half",
     "{\"NodeNames\":[],\"FailedNodes\":{},\"FailedAndUnresolvableNodes\":{\"n1\":\"NOT_READY: role 'default' needs 2 tasks, and has 1 "
     "that may start; alternative: none until the missing tasks exist and no gate holds them\"},\"Error\":\"\"}\n"},
    {"extender-gangs", "filter", "extender-gang",
     "{\"NodeNames\":[\"n1\",\"n2\"],\"FailedNodes\":{},\"FailedAndUnresolvableNodes\":{\"n3\":\"NEVER_FITS: not on this node now, but on n1\"},"
     "\"Error\":\"\"}\n"},
    {"extender-gangs", "prioritize", "extender-gang",
     "[{\"Host\":\"n1\",\"Score\":10},{\"Host\":\"n2\",\"Score\":5},{\"Host\":\"n3\",\"Score\":0}]\n"},
    // Not the victim that the scheduler proposes.
    {"kube-cluster", "preempt", "extender-preempt",
     "{\"NodeNameToMetaVictims\":{\"n1\":{\"Pods\":[{\"UID\":\"u-b-1\"}],\"NumPDBViolations\":2}}}\n"},
    {"kube-cluster", "bind", "extender-bind",
     "{\"Error\":\"this extender does not bind (it was started without --bindings): leave bindVerb out\"}\n"},
};
// clang-format on

START_TEST(recorded_exchanges)
{
    struct extender *e = extender_of(exchanges[_i].cluster, &(struct extender_options){.nodes = 16});
    char *body = file(exchanges[_i].body);
    check_answer(e, exchanges[_i].verb, body, 200, exchanges[_i].answer);
    // A question changes nothing.
    check_answer(e, exchanges[_i].verb, body, 200, exchanges[_i].answer);
    free(body);
    extender_destroy(e);
}
END_TEST

/* What was bound runs, for later pods, and in a snapshot that is not younger. */
START_TEST(bound_pods_count)
{
    static const char rest[] = "{\"NodeNames\":[\"n1\"],\"FailedNodes\":{\"n2\":\"FRAGMENTED: not on this "
                               "node now, but on n1\",\"n3\":"
                               "\"FRAGMENTED: not on this node now, but on "
                               "n1\"},\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}\n";
    char path[] = "/tmp/fauxfleet-bindings-XXXXXX", line[512];
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(close(fd), 0);
    struct extender *e =
        extender_of("extender-gangs", &(struct extender_options){.nodes = 16, .bindings = path});
    char *body = file("extender-bind"), *question = file("extender-gang-rest"),
         *cluster = file("extender-gangs");
    check_answer(e, "bind", body, 200, "{\"Error\":\"\"}\n");
    check_answer(e, "filter", question, 200, rest);
    check_answer(e, "snapshot", cluster, 200, "{}\n");
    check_answer(e, "filter", question, 200, rest);
    FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, in));
    ck_assert_str_eq(line,
                     "{\"apiVersion\": \"v1\", \"kind\": \"Binding\", \"metadata\": {\"name\": \"g-0\", "
                     "\"namespace\": \"ai\", \"uid\": \"u-g-0\"}, \"target\": {\"apiVersion\": \"v1\", "
                     "\"kind\": \"Node\", \"name\": \"n2\"}}\n");
    ck_assert_ptr_null(fgets(line, sizeof line, in));
    ck_assert_int_eq(fclose(in), 0);
    ck_assert_int_eq(unlink(path), 0);
    free(body);
    free(question);
    free(cluster);
    extender_destroy(e);
}
END_TEST

/* An answer names so many nodes and no more; the score is of those. */
START_TEST(most_nodes)
{
    struct extender *e = extender_of("extender-cluster", &(struct extender_options){.nodes = 2});
    char *body = file("extender-prioritize");
    check_answer(
        e, "prioritize", body, 200,
        "[{\"Host\":\"n3\",\"Score\":0},{\"Host\":\"n1\",\"Score\":10},{\"Host\":\"n4\",\"Score\":0},"
        "{\"Host\":\"n2\",\"Score\":5}]\n");
    check_answer(
        e, "filter", body, 200,
        "{\"NodeNames\":[\"n1\",\"n2\"],\"FailedNodes\":{\"n3\":\"not among the 2 nodes that the policy "
        "prefers\",\"n4\":\"not among the 2 nodes that the policy prefers\"},"
        "\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}\n");
    free(body);
    extender_destroy(e);
}
END_TEST

/* Another policy spreads: the node with most that is free first. */
START_TEST(another_policy)
{
    struct extender *e =
        extender_of("extender-cluster", &(struct extender_options){.nodes = 16, .policy = "kube-default"});
    char *body = file("extender-prioritize");
    check_answer(
        e, "prioritize", body, 200,
        "[{\"Host\":\"n3\",\"Score\":10},{\"Host\":\"n1\",\"Score\":3},{\"Host\":\"n4\",\"Score\":0},"
        "{\"Host\":\"n2\",\"Score\":6}]\n");
    free(body);
    extender_destroy(e);
}
END_TEST

// clang-format off
static const struct {
    const char *verb, *body;
    int status;
    const char *text;
} wrong[] = {
    {"filter", "{", 400, "request:1:2: the text ends too early"},
    {"filter", "[]", 400, "request: expected an object"},
    {"filter", "{}", 400, "request: expected a Pod"},
    {"filter", "{\"Pod\": {}}", 400, "request: expected Nodes.items, NodeNames"},
    {"filter", "{\"Pod\": {}, \"NodeNames\": 3}", 400, "request: expected Nodes.items, NodeNames"},
    {"filter", "{\"Pod\": {}, \"NodeNames\": [3]}", 400, "request: a node without a name"},
    {"filter", "{\"Pod\": {}, \"NodeNames\": [\"n1\"]}", 200, "\"Error\":\"request: Pod[0]: a pod without metadata.name"},
    {"filter", "{\"Pod\": {\"metadata\": {\"name\": \"p\"}, \"spec\": {\"nodeName\": \"n1\"}}, \"NodeNames\": [\"n1\"]}", 200, "is on a node already"},
    {"filter", "{\"Pod\": {\"metadata\": {\"name\": \"p\"}}, \"NodeNames\": []}", 200, "{\"NodeNames\":[],\"FailedNodes\":{},"},
    {"prioritize", "{\"Pod\": {}, \"NodeNames\": [\"n1\"]}", 503, "a pod without metadata.name"},
    {"snapshot", "{}", 400, "snapshot: expected what 'kubectl get"},
    {"snapshot", "{\"fauxfleet_snapshot\": 1, \"nodes\": [{}]}", 400, "nodes[0]"},
    {"bind", "{}", 200, "does not bind"},
};
// clang-format on

START_TEST(wrong_requests)
{
    struct extender_reply reply;
    struct extender *e = extender_of("extender-cluster", &(struct extender_options){.nodes = 16});
    ck_assert(extender_answer(e, wrong[_i].verb, wrong[_i].body, strlen(wrong[_i].body), &reply));
    ck_assert_msg(reply.status == wrong[_i].status, "%d %s", reply.status, reply.text);
    harness_contains(reply.text, wrong[_i].text);
    free(reply.text);
    // The state is as good as before.
    char *body = file("extender-prioritize");
    check_answer(e, "prioritize", body, 200, exchanges[1].answer);
    free(body);
    extender_destroy(e);
}
END_TEST

START_TEST(without_a_snapshot)
{
    struct extender *e = extender_create(&(struct extender_options){.nodes = 16});
    struct extender_reply reply;
    char *body = file("extender-filter");
    check_answer(e, "filter", body, 200,
                 "{\"Error\":\"there is no snapshot of the cluster yet: POST one to /snapshot\"}\n");
    check_answer(e, "prioritize", body, 503,
                 "there is no snapshot of the cluster yet: POST one to /snapshot\n");
    ck_assert(!extender_answer(e, "filters", body, strlen(body), &reply));
    free(body);
    extender_destroy(e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("extender");
    TCase *tcase = tcase_create("extender");
    tcase_add_loop_test(tcase, recorded_exchanges, 0, ROWS(exchanges));
    tcase_add_test(tcase, bound_pods_count);
    tcase_add_test(tcase, most_nodes);
    tcase_add_test(tcase, another_policy);
    tcase_add_loop_test(tcase, wrong_requests, 0, ROWS(wrong));
    tcase_add_test(tcase, without_a_snapshot);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
