#if canImport(ObjectiveC)
package import Foundation

/// What CFNetwork asks of a stream that it takes for a `CFReadStream`.
///
/// On Apple platforms `InputStream` and `CFReadStream` are one, and the calls of the latter arrive at a subclass as
/// messages that no header declares. Without an answer to them the process ends with an unrecognised selector. Nothing
/// has to be scheduled or called back, since bytes can be asked for at any time; false says so, after which CFNetwork
/// reads without waiting for events, as it does with AFNetworking's `AFMultipartBodyStream`, from where this
/// behaviour is known.
extension UnscheduledInputStream {
    package override func property(forKey key: Stream.PropertyKey) -> Any? {
        nil
    }

    package override func setProperty(_ property: Any?, forKey key: Stream.PropertyKey) -> Bool {
        false
    }

    @objc(_scheduleInCFRunLoop:forMode:)
    func scheduleInCFRunLoop(_ runLoop: CFRunLoop?, forMode mode: CFString?) {}

    @objc(_unscheduleFromCFRunLoop:forMode:)
    func unscheduleFromCFRunLoop(_ runLoop: CFRunLoop?, forMode mode: CFString?) {}

    @objc(_setCFClientFlags:callback:context:)
    func setCFClientFlags(
        _ flags: CFOptionFlags,
        callback: CFReadStreamClientCallBack?,
        context: UnsafeMutablePointer<CFStreamClientContext>?
    ) -> Bool {
        false
    }
}
#endif
