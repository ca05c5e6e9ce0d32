import Foundation

/// Runs a program in a process that sees another file in place of the system's trusted authorities.
///
/// URLSession on Linux trusts the authorities in one file of the system's, and no others. The process has a mount
/// namespace in which a file of the caller's covers that file; no other process sees it, and nothing is installed.
struct TrustingCommand {
    /// The certificates (PEM) of the authorities.
    let trustRoots: URL

    private static let systemRoots = "/etc/ssl/certs/ca-certificates.crt"

    /// Whether this process already trusts exactly these authorities.
    var isInEffect: Bool {
        guard let trusted = FileManager.default.contents(atPath: Self.systemRoots) else { return false }
        return trusted == FileManager.default.contents(atPath: trustRoots.path)
    }

    /// Returns a command that runs another one in such a process.
    ///
    /// Returns nil if that isn't possible: it needs `unshare` (util-linux), a kernel that permits namespaces, and a
    /// system with its authorities in the usual file.
    func command(toRun command: [String]) -> [String]? {
        let mount = #"mount --bind "$0" \#(Self.systemRoots) && exec "$@""#
        let prefix = ["/usr/bin/env", "unshare", "--map-root-user", "--mount", "sh", "-c", mount, trustRoots.path]
        return succeeds(prefix + ["true"]) ? prefix + command : nil
    }

    private func succeeds(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}
