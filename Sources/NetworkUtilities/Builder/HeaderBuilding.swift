/// A builder to which header fields can be given, at whichever stage: `URLRequest.HeaderBuilder` is any of these.
///
/// For functions that add fields to what the caller has begun; there is no need to write a type of your own.
public protocol HeaderBuilding: ResultBuilding {
    /// Adds a value to a header field.
    ///
    /// - Parameter header: The field.
    /// - Returns: The header stage.
    func add(header: HeaderField) -> RequestBuilder<HeaderStage>

    /// Sets a header field, in place of any of that name.
    ///
    /// - Parameter header: The field.
    /// - Returns: The header stage.
    func set(header: HeaderField) -> RequestBuilder<HeaderStage>

    /// Adds each field in turn.
    ///
    /// - Parameter headers: The fields.
    /// - Returns: The header stage.
    func add(headers: [HeaderField]) -> RequestBuilder<HeaderStage>

    /// Sets each field in turn.
    ///
    /// - Parameter headers: The fields.
    /// - Returns: The header stage.
    func set(headers: [HeaderField]) -> RequestBuilder<HeaderStage>

    /// Sets the fields of a block, in place of any of their names.
    ///
    /// - Parameter fields: Gives the fields.
    /// - Returns: The header stage.
    /// - Throws: What the block throws.
    func headers(@HeaderFieldsBuilder _ fields: () throws -> [HeaderField]) rethrows -> RequestBuilder<HeaderStage>
}
