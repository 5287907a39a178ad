#include "driftless/io/digest.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

// FIPS 180-4 examples; a million letters is its long message.
TEST(Digest, Sha256OfThePublishedMessages) {
  EXPECT_EQ(find_sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(find_sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(find_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(find_sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4648, section 10.
TEST(Digest, Base64OfTheRfc) {
  const auto encode = [](std::string_view text) {
    std::string out;
    append_base64(out, {reinterpret_cast<const unsigned char*>(text.data()), text.size()});
    return out;
  };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encode("\xff\xfe"), "//4=");
}

}  // namespace
}  // namespace driftless
