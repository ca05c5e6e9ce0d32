extension Vector {
    private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    private static let form = "application/x-www-form-urlencoded"

    private static let longToken = """
        AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfp\
        SPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQ\
        DYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+s\
        cqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==
        """

    static let all = [
        Vector(
            "get-header-key-duplicate",
            "GET",
            "/",
            fields: [("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")],
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"
        ),
        Vector(
            "get-header-value-multiline",
            "GET",
            "/",
            fields: [("My-Header1", "value1\n  value2\n     value3")],
            signature: "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd"
        ),
        Vector(
            "get-header-value-order",
            "GET",
            "/",
            fields: [
                ("My-Header1", "value4"), ("My-Header1", "value1"), ("My-Header1", "value3"), ("My-Header1", "value2"),
            ],
            signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"
        ),
        Vector(
            "get-header-value-trim",
            "GET",
            "/",
            fields: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
        ),
        Vector(
            "get-relative-normalized",
            "GET",
            "/example/..",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Vector(
            "get-relative-relative-normalized",
            "GET",
            "/example1/example2/../..",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Vector(
            "get-relative-relative-unnormalized",
            "GET",
            "/example1/example2/../..",
            isNormalized: false,
            signature: "dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b"
        ),
        Vector(
            "get-relative-unnormalized",
            "GET",
            "/example/..",
            isNormalized: false,
            signature: "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282"
        ),
        Vector(
            "get-slash-dot-slash-normalized",
            "GET",
            "/./",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Vector(
            "get-slash-dot-slash-unnormalized",
            "GET",
            "/./",
            isNormalized: false,
            signature: "68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145"
        ),
        Vector(
            "get-slash-normalized",
            "GET",
            "//",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Vector(
            "get-slash-pointless-dot-normalized",
            "GET",
            "/./example",
            signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"
        ),
        Vector(
            "get-slash-pointless-dot-unnormalized",
            "GET",
            "/./example",
            isNormalized: false,
            signature: "beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff"
        ),
        Vector(
            "get-slash-unnormalized",
            "GET",
            "//",
            isNormalized: false,
            signature: "c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e"
        ),
        Vector(
            "get-slashes-normalized",
            "GET",
            "//example//",
            signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"
        ),
        Vector(
            "get-slashes-unnormalized",
            "GET",
            "//example//",
            isNormalized: false,
            signature: "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5"
        ),
        Vector(
            "get-space-normalized",
            "GET",
            "/example space/",
            signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"
        ),
        Vector(
            "get-space-unnormalized",
            "GET",
            "/example space/",
            isNormalized: false,
            signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"
        ),
        Vector(
            "get-unreserved",
            "GET",
            "/\(unreserved)",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"
        ),
        Vector(
            "get-utf8",
            "GET",
            "/\u{1234}",
            signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"
        ),
        Vector(
            "get-vanilla",
            "GET",
            "/",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Vector(
            "get-vanilla-empty-query-key",
            "GET",
            "/?Param1=value1",
            signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"
        ),
        Vector(
            "get-vanilla-query",
            "GET",
            "/",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Vector(
            "get-vanilla-query-order-encoded",
            "GET",
            "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
            signature: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"
        ),
        Vector(
            "get-vanilla-query-order-key-case",
            "GET",
            "/?Param2=value2&Param1=value1",
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
        Vector(
            "get-vanilla-query-unreserved",
            "GET",
            "/?\(unreserved)=\(unreserved)",
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"
        ),
        Vector(
            "get-vanilla-utf8-query",
            "GET",
            "/?\u{1234}=bar",
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"
        ),
        Vector(
            "get-vanilla-with-session-token",
            "GET",
            "/",
            token: "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267",
            signature: "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8"
        ),
        Vector(
            "post-header-key-case",
            "POST",
            "/",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        Vector(
            "post-header-key-sort",
            "POST",
            "/",
            fields: [("My-Header1", "value1")],
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"
        ),
        Vector(
            "post-header-value-case",
            "POST",
            "/",
            fields: [("My-Header1", "VALUE1")],
            signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"
        ),
        Vector(
            "post-sts-header-after",
            "POST",
            "/",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        Vector(
            "post-sts-header-before",
            "POST",
            "/",
            token: longToken,
            signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"
        ),
        Vector(
            "post-vanilla",
            "POST",
            "/",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        Vector(
            "post-vanilla-empty-query-value",
            "POST",
            "/?Param1=value1",
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"
        ),
        Vector(
            "post-vanilla-query",
            "POST",
            "/?Param1=value1",
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"
        ),
        Vector(
            "post-x-www-form-urlencoded",
            "POST",
            "/",
            fields: [("Content-Type", form), ("Content-Length", "13")],
            body: "Param1=value1",
            signsDigest: true,
            signature: "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b"
        ),
        Vector(
            "post-x-www-form-urlencoded-parameters",
            "POST",
            "/",
            fields: [("Content-Type", "\(form); charset=utf-8"), ("Content-Length", "13")],
            body: "Param1=value1",
            signsDigest: true,
            signature: "328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422"
        ),
    ]
}
