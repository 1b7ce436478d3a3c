/// A path to a part of a JSON value, as jq writes it: `.`, `.a.b[0]`, `.["odd key"]`, `.[-1]`.
package struct JSONPath: Equatable, Sendable {
    package enum Step: Sendable {
        /// The member of an object.
        case key(String)
        /// The element of an array, counted from 0; if negative, from the end, where -1 is the last.
        case index(Int)
    }

    let steps: [Step]

    /// The path of these steps; without any, the path of the whole value.
    package init(_ steps: [Step] = []) {
        self.steps = steps
    }
}

extension JSONPath.Step: Equatable {
    /// Keys are compared by Unicode scalars, as in JSON objects.
    package static func == (left: JSONPath.Step, right: JSONPath.Step) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)): left.hasSameScalars(as: right)
        case (.index(let left), .index(let right)): left == right
        default: false
        }
    }
}

extension JSONPath: CustomStringConvertible {
    /// The path in the shortest form that parses back to it.
    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .key(let key) where JSONPathParser.isIdentifier(key): text += ".\(key)"
            case .key(let key): text += "\(text.isEmpty ? "." : "")[\(JSONValue.string(key))]"
            case .index(let index): text += "\(text.isEmpty ? "." : "")[\(index)]"
            }
        }
        return text.isEmpty ? "." : text
    }
}
