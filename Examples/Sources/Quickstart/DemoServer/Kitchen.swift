/// Where pots of tea are made: every request for one waits until the tour has the pot released.
actor Kitchen {
    /// The requests for one pot.
    struct Orders {
        let requests = Tally()
        let release = Tally()
    }

    private var orders: [String: Orders] = [:]

    /// The requests for the pot of that name.
    func orders(for pot: String) -> Orders {
        if let known = orders[pot] { return known }
        let new = Orders()
        orders[pot] = new
        return new
    }
}
