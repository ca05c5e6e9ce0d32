/// What a visitor wrote into the guestbook, as `POST /guestbook` understood the form.
struct GuestbookEntry: Codable, Hashable, Sendable {
    let name: String
    let message: String
    let cups: Int
}
