import NetworkClientMacros

/// The code in the README of NetworkKit 1.x, with this library's names of types.
enum NetworkKit {
    struct User: Codable, Sendable {
        let name: String
        let email: String
    }

    struct UserPatch: Codable, Sendable {
        let name: String
    }

    // Quick start

    @Get("/users/:id")
    struct GetUserRequest {
        @Path
        var id: String

        @Query
        var includePosts: Bool
    }

    static func fetchUser(_ client: NetworkClient) async throws -> User {
        let request = GetUserRequest(
            id: "123",
            includePosts: true
        )
        let response = try await client.fetch(request, as: User.self)
        let user = response.item
        return user
    }

    // Methods

    @Get("/users")
    struct GetUsersRequest {
        @Query
        var page: Int

        @Query
        var limit: Int
    }

    @Post("/users")
    struct CreateUserRequest {
        struct Body: Encodable {
            let name: String
            let email: String
        }

        let body: Body
    }

    @Put("/users/:id")
    struct UpdateUserRequest {
        @Path
        var id: String

        let body: User
    }

    @Delete("/users/:id")
    struct DeleteUserRequest {
        @Path
        var id: String
    }

    @Patch("/users/:id")
    struct PatchUserRequest {
        @Path
        var id: String

        let body: UserPatch
    }

    @Head("/users/:id")
    struct CheckUserRequest {
        @Path
        var id: String
    }

    @Options("/users")
    struct OptionsUserRequest {
    }

    @Connect("/proxy")
    struct ConnectProxyRequest {
        @Query
        var host: String

        @Query
        var port: Int
    }

    @Trace("/debug")
    struct TraceRequest {
    }

    // Path and query

    @Get("/users/:id/posts/:postId")
    struct GetPostRequest {
        @Path
        var id: String

        @Path
        var postId: String
    }

    @Get("/search")
    struct SearchRequest {
        @Query
        var query: String

        @Query
        var page: Int

        @Query
        var limit: Int
    }

    enum NamedQuery {
        @Get("/search")
        struct SearchRequest {
            @Query("q")
            var query: String
        }
    }

    // Body

    enum JSONBody {
        @Post("/users")
        struct CreateUserRequest {
            struct Body: Encodable {
                let name: String
                let email: String
                let age: Int
            }

            let body: Body
        }
    }

    @Post("/upload")
    struct UploadDataRequest {
        let body: Data
    }

    @Post("/upload")
    struct UploadRequest {
        let body: MultipartForm

        init(fileData: Data, fileName: String, description: String) {
            self.body = MultipartForm {
                MultipartPart(
                    name: "file",
                    data: fileData,
                    filename: fileName,
                    type: .jpeg
                )
                MultipartPart(name: "description", text: description)
            }
        }
    }

    struct CustomBody: RequestBody {
        let content: String

        var mediaType: MediaType? { "text/plain" }

        func makeContent() throws -> RequestContent {
            let data = content.data(using: .utf8) ?? Data()
            return .data(data)
        }
    }

    @Post("/custom")
    struct CustomRequest {
        let body: CustomBody
    }

    // Headers

    @Get("/me")
    struct GetMeRequest {
        let headers: [String: String?] = [
            "Authorization": "Bearer your-token"
        ]
    }

    // Client

    struct AuthMiddleware: InterceptorProtocol {
        let token: String

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            var request = request
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            return try await next(request)
        }
    }

    struct RetryInterceptor: InterceptorProtocol {
        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            let (data, response) = try await next(request)
            guard response.statusCode == 403 else { return (data, response) }
            // Add retry logic here
            return try await next(request)
        }
    }
}
