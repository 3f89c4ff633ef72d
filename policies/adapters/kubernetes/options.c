/* SPDX-License-Identifier: MIT */
/* The command line; see options.h. */
#include "policies/adapters/kubernetes/options.h"

#include "sim/base/text.h"

#include <getopt.h>
#include <string.h>

const char options_help[] =
    "Usage: fauxfleet-extender [OPTION]...\n"
    "A scheduler extender for Kubernetes: kube-scheduler asks it by HTTP where a pod may go, and a\n"
    "policy of fauxfleet decides, on the last snapshot of the cluster that it was given.\n"
    "\n"
    "  -s, --snapshot=FILE   what 'fauxfleet snapshot' made or 'kubectl get nodes,pods,podgroups,queues\n"
    "                        -A -o json' prints; read again when it has changed. Without it the state\n"
    "                        is what is posted to /snapshot\n"
    "  -p, --policy=NAME|FILE|LIB.so  instead of the snapshot's (runai)\n"
    "  -l, --listen=ADDRESS  IPv4 address to listen on (127.0.0.1); nothing is encrypted, nobody is asked\n"
    "                        who they are\n"
    "      --port=N          port to listen on (8912), 0 for one that is free\n"
    "  -n, --nodes=N         most nodes that an answer names, best first (16); each costs one decision\n"
    "  -b, --bindings=FILE   answer /bind: append each Binding to FILE, one JSON object a line\n"
    "      --max-body=MIB    largest request (64)\n"
    "      --help, --version\n"
    "\n"
    "POST /filter, /prioritize, /preempt and /bind take and give the JSON of\n"
    "k8s.io/kube-scheduler/extender/v1; POST /snapshot takes a new state; GET /healthz says ok.\n"
    "In the configuration of kube-scheduler:\n"
    "\n"
    "  extenders:\n"
    "  - urlPrefix: http://127.0.0.1:8912\n"
    "    filterVerb: filter\n"
    "    prioritizeVerb: prioritize\n"
    "    preemptVerb: preempt\n"
    "    weight: 10\n"
    "    nodeCacheCapable: true\n"
    "    managedResources: [{name: nvidia.com/gpu}]\n"
    "\n"
    "Exit codes: 0 success, 2 wrong usage, 128+n ended by signal n.\n";

enum { PORT = 256, MAX_BODY, HELP, VERSION };

static const struct option rows[] = {
    {"snapshot", required_argument, NULL, 's'     },
    {"policy",   required_argument, NULL, 'p'     },
    {"listen",   required_argument, NULL, 'l'     },
    {"port",     required_argument, NULL, PORT    },
    {"nodes",    required_argument, NULL, 'n'     },
    {"bindings", required_argument, NULL, 'b'     },
    {"max-body", required_argument, NULL, MAX_BODY},
    {"help",     no_argument,       NULL, HELP    },
    {"version",  no_argument,       NULL, VERSION },
    {NULL,       0,                 NULL, 0       },
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
    case HELP:
        return o->help = true;
    case VERSION:
        return o->version = true;
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
    int letter;
    opterr = 0;
    while ((letter = getopt_long(argc, argv, ":s:p:l:n:b:", rows, NULL)) != -1)
        if (!take(o, letter, argv[optind - 1], err))
            return false;
    return optind == argc || err_set(err, EXIT_INPUT, "'%.60s': expected options only", argv[optind]);
}
