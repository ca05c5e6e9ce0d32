extension JSONValueDecoder {
    /// Returns the value as a tree, without a decoder and an error for each part.
    func tree() throws -> JSONTree {
        do throws(JSONFault) {
            return try document.tree(Int(index))
        } catch {
            throw error.error(at: path)
        }
    }

    /// Returns the members of an object as trees, without those that can't be decoded.
    func members() throws -> [String: JSONTree] {
        do throws(JSONFault) {
            return try document.members(of: Int(index)) { value throws(JSONFault) in try? document.tree(value) }
        } catch {
            throw error.error(at: path)
        }
    }
}

extension JSONDocument {
    fileprivate func tree(_ index: Int) throws(JSONFault) -> JSONTree {
        let token = token(index)
        switch token.kind {
        case .null: return .null
        case .true: return .boolean(true)
        case .false: return .boolean(false)
        case .string: return .text(try string(token, index))
        case .number: return try number(index)
        case .array:
            var elements: [JSONTree] = []
            elements.reserveCapacity(childCount(index))
            var next = index + 2
            while next < token.end {
                try checkElement(next)
                elements.append(try tree(next))
                next = self.index(afterValue: next)
            }
            return .array(elements)
        case .object:
            return .object(try members(of: index) { value throws(JSONFault) in try tree(value) })
        }
    }

    /// Returns the first value of each key, for which the closure is called and returns a tree.
    fileprivate func members(
        of object: Int,
        _ tree: (Int) throws(JSONFault) -> JSONTree?
    ) throws(JSONFault) -> [String: JSONTree] {
        let token = token(object)
        guard token.is(.object) else { throw .unexpected(token, for: [String: Any].self) }
        var members: [String: JSONTree] = Dictionary(minimumCapacity: childCount(object))
        var names: Set<String> = []
        var key = object + 2
        while key < token.end {
            try checkElement(key)
            let name = try string(self.token(key), key)
            let value = value(ofKey: key)
            key = index(afterValue: value)
            if token.hasUnusualKeys, !names.insert(name).inserted {
                // With a key strategy, JSONDecoder decodes the later values of a name, too.
                if !hasDefaultKeys { _ = try tree(value) }
                continue
            }
            members[name] = try tree(value)
        }
        return members
    }

    /// A number as the first of the types that can hold it: `Int64`, `UInt64`, `Double`.
    private func number(_ index: Int) throws(JSONFault) -> JSONTree {
        let token = token(index)
        if !token.isInteger {
            let double = try Double.decode(self, index)
            if double != double.rounded() { return .number(double) }
        }
        if let integer = try? Int64.decode(self, index) { return .integer(integer) }
        if let unsigned = try? UInt64.decode(self, index) { return .unsigned(unsigned) }
        return .number(try Double.decode(self, index))
    }
}
