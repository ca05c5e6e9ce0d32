import Foundation
import Testing

@testable import NetworkClient

struct SubjectPublicKeyInfoTests {
    /// The output of `openssl pkey -pubout -outform DER` for a key made for this test, and the length of the key at its
    /// end, the part that Security returns.
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keyLength: Int
        let encoded: Data

        init(_ name: String, keyLength: Int, _ encoded: String) {
            testDescription = name
            self.keyLength = keyLength
            self.encoded = Data(base64Encoded: encoded) ?? Data()
        }
    }

    @Test(arguments: vectors) func aKeyIsEncodedLikeByOpenSSL(vector: Vector) {
        let key = Data(vector.encoded.suffix(vector.keyLength))
        #expect(key.count == vector.keyLength)
        #expect(SubjectPublicKeyInfo.encode(key) == vector.encoded)
    }

    @Test func aKeyInTheMiddleOfOtherBytesIsEncoded() throws {
        let vector = try #require(Self.vectors.last)
        let bytes = Data([1, 2, 3]) + vector.encoded
        #expect(SubjectPublicKeyInfo.encode(bytes.suffix(vector.keyLength)) == vector.encoded)
    }

    /// Ed25519 has 32 bytes, a compressed point on P-256 33, and a point on P-224 57.
    @Test(arguments: [(0x04, 32), (0x02, 33), (0x04, 57), (0x04, 66), (0x02, 65), (0x31, 270)])
    func aKeyOfAnotherKindHasNoEncoding(first: UInt8, count: Int) {
        #expect(SubjectPublicKeyInfo.encode(Data([first]) + Data(repeating: 7, count: count - 1)) == nil)
    }

    @Test func noBytesHaveNoEncoding() {
        #expect(SubjectPublicKeyInfo.encode(Data()) == nil)
    }

    private static let lengths: [(Int, [UInt8])] = [
        (0, [0]), (127, [127]), (128, [0x81, 128]), (255, [0x81, 255]), (256, [0x82, 1, 0]), (65_536, [0x83, 1, 0, 0]),
    ]

    @Test(arguments: lengths)
    func aLengthHasAsFewBytesAsPossible(count: Int, length: [UInt8]) {
        let element = SubjectPublicKeyInfo.element(0x30, Data(repeating: 7, count: count))
        #expect(Array(element) == [0x30] + length + [UInt8](repeating: 7, count: count))
    }

    private static let vectors = [
        Vector(
            "RSA with 512 bits",
            keyLength: 74,
            """
            MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALCsf4MO6Gtf+uwc3jRuvnViSSCPSdh0BIBaLKoo3GeQ1GpsxING+qjEBWUhm7Htv2mU\
            65wJ2Bgv68sTdKBKyvsCAwEAAQ==
            """
        ),
        Vector(
            "RSA with 1,024 bits",
            keyLength: 140,
            """
            MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCvgSsdbytpz9sMK03CFhEkaeVumVzztTaWBzB+2FL65m9Vwm8Ephn4GesrL7fI\
            tPP3zxonn4ahrvMafIh+gAIfymlWYjCI+kXfWDxbN7vVqVlPwYl9lCzkb+02HH7jBl5k1mihkTwBOGKsVTuT8ul3JX62YMGf4Ji3\
            ZMPLkUbU9wIDAQAB
            """
        ),
        Vector(
            "RSA with 2,048 bits",
            keyLength: 270,
            """
            MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAudqgfKlnLBbiW3nKSyMM3g0u7zoin+j4UIY3jJ1QOTiaB88hIOmC8o3V\
            1n7sneeI1CrYpHDzkkK3qGvYzxx5M52E+JymZYEqB8XhfcO4UIyc1JvqriOUT0miA70Sn0qTgKUE2co8djTd5zTf+atnnzH3sxZq\
            5CYpqOI4Max/SMGcmT+JFTghCkem0+tRLKBfyuetdqaQVa1OJF1Yoq5hzI0h9k+LCUMOZFslGAskXXeaydEXTxMzqC5PqVsBhKs4\
            D9+0K3T26No7+9sx80cxTxb/9gZGrU8dDFRjcFr6kkxVq5fjOcfRXcOEtoGm5Ip42FZhNfP0VtIOwio6aORtqwIDAQAB
            """
        ),
        Vector(
            "P-256",
            keyLength: 65,
            """
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECdmADo6WRfJUOV0uxbpajn3i1TOyQe4cKthAbRm3KBZhT3OEPtYPvSW6h1B3P4rS\
            X6YVjR1JMq3xf04Y9Yz+tQ==
            """
        ),
        Vector(
            "P-384",
            keyLength: 97,
            """
            MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEm240qaDRnOovsuMm+Kp6SjpKzzE0hXs1S9p4B5t1SoXiu+jQvlSaKZIoFjtr1IVD2jHy\
            op90BBv4ww6Y3wqeQaL+hHpSX2DR1to3kGEs/dgPd0wtrSvrRc7ixQpou3wz
            """
        ),
        Vector(
            "P-521",
            keyLength: 133,
            """
            MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQAVL/ufehxDQ8+VS2OUINVxe6heIVZifaOtEBpViXnh3YC/8Onxkgjdgo9oQkPsawq\
            veaWnLR4CDJbKagbGnZI59gAW5d5tyrU0LpW1pdUCJNA0wbCbim65DYQXvXkya6DMlhHF06QLucNgfJki1Z2np/V0I99Hup/njBb\
            h4dIkNLaD7Q=
            """
        ),
    ]
}
