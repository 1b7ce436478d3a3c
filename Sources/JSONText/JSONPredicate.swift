/// A condition on a JSON value: `[PATH] [OPERATOR JSON]`, such as `.ready`, `.count >= 3` or `== "done"`.
package struct JSONPredicate: Equatable, Sendable {
    package enum Operator: String, CaseIterable, Sendable {
        // Those that begin like a shorter one come before it.
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case less = "<"
        case greaterOrEqual = ">="
        case greater = ">"
    }

    package struct Comparison: Equatable, Sendable {
        package var `operator`: Operator
        package var operand: JSONValue

        package init(_ operator: Operator, _ operand: JSONValue) {
            self.operator = `operator`
            self.operand = operand
        }
    }

    package var path: JSONPath
    package var comparison: Comparison?

    package init(path: JSONPath = JSONPath(), comparison: Comparison? = nil) {
        self.path = path
        self.comparison = comparison
    }

    /// Whether the condition holds of `value`, which is nil where there is none.
    ///
    /// A path alone holds when its part is there and neither false nor null. Of a part that is missing only `!=` holds.
    /// Values are equal as `JSONValue` has it; only two numbers or two strings are less or greater. What is equal is
    /// `<=` and `>=`, whatever its type.
    package func holds(_ value: JSONValue?) -> Bool {
        let part = value?[path]
        guard let comparison else { return part?.isTruthy ?? false }
        guard let part else { return comparison.operator == .notEqual }
        let operand = comparison.operand
        return switch comparison.operator {
        case .equal: part == operand
        case .notEqual: part != operand
        case .less: part.precedes(operand) ?? false
        case .lessOrEqual: part == operand || part.precedes(operand) ?? false
        case .greater: operand.precedes(part) ?? false
        case .greaterOrEqual: part == operand || operand.precedes(part) ?? false
        }
    }
}

extension JSONPredicate: CustomStringConvertible {
    /// The predicate in a form that parses back to it.
    package var description: String {
        guard let comparison else { return path.description }
        return "\(path) \(comparison.operator.rawValue) \(comparison.operand)"
    }
}
