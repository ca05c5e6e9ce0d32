import NetworkClient

// snippet.show
struct ItemNotFound: Error, Equatable {
    let id: Int
}

extension ResponseErrorMapper {
    static let shop = ResponseErrorMapper { info in
        guard let problem: Problem = info.error.getError() else { return info.error }
        return ItemNotFound(id: problem.id)
    }
}

// snippet.hide
extension ItemNotFound {
    static let code = Snippet(path: #filePath)
}
