#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What SECURITY.md says of boundaries, as far as it needs a test of its own; the other claims are
# tested by serve.sh (the socket, its clients), gate.sh, plugins.sh and the fuzz targets.
# shellcheck disable=SC2016,SC2317
. tests/e2e/lib/tap.sh

# --- no network ---
if command -v readelf >/dev/null; then
    readelf --dyn-syms -W "$BIN" >"$tmp/symbols"
    check "the program can resolve no names" eval '! grep -qE " (getaddrinfo|gethostby|getnameinfo|res_|inet_)" "$tmp/symbols"'
fi
grep -rnE 'AF_INET|PF_INET|AF_NETLINK|AF_PACKET|SOCK_RAW' policies report scenarios sim traces >"$tmp/out"
check "and knows Unix sockets only" silent out

# --- JSON ---
deep=$(printf '%25s' '' | tr ' ' '[')
printf '{"fauxfleet_scenario": 1, "name": %s' "$deep" >"$tmp/deep.json"
run run --check "$tmp/deep.json"
check "JSON that is 25 levels deep is refused" eval 'status_is 2 && says err "deep"'
{ printf '{"fauxfleet_scenario": 1, "description": "'; head -c 8388608 /dev/zero | tr '\0' x; printf '"}'; } >"$tmp/large.json"
run run --check "$tmp/large.json"
check "so is a scenario above 8 MiB" eval 'status_is 2 && says err "larger than 8 MiB"'
rm "$tmp/large.json"

# --- files of the service ---
(
    umask 0
    printf '{"do": "decide", "t_ms": 0}\n' >"$tmp/asked"
    "$BIN" serve --policy fifo --journal "$tmp/journal" --state "$tmp/state" <"$tmp/asked"
    "$BIN" serve --policy fifo --state "$tmp/alone" <"$tmp/asked"
) >"$tmp/out" 2>"$tmp/err"
check "other users may not read a journal, a state or the log beside one" equal \
    "$(stat -c %a "$tmp/journal" "$tmp/state" "$tmp/alone" "$tmp/alone.log" | tr '\n' ' ')" "600 600 600 600 "

# --- pages ---
run run scenarios/examples/demo.json -o "$tmp/run" --quiet
cp "$tmp/run/report.html" "$tmp/run.html"
run compare "$tmp/run" "$tmp/run" -o "$tmp/compare.html"
for page in run compare; do
    check "the page of $page lets nothing be loaded" grep -q "Content-Security-Policy\" content=\"default-src 'none'" "$tmp/$page.html"
    check "and asks for nothing" eval '! grep -qiE "<script|<iframe|<object|<link|(src|href)=\"(https?:|//)|url\((https?:|//)|@import" "$tmp/$page.html"'
done
finish
