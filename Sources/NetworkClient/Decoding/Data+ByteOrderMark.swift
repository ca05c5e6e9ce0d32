import Foundation

extension Data {
    /// The bytes after EF BB BF, if they begin with it.
    var withoutUTF8ByteOrderMark: Data {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    }
}
