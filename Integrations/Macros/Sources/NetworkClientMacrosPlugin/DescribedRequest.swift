import SwiftSyntax
import SwiftSyntaxMacros

/// The request that the properties of a struct describe.
struct DescribedRequest {
    private let declaration: StructDeclSyntax
    private let verb: Verb
    private let context: any MacroExpansionContext

    /// The parts of the request, in the order of the declarations.
    private var properties: [RequestProperty] = []

    /// The stored properties that are no part of the request.
    private var unmarked: [(property: RequestProperty, variable: VariableDeclSyntax)] = []

    /// The expression for more header fields; nil if the struct has no property `headers`.
    private var headers: String?

    /// The names in the code of each member that has some, by the name of the member.
    private var namesInCode: [String: Set<String>] = [:]

    /// The members whose code a call runs: `value(from:)`, and the computed properties that are parts of the request.
    private var runMembers: Set<String> = []

    /// The names of marked properties that were refused, which the path may have.
    private var refusedNames: Set<String> = []

    init(of declaration: StructDeclSyntax, verb: Verb, in context: some MacroExpansionContext) {
        self.declaration = declaration
        self.verb = verb
        self.context = context
        for member in declaration.memberBlock.members.map(\.decl) {
            if member.is(IfConfigDeclSyntax.self) {
                context.report("#if in the struct of a request is not read: write it in an extension", at: member)
            }
            if let function = member.as(FunctionDeclSyntax.self), let body = function.body { read(body, of: function) }
            guard let variable = member.as(VariableDeclSyntax.self) else { continue }
            for binding in variable.bindings { read(binding, of: variable) }
        }
    }

    private mutating func read(_ body: CodeBlockSyntax, of function: FunctionDeclSyntax) {
        let (name, parameters) = (function.name.plainText, function.signature.parameterClause.parameters)
        let names = body.names.subtracting(parameters.map { ($0.secondName ?? $0.firstName).plainText })
        namesInCode[name, default: []].formUnion(names)
        // Its own key, since a call runs no other function of that name.
        guard name == "value", parameters.first?.firstName.text == "from" else { return }
        namesInCode["value(from:)"] = names
        runMembers.insert("value(from:)")
    }

    private mutating func read(_ binding: PatternBindingSyntax, of variable: VariableDeclSyntax) {
        let marks = variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
        let marked = marks.compactMap { RequestProperty(binding, mark: $0) }
        let property = marked.first ?? RequestProperty(binding)
        let isPart = !marked.isEmpty || ["body", "headers", "options"].contains(property.label)
        if !binding.isStored, let code = binding.accessorBlock {
            namesInCode[property.plainLabel] = code.names
            if isPart { runMembers.insert(property.plainLabel) }
        }
        guard check(marked, binding, of: variable, isPart: isPart) else {
            refusedNames.insert(property.name)
            return
        }
        properties += marked.prefix(1)
        guard marked.isEmpty else { return }
        switch property.label {
        case "body": properties.append(property)
        case "headers": headers = binding.isThrowing ? "try self.headers" : "self.headers"
        case "options": break
        default: if binding.isStored { unmarked.append((property, variable)) }
        }
    }

    /// Reports what a property of the struct cannot be; returns whether the property may be a part of the request.
    private func check(
        _ marked: [RequestProperty],
        _ binding: PatternBindingSyntax,
        of variable: VariableDeclSyntax,
        isPart: Bool
    ) -> Bool {
        let modifiers = variable.modifiers.map(\.name)
        if let modifier = modifiers.first(where: { $0.text == "static" }) {
            guard let mark = marked.first?.part.rawValue else { return false }
            context.report("a static property is no part of a request: remove 'static' or '@\(mark)'", at: modifier)
            return false
        }
        if isPart, let modifier = modifiers.first(where: { $0.text == "lazy" }) {
            let message = "a request cannot set a lazy property: remove 'lazy', or declare a computed property"
            context.report(message, at: modifier)
            return false
        }
        guard binding.pattern.is(IdentifierPatternSyntax.self) else {
            context.report("a tuple has no name in a request: declare a property for each value", at: binding.pattern)
            return false
        }
        for (message, place) in marked.compactMap(\.fault) { context.report(message, at: place) }
        for second in marked.dropFirst() {
            guard let mark = second.mark else { continue }
            let message = "'\(second.label)' is marked @\(marked[0].part.rawValue): remove @\(second.part.rawValue)"
            context.report(message, at: mark)
        }
        return true
    }

    /// The names that the code of a call reads, also by way of other members of the struct.
    private var namesOfCall: Set<String> {
        var names: Set<String> = []
        var members = runMembers
        while let member = members.popFirst() {
            let read = namesInCode[member, default: []].subtracting(names)
            names.formUnion(read)
            members.formUnion(read)
        }
        return names
    }

    private func properties(_ part: RequestProperty.Part) -> [RequestProperty] { properties.filter { $0.part == part } }

    /// The steps of the builder, in the order that it demands, and each kind in the order of the declarations.
    var steps: [String] {
        let values = properties(.path).map { ($0.name, $0.segment) }
        let body = verb.allowsBody ? properties(.body).first : nil
        let path = verb.template.literal(Dictionary(values) { first, _ in first })
        let beginning = verb.step(path, hasBody: body != nil)
        let content = beginning.opensBody ? [body.map { ".body(of: self.\($0.label))" } ?? ".noBody()"] : []
        let query = properties(.query).map { ".add(query: \(String(reflecting: $0.name)), value: self.\($0.label))" }
        let fields = properties(.header).map {
            "try NetworkUtilities::HeaderField.fields(named: \(String(reflecting: $0.name)), of: self.\($0.label))"
        }
        let block = (fields + [headers].compactMap(\.self)).map { "    \($0)" }
        return [beginning.text] + content + query + (block.isEmpty ? [] : [".headers {"] + block + ["}"]) + [".build()"]
    }
}

extension DescribedRequest {
    /// Reports what doesn't fit.
    func check() {
        checkNames()
        if let place = verb.place {
            if let fault = verb.template.fault { context.report(fault, at: place) } else { checkPath(at: place) }
        }
        if let body = properties(.body).first, !verb.allowsBody {
            let message = "a \(verb.method) request has no body: use @Post, @Put or @Patch, or mark the property @Query"
            context.report(message, at: body.pattern)
        }
        let names = namesOfCall
        for (property, variable) in unmarked {
            let isInPath = verb.template.names.contains(property.name)
            guard isInPath || !names.contains(property.plainLabel) else { continue }
            let choice = "mark it @Query, @Path, @Header or @Body, read it in 'headers' or 'body', or make it static"
            let mark = isInPath ? "@Path" : "@Query"
            let start = variable.positionAfterSkippingLeadingTrivia
            let specifier = variable.bindingSpecifier.positionAfterSkippingLeadingTrivia
            let fixes = [Fix("\(mark) ", at: start, in: variable), Fix("static ", at: specifier, in: variable)]
            context.report("'\(property.label)' would not be sent: \(choice)", at: property.pattern, fixes)
        }
    }

    private func checkNames() {
        var seen: [String: RequestProperty] = [:]
        for property in properties {
            let (label, part, name) = (property.label, property.part.rawValue, property.name)
            guard let first = seen.updateValue(property, forKey: property.key) else { continue }
            let message =
                property.part == .body
                ? "'\(label)' is a second body: the body is '\(first.label)'"
                : "'\(label)' has the name '\(name)' of '\(first.label)': write another one, as in @\(part)(\"name\")"
            context.report(message, at: property.pattern)
        }
    }

    private func checkPath(at place: ExprSyntax) {
        let names = verb.template.names
        let known = refusedNames.union(properties(.path).map(\.name) + unmarked.map(\.property.name))
        let missing = names.filter { !known.contains($0) }
        let strangers = properties(.path).filter { !names.contains($0.name) }
        for property in strangers {
            guard let mark = property.mark else { continue }
            let nearest = missing.min { $0.distance(to: property.name) < $1.distance(to: property.name) }
            let hint = nearest.map { "did you mean ':\($0)'?" } ?? "write it there, or mark the property @Query"
            let fix = Fix(nearest.map { "@Path(\"\($0)\")" } ?? "@Query", over: mark)
            context.report("the path has no ':\(property.name)': \(hint)", at: property.pattern, [fix])
        }
        // A property with another name explains one that is missing.
        for name in missing.dropFirst(strangers.count) {
            let message = "':\(name)' in the path has no property: add '@Path var \(name): String'"
            let start = declaration.memberBlock.leftBrace.endPositionBeforeTrailingTrivia
            let fix = Fix("\n    @Path var \(name): String", at: start, in: declaration)
            context.report(message, at: place, [fix])
        }
    }
}

extension String {
    /// Returns the number of characters to insert, remove or replace to get another text.
    fileprivate func distance(to other: String) -> Int {
        var row = Array(0...other.count)
        for (line, character) in enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, target) in other.enumerated() {
                let replaced = diagonal + (character == target ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = [replaced, diagonal + 1, row[column] + 1].min() ?? 0
            }
        }
        return row[other.count]
    }
}
