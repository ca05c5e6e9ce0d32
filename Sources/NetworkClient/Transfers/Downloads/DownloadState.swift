import Foundation

/// What has come of a download, and how to go on with it.
struct DownloadState: Sendable {
    var file: PartialFile?
    var validator: Validator?
    var total: Int?
    /// Whether the last request asked for what is missing.
    var hasAsked = false
    var isTaking = false
    /// Whether the file is all that there is.
    var isComplete = false
    /// How to go on with what an ended download has left.
    var left: ResumeToken?

    var token: ResumeToken? {
        if let left { return left }
        guard !isComplete, let file, file.count > 0, let validator else { return nil }
        let name = file.url.lastPathComponent
        return ResumeToken(partialFileName: name, validator: validator.value, total: total)
    }
}
