/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet serve --policy P`: the policy core as a decision service. */
#include "sim/program/command.h"
#include "sim/serve/io.h"

#include "sim/base/text.h"

#include <inttypes.h>
#include <string.h>

/* When the journal is brought to the disk. */
static bool read_sync(const struct cli *cli, int64_t *ms, struct err *err)
{
    const char *text = cli_option(cli, OPT_SYNC);
    *ms = text != NULL && strcmp(text, "never") == 0 ? FACT_LOG_NEVER : 0;
    return text == NULL || *ms == FACT_LOG_NEVER || text_duration_ms(text, strlen(text), ms) ||
           err_set(err, EXIT_INPUT,
                   "--sync '%.64s': expected a time such as 0, 0.5 or 1s, or never", text);
}

static bool read_jump(const struct cli *cli, int64_t *ms, struct err *err)
{
    const char *text = cli_option(cli, OPT_MAX_JUMP);
    return text == NULL || (text_duration_ms(text, strlen(text), ms) && *ms > 0) ||
           err_set(err, EXIT_INPUT,
                   "--max-jump '%.64s': expected a time above 0, such as 1h or 30d", text);
}

/* Prints on stderr what it started from. */
static void say_begun(const struct service *s)
{
    const char *state = s->options.state;
    if (s->log.torn > 0)
        cli_note("%s: the last line was incomplete: %" PRIu64 " bytes are cut off", s->log_path,
                 s->log.torn);
    if (s->log.cut > 0)
        cli_note("%s: the last decision was not written to its end: %" PRIu64
                 " records are cut off",
                 s->log_path, s->log.cut);
    if (s->note != NULL)
        cli_note("%s", s->note);
    if (s->restored > 0 && state != NULL)
        cli_note("%s: %" PRIu64 " facts restored", state, s->restored);
    if (s->replayed > 0)
        cli_note("%s: %" PRIu64 " records decided again", s->log_path, s->replayed);
    if (s->taken_over > 0)
        cli_note("%s: in %" PRIu64
                 " cases the policy decides otherwise than was recorded, which stands",
                 s->log_path, s->taken_over);
}

int cmd_serve(struct cli *cli)
{
    struct err err = {0};
    struct service service;
    const char *socket = cli_option(cli, OPT_SOCKET);
    struct service_options options = {.policy = cli_option(cli, OPT_POLICY),
                                      .seed = cli_number(cli, OPT_SEED, 0),
                                      .journal = cli_option(cli, OPT_JOURNAL),
                                      .state = cli_option(cli, OPT_STATE),
                                      .shadow = cli_given(cli, OPT_SHADOW),
                                      .new_journal = cli_given(cli, OPT_NEW_JOURNAL),
                                      .take_over = cli_given(cli, OPT_TAKE_OVER),
                                      .max_jump_ms = SERVICE_MAX_JUMP_MS};
    if (options.policy == NULL)
        return cli_misuse(cli,
                          "expected --policy: the name of a policy, a shared library or a file");
    if (!read_sync(cli, &options.sync_ms, &err) || !read_jump(cli, &options.max_jump_ms, &err))
        return cli_fail(&err);
    bool ok = service_open(&service, &options, &err);
    if (ok)
        say_begun(&service);
    ok = ok &&
         (socket != NULL ? serve_socket(&service, socket, &err) : serve_standard(&service, &err));
    ok = service_close(&service, &err) && ok;
    return ok ? EXIT_OK : cli_fail(&err);
}
