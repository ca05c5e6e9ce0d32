#if os(Linux)
/// Members of every scalar type.
struct Scalars: Decodable, Equatable {
    var bool: Bool, string: String, double: Double, float: Float
    var int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64, int128: Int128
    var uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64, uint128: UInt128

    static let json = """
        {"bool": true, "string": "s", "double": 1.25e-7, "float": 3.4e38, "int": -1, "int8": -128, "int16": 32767, \
        "int32": 1e3, "int64": -9223372036854775808, "int128": 170141183460469231731687303715884105727, \
        "uint": 18446744073709551615, "uint8": 255.0, "uint16": 0, "uint32": 4294967295, "uint64": 9007199254740993, \
        "uint128": 340282366920938463463374607431768211455}
        """
}
#endif
