/// A condition on a JSON value: `[PATH] [OPERATOR JSON]`, such as `.ready`, `.count >= 3` or `== "done"`.
package struct JSONPredicate: Equatable, Sendable {
    enum Operator: String, CaseIterable, Sendable {
        // Each comes before its own prefix, such as `<=` before `<`: the first match counts.
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case less = "<"
        case greaterOrEqual = ">="
        case greater = ">"
    }

    struct Comparison: Equatable, Sendable {
        let `operator`: Operator
        let operand: JSONValue
    }

    let path: JSONPath
    let comparison: Comparison?

    /// The same condition on this part of a value.
    package func on(_ part: JSONPath) -> JSONPredicate {
        JSONPredicate(path: JSONPath(part.steps + path.steps), comparison: comparison)
    }

    /// Whether the condition holds for `value`, which is nil if there is none.
    ///
    /// A path alone holds if its part exists and is neither false nor null. For a missing part only `!=` holds.
    /// Equality is that of `JSONValue`; only two numbers or two strings can be less or greater. Equal values are `<=`
    /// and `>=`, whatever their type.
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
