/// The strategies of a `JSONDecoder`.
package struct JSONOptions: Sendable {
    var keys = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
    var dates = JSONDecoder.DateDecodingStrategy.deferredToDate
    var data = JSONDecoder.DataDecodingStrategy.base64
    var nonConformingFloats = JSONDecoder.NonConformingFloatDecodingStrategy.throw

    package init() {}

    /// Reads the strategies of a decoder; nil if only Foundation can decode with its settings.
    ///
    /// These settings are JSON5, objects without braces, a subclass, and unknown strategies.
    package init?(_ decoder: JSONDecoder) {
        guard type(of: decoder) == JSONDecoder.self, !decoder.allowsJSON5, !decoder.assumesTopLevelDictionary else {
            return nil
        }
        keys = decoder.keyDecodingStrategy
        dates = decoder.dateDecodingStrategy
        data = decoder.dataDecodingStrategy
        nonConformingFloats = decoder.nonConformingFloatDecodingStrategy
        guard hasKnownStrategies else { return nil }
    }

    /// Whether every strategy is known to this type.
    private var hasKnownStrategies: Bool {
        switch keys {
        case .useDefaultKeys, .convertFromSnakeCase, .custom: break
        @unknown default: return false
        }
        switch dates {
        case .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .custom: break
        #if canImport(Darwin)
        case .formatted: return false
        #endif
        @unknown default: return false
        }
        switch data {
        case .deferredToData, .base64, .custom: break
        @unknown default: return false
        }
        switch nonConformingFloats {
        case .throw, .convertFromString: return true
        @unknown default: return false
        }
    }
}
