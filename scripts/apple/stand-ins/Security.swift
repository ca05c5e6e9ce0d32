@_exported import CoreFoundation
import Dispatch
// Sendable in no header of Apple's that could be consulted.
public final class SecCertificate {}
public final class SecIdentity {}
public final class SecKey {}
public final class SecTrust {}
public var errSecSuccess: OSStatus { 0 }
public var errSecAuthFailed: OSStatus { -25293 }
public var errSecPkcs12VerifyFailure: OSStatus { -25264 }
@available(macOS 10.3, iOS 2.0, tvOS 2.0, watchOS 2.0, *)
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
@available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 5.0, *)
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }
@available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, *)
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }
@available(macOS 10.3, iOS 2.0, tvOS 2.0, watchOS 2.0, *)
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { 0 }
@available(macOS 10.6, iOS 2.0, tvOS 2.0, watchOS 2.0, *)
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus { 0 }
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust,
    _ queue: DispatchQueue,
    _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus { 0 }
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
@available(macOS 10.6, iOS 2.0, tvOS 2.0, watchOS 2.0, *)
public func SecPKCS12Import(
    _ pkcs12_data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { 0 }
@available(macOS 10.6, iOS 2.0, tvOS 2.0, watchOS 2.0, *)
public let kSecImportExportPassphrase: CFString = { fatalError() }()
@available(macOS 10.6, iOS 2.0, tvOS 2.0, watchOS 2.0, *)
public let kSecImportItemIdentity: CFString = { fatalError() }()
@available(macOS 10.6, iOS 2.0, tvOS 2.0, watchOS 2.0, *)
public let kSecImportItemCertChain: CFString = { fatalError() }()
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
public let kSecImportToMemoryOnly: CFString = { fatalError() }()
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv10 = 0x0301
    case TLSv11 = 0x0302
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
    case DTLSv10 = 0xfeff
    case DTLSv12 = 0xfefd
}
