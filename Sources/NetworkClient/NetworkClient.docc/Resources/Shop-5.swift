import NetworkClient

struct Item: Codable, Equatable, Sendable {
    let id: Int
    let name: String
}

struct NewItem: Codable, Sendable {
    let name: String
}

struct Grant: Codable, Sendable {
    let token: String
}

struct Shop: Sendable {
    let client: NetworkClient

    init(
        store: some CredentialStore = InMemoryCredentialStore(),
        transport: (any Transport)? = nil,
        time: any TimeSource = SystemTimeSource()
    ) throws {
        let server = try URL(http: "https://api.example.com/v1")
        let signIn = NetworkClient(baseURL: server, transport: transport)
        let bearer = AuthenticationScheme.bearer(store: store) { old in
            let form = ["refresh_token": old.refreshToken ?? ""]
            let grant = try await signIn.fetch(
                .post(path: "token").bodyForm(params: form),
                as: Grant.self
            ).item
            return AccessToken(grant.token, refreshToken: old.refreshToken)
        }
        client = NetworkClient(
            baseURL: server,
            transport: transport,
            interceptors: [.retry(), .authentication(bearer)],
            configuration: .init(time: time)
        )
    }

    func items(page: Int) async throws -> [Item] {
        let response = try await client.fetch(
            .get(path: "items")
                .add(query: "page", value: page)
                .set(header: .language(value: "en")),
            as: [Item].self
        )
        return response.item
    }

    func add(_ item: NewItem) async throws -> Item {
        try await client.fetch(
            .post(path: "items").bodyJson(of: item),
            as: Item.self
        ).item
    }

    func item(_ id: Int) async throws -> Item? {
        do {
            return try await client.fetch(
                .get(path: "items/\(id)"),
                as: Item.self
            ).item
        } catch HTTPStatus.notFound {
            return nil
        }
    }
}
