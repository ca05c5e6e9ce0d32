import Foundation

/// Runs a program in a process for which one more authority is among those that the system trusts.
///
/// So all clients can be measured as programs use them, with the more than a hundred authorities of the system, and
/// URLSession on Linux can be measured at all, which trusts no others. The process has a mount namespace in which a
/// longer file covers the system's; no other process sees it, and nothing is installed.
struct TrustingCommand {
    /// The certificate (PEM) of the authority.
    let trustRoots: URL

    /// The file with the authorities that Debian and its descendants trust, and so does URLSession.
    static let systemRoots = "/etc/ssl/certs/ca-certificates.crt"

    /// Whether this process has such a namespace.
    var isInEffect: Bool {
        guard let trusted = FileManager.default.contents(atPath: Self.systemRoots),
            let authority = FileManager.default.contents(atPath: trustRoots.path)
        else { return false }
        return trusted.suffix(authority.count) == authority
    }

    /// Returns a command that runs another one in such a process.
    ///
    /// Returns nil if that isn't possible: it needs `unshare` (util-linux), a kernel that permits namespaces, and a
    /// system with its authorities in the usual file.
    func command(toRun command: [String]) -> [String]? {
        let roots = Self.systemRoots
        let mount = #"""
            set -e
            both=$(mktemp)
            trap 'rm "$both"' EXIT
            cat \#(roots) "$0" > "$both"
            mount --bind "$both" \#(roots)
            rm "$both"
            exec "$@"
            """#
        let prefix = ["/usr/bin/env", "unshare", "--map-root-user", "--mount", "sh", "-c", mount, trustRoots.path]
        return Process.succeeds(prefix + ["true"]) ? prefix + command : nil
    }
}
