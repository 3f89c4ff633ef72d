/* SPDX-License-Identifier: MIT */
/* fauxfleet-extender: reads the command line, starts the server, and waits for a signal that ends it. */
#include "policies/adapters/kubernetes/options.h"

#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>

#define EXIT_BY_SIGNAL 128

static int fail(const struct err *err)
{
    (void)fprintf(stderr, "fauxfleet-extender: %s\n", err->msg);
    return err->code;
}

/* The signals that end it are blocked in all threads, and waited for here. A broken connection is no reason to end. */
static void block(sigset_t *ending)
{
    (void)sigemptyset(ending);
    (void)sigaddset(ending, SIGINT);
    (void)sigaddset(ending, SIGTERM);
    (void)sigaddset(ending, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, ending, NULL);
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    (void)sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, NULL); /* an error of the write */
}

static int serve(const struct options *options)
{
    struct err err = {.msg = ""};
    sigset_t ending;
    int signal = 0;
    block(&ending);
    struct extender *extender = extender_create(&options->extender);
    struct server *server =
        extender_check(extender, &err) ? server_start(extender, &options->server, &err) : NULL;
    if (server) {
        (void)fprintf(stderr, "fauxfleet-extender: listening on %s:%u\n", options->server.address,
                      (unsigned)server_port(server));
        (void)sigwait(&ending, &signal);
        server_stop(server);
    }
    extender_destroy(extender);
    return server ? EXIT_BY_SIGNAL + signal : fail(&err);
}

int main(int argc, char **argv)
{
    struct options options;
    struct err err = {.msg = ""};
    (void)gsl_set_error_handler_off();
    if (!options_parse(&options, argc, argv, &err)) {
        (void)fail(&err);
        (void)fprintf(stderr, "Try 'fauxfleet-extender --help'.\n");
        return EXIT_INPUT;
    }
    if (options.is_answered)
        return fflush(stdout) == 0 ? EXIT_OK : EXIT_INPUT;
    return serve(&options);
}
