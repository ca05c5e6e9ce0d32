/// The fields of a form body by name.
///
/// A value is a string, a number, a Boolean, a date, a URL, a UUID, any other `Encodable`, an array or a dictionary of
/// these, or an optional of any of them.
public typealias Params = [String: Any]
