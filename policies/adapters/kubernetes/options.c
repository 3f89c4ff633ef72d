/* SPDX-License-Identifier: MIT */
/* The command line; see options.h. */
#include "policies/adapters/kubernetes/options.h"

#include "policies/adapters/program/program.h"
#include "sim/base/text.h"

#include <string.h>

enum { PORT = PROGRAM_OWN, MAX_BODY };

// clang-format off
static const struct program_option rows[] = {
    {"snapshot", 's',      "FILE",      "what 'fauxfleet snapshot' made or 'kubectl get nodes,pods,podgroups,queues -A -o json' prints; read again when it has changed. Without it the state is what is posted to /snapshot"},
    {"policy",   'p',      "NAME|FILE", "a preset, a JSON file with name and options or a shared library, instead of the snapshot's (runai)"},
    {"listen",   'l',      "ADDRESS",   "IPv4 address to listen on (127.0.0.1); nothing is encrypted, nobody is asked who they are"},
    {"port",     PORT,     "N",         "port to listen on (8912), 0 for one that is free"},
    {"nodes",    'n',      "N",         "most nodes that an answer names, best first (16); each costs one decision"},
    {"bindings", 'b',      "FILE",      "answer /bind: append each Binding to FILE, one JSON object a line"},
    {"max-body", MAX_BODY, "MIB",       "largest request (64)"},
    PROGRAM_OPTIONS
};
// clang-format on

static const struct program program = {
    .name = "fauxfleet-extender",
    .version = FAUXFLEET_VERSION,
    .summary = "a scheduler extender for Kubernetes that decides by a policy of fauxfleet",
    .text =
        "kube-scheduler asks it by HTTP where a pod may go, and a policy of fauxfleet decides, on the last "
        "snapshot "
        "of the cluster that it was given.\n"
        "\n"
        "POST /filter, /prioritize, /preempt and /bind take and give the JSON of "
        "k8s.io/kube-scheduler/extender/v1; POST /snapshot takes a new state; GET /healthz says ok. In the "
        "configuration of kube-scheduler:\n"
        "\n"
        "  extenders:\n"
        "  - urlPrefix: http://127.0.0.1:8912\n"
        "    filterVerb: filter\n"
        "    prioritizeVerb: prioritize\n"
        "    preemptVerb: preempt\n"
        "    weight: 10\n"
        "    nodeCacheCapable: true\n"
        "    managedResources: [{name: nvidia.com/gpu}]\n",
    .exit_codes = "0 success, 2 wrong usage, 128+n ended by signal n.",
    .options = rows,
};

static bool number(const char *option, int64_t low, int64_t high, int64_t *value, struct err *err)
{
    return (text_i64(optarg, strlen(optarg), value) && *value >= low && *value <= high) ||
           err_set(err, EXIT_INPUT, "--%s: '%.40s', expected a whole number from %lld to %lld", option,
                   optarg, (long long)low, (long long)high);
}

static bool take(struct options *o, int letter, const char *word, struct err *err)
{
    int64_t value;
    switch (letter) {
    case 's':
        o->server.snapshot = optarg;
        return true;
    case 'p':
        o->extender.policy = optarg;
        return true;
    case 'l':
        o->server.address = optarg;
        return true;
    case 'b':
        o->extender.bindings = optarg;
        return true;
    case PORT:
        if (!number("port", 0, UINT16_MAX, &value, err))
            return false;
        o->server.port = (uint16_t)value;
        return true;
    case 'n':
        if (!number("nodes", 1, 100000, &value, err))
            return false;
        o->extender.nodes = (size_t)value;
        return true;
    case MAX_BODY:
        if (!number("max-body", 1, 1024, &value, err))
            return false;
        o->server.body_bytes = (size_t)value << 20;
        return true;
    default:
        return err_set(err, EXIT_INPUT, "'%.60s' is no option, or lacks its argument", word);
    }
}

bool options_parse(struct options *o, int argc, char **argv, struct err *err)
{
    *o = (struct options){
        .extender = {.nodes = 16         },
        .server = {
                     .address = "127.0.0.1", .port = 8912, .body_bytes = (size_t)64 << 20, .request_ms = 30000}
    };
    struct option table[PROGRAM_MOST];
    char letters[2 * PROGRAM_MOST + 1] = ":"; /* it says itself what is wrong */
    program_getopt(&program, table, letters + 1);
    opterr = 0;
    for (int letter; (letter = getopt_long(argc, argv, letters, table, NULL)) != -1;) {
        bool printed;
        o->is_answered = program_answers(&program, letter, optarg, stdout, &printed);
        if (o->is_answered)
            return printed ||
                   err_set(err, EXIT_INPUT, "--completion: '%.40s', expected bash, zsh or fish", optarg);
        if (!take(o, letter, argv[optind - 1], err))
            return false;
    }
    return optind == argc || err_set(err, EXIT_INPUT, "'%.60s': expected options only", argv[optind]);
}
