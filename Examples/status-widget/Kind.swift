import ExampleSupport

/// The kinds of widget, by the names under which they are reloaded.
enum Kind: String, CaseIterable, Sendable {
    case status
    case clock

    init(named name: String) throws(Failure) {
        guard let kind = Kind(rawValue: name) else {
            let names = Kind.allCases.map(\.rawValue).joined(separator: " and ")
            throw .usage("there is no kind \(name): there are \(names)")
        }
        self = kind
    }
}
