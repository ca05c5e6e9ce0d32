#if os(Linux)
import Testing

@testable import JSONDecoding
@testable import NetworkClient

/// Numbers that readers get wrong, after the kinds of parse-number-fxx-test-data (Nigel Tao).
///
/// They are halves between neighbours, a digit above them, the smallest, the subnormal, the greatest, and long ones.
struct JSONNumberTests {
    private struct Case: Decodable {
        let text: String
        /// The bits of the nearest `Double` and `Float`.
        ///
        /// Nil for a number that is refused, as by `JSONDecoder`: beyond the greatest, or too small for all but 0.
        let double: UInt64?
        let float: UInt32?
    }

    /// Makes the texts with exact arithmetic: Python's integers have any length.
    private static let script = #"""
        import json, random, struct, sys
        from fractions import Fraction
        random.seed(int(sys.stdin.read()))

        def text(value):
            """The exact digits of a fraction whose denominator is a power of two."""
            shift = value.denominator.bit_length() - 1
            digits = str(value.numerator * 5 ** shift)
            if random.random() < 0.5:
                return digits + ("e-%d" % shift if shift else "")
            digits = digits.rjust(shift + 1, "0")
            return digits[:len(digits) - shift] + ("." + digits[len(digits) - shift:] if shift else "")

        def bits(value, precision, least, greatest):
            """The bits of the nearest float, ties to even; None if it is too great or too small."""
            if value == 0:
                return 0
            size = value.numerator.bit_length() - value.denominator.bit_length()
            if value < Fraction(2) ** size:
                size -= 1
            exponent = max(size - precision + 1, least)
            unit = Fraction(2) ** exponent
            integer, rest = divmod(value, unit)
            if rest * 2 > unit or rest * 2 == unit and integer % 2:
                integer += 1
            if integer == 2 ** precision:
                integer, exponent = integer // 2, exponent + 1
            if exponent > greatest or integer == 0:
                return None
            hidden = 2 ** (precision - 1)
            return integer if integer < hidden else (exponent - least + 1) * hidden + integer - hidden

        def neighbour(precision, least, greatest):
            exponent = random.choice([least, least + 1, greatest, -precision, 0, random.randint(least, greatest)])
            low = 0 if exponent == least else 2 ** (precision - 1)
            top = 2 ** precision - 1
            return random.choice([low, low + 1, top, random.randint(low, top)]), exponent

        cases = []
        for precision, least, greatest in [(53, -1074, 971), (24, -149, 104)] * 150:
            integer, exponent = neighbour(precision, least, greatest)
            half = (integer + Fraction(1, 2)) * Fraction(2) ** exponent
            for value in [integer * Fraction(2) ** exponent, half]:
                exact = text(value)
                cases.append(exact)
                if "e" not in exact and value:
                    point = "" if "." in exact else "."
                    cases.append(exact + point + random.choice(["1", "0" * 30 + "1", "0" * 800 + "1", "0" * 20]))
        for _ in range(300):
            digits = "".join(random.choice("0123456789") for _ in range(random.randint(1, 40))).lstrip("0") or "0"
            cases.append("%s.%se%d" % (digits, digits, random.randint(-330, 310)))
        def value(text):
            mantissa, _, exponent = text.partition("e")
            return Fraction(mantissa) * Fraction(10) ** int(exponent or 0)

        print(json.dumps([{"text": t, "double": bits(value(t), 53, -1074, 971),
                           "float": bits(value(t), 24, -149, 104)} for t in cases]))
        """#

    @Test(.spec(216), .python, arguments: 1...3)
    func aNumberIsTheNearestOneToTheLastBit(seed: Int) throws {
        let cases: [Case] = try Python.run(Self.script, input: Data("\(seed)".utf8))
        #expect(cases.count > 1_000)
        let decoder = NativeJSONDecoder(options: JSONOptions())
        for number in cases {
            let text = Data("[-\(number.text)]".utf8)
            let double = try? decoder.decode([Double].self, from: text).first?.magnitude.bitPattern
            let float = try? decoder.decode([Float].self, from: text).first?.magnitude.bitPattern
            #expect(double == number.double && float == number.float, "\(number)")
        }
    }
}
#endif
