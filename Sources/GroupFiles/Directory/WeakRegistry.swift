import SystemCalls

/// One object for each key, for as long as somebody else keeps it.
final class WeakRegistry<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
    private struct Weak: Sendable {
        weak let object: Object?
    }

    /// Guarded by its lock.
    private let objects = Guarded<[Key: Weak]>([:])

    /// The key's object, if there is one.
    func existing(for key: Key) -> Object? { objects.withLock { $0[key]?.object } }

    /// The key's object. If there is none, or only `past`, a new one is made under the lock.
    func object(for key: Key, otherThan past: Object? = nil, _ make: () -> Object) -> Object {
        objects.withLock { objects in
            if let object = objects[key]?.object, object !== past { return object }
            let new = make()
            objects[key] = Weak(object: new)
            return new
        }
    }

    /// Called by an object's `deinit`. A new one may have taken its place already.
    func objectHasEnded(for key: Key) {
        // Returned, so that a last reference to the new one is released outside of the lock.
        _ = objects.withLock { objects in
            let other = objects[key]?.object
            if other == nil { objects[key] = nil }
            return other
        }
    }
}
