/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 against the example vectors of FIPS 180-4. */
#include "sim/base/digest.h"
#include "tests/lib/harness.h"

#include <string.h>

static const struct {
    const char *text, *hex;
} vectors[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

START_TEST(published_vectors)
{
    struct digest digest;
    char hex[DIGEST_HEX];
    digest_init(&digest);
    digest_add(&digest, vectors[_i].text, strlen(vectors[_i].text));
    digest_hex(&digest, hex);
    ck_assert_str_eq(hex, vectors[_i].hex);
    char head[DIGEST_SHORT];
    digest_short(&digest, head);
    ck_assert_uint_eq(strlen(head), DIGEST_SHORT - 1);
    ck_assert(strncmp(head, vectors[_i].hex, DIGEST_SHORT - 1) == 0);
}
END_TEST

START_TEST(a_look_in_between_changes_nothing)
{
    struct digest digest;
    char hex[DIGEST_HEX];
    digest_init(&digest);
    digest_add(&digest, "a", 1);
    digest_hex(&digest, hex);
    ck_assert_str_eq(hex, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb");
    digest_add(&digest, "", 0);
    digest_add(&digest, "bc", 2);
    digest_hex(&digest, hex);
    ck_assert_str_eq(hex, vectors[1].hex);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("digest");
    TCase *tcase = tcase_create("digest");
    tcase_add_loop_test(tcase, published_vectors, 0, ROWS(vectors));
    tcase_add_test(tcase, a_look_in_between_changes_nothing);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
