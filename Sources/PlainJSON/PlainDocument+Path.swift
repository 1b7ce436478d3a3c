import SystemCalls

/// A step on the way from the document to a value: a container, and the child that the way goes on to.
struct PlainStep: Sendable {
    let container: Int
    /// The number of the child in the container, and the child's first node.
    var place: Int
    var child: Int
}

/// The coding paths of values. Their keys are not the type's own.
extension PlainDocument {
    func codingPath(_ index: Int) -> [any CodingKey] {
        noteDoubt()
        let steps = lastPath.withLock { steps in
            follow(&steps, to: index)
            return steps
        }
        return steps.map { step in
            nodes[step.container].kind == .object ? AnyKey(name(step.child)) : AnyKey(index: step.place)
        }
    }

    private func follow(_ steps: inout [PlainStep], to index: Int) {
        while let last = steps.last, !(last.container < index && index < Int(nodes[last.container].next)) {
            steps.removeLast()
        }
        if steps.isEmpty {
            if index == 0 { return }
            steps.append(PlainStep(container: 0, place: 0, child: 1))
        }
        while true {
            let last = steps.count - 1
            if index < steps[last].child { steps[last] = first(in: steps[last].container) }
            let isObject = nodes[steps[last].container].kind == .object
            var value = isObject ? steps[last].child + 1 : steps[last].child
            while index >= Int(nodes[value].next) {
                steps[last].place += 1
                steps[last].child = Int(nodes[value].next)
                value = isObject ? steps[last].child + 1 : steps[last].child
            }
            if value == index { return }
            steps.append(first(in: value))
        }
    }

    private func first(in container: Int) -> PlainStep {
        PlainStep(container: container, place: 0, child: container + 1)
    }

    func name(_ key: Int) -> String {
        String(decoding: bytes[nodes[key].text], as: UTF8.self)
    }

    /// The names of an object's members, each only once.
    func names(_ object: Int) -> [String] {
        let node = nodes[object]
        var names: [String] = []
        names.reserveCapacity(node.count)
        var key = object + 1
        while key < Int(node.next) {
            let name = name(key)
            if node.isAscending || !names.contains(name) { names.append(name) }
            key = Int(nodes[key + 1].next)
        }
        return names
    }
}
