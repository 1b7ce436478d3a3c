import FileEvents
import SystemCalls

/// Stands in for a store that cannot be opened yet, and passes everything on to it once it can.
///
/// 1. Until then, each listener is *attached* to a core of its own, whose content says why there is no store.
/// 2. Each use of the property, each read from disk and each change *tries* to open the store, under the lock, so that
///    one of two attempts wins.
/// 3. Once the store is open, listeners *move* there, and every call is *passed on* to it.
final class DeferredStore: ContentStore {
    private struct State {
        var store: (any ContentStore)?
        var error: GroupFileError
        var listeners: [ObjectIdentifier: WeakStoreListener] = [:]
    }

    private let open: @Sendable () throws(GroupFileError) -> any ContentStore
    /// Guards all that changes. Held while listeners move, so that nobody uses the store before they are there.
    private let state: Guarded<State>

    init(_ error: GroupFileError, open: @escaping @Sendable () throws(GroupFileError) -> any ContentStore) {
        self.open = open
        state = Guarded(State(error: error))
    }

    /// Tries to open the store, unless it is open already. Returns it, or why it cannot be opened.
    @discardableResult
    func tryToOpen() -> Result<any ContentStore, GroupFileError> {
        // In a forked child the lock may be held for ever.
        do throws(GroupFileError) { try GroupFileError.refuseForked() } catch { return .failure(error) }
        let (result, moving) = state.withLock {
            state -> (Result<any ContentStore, GroupFileError>, [any StoreListener]) in
            if let store = state.store { return (.success(store), []) }
            do throws(GroupFileError) {
                let store = try open()
                state.store = store
                let moving = state.listeners.values.compactMap(\.listener)
                state.listeners = [:]
                for listener in moving { store.add(listener) }
                return (.success(store), moving)
            } catch {
                state.error = error
                return (.failure(error), [])
            }
        }
        for listener in moving {
            listener.healthChanged()
            listener.acceptOffer(isForced: true)
        }
        return result
    }

    private var opened: (any ContentStore)? { state.withLock(\.store) }

    var path: String { state.withLock { $0.store?.path ?? $0.error.path ?? "" } }
    var health: WatchHealth { opened?.health ?? .waitingForDirectory }

    func add(_ listener: any StoreListener) {
        let (store, error) = state.withLock { state in
            if state.store == nil {
                state.listeners[ObjectIdentifier(listener)] = WeakStoreListener(listener: listener)
            }
            return (state.store, state.error)
        }
        if let store {
            store.add(listener)
        } else {
            let file = AbsentFile(path: error.path ?? "", content: .unreadable(.noPlace(error)))
            listener.attach(to: FileCore(file: file))
        }
    }

    func remove(_ id: ObjectIdentifier) {
        let store = state.withLock { state in
            state.listeners[id] = nil
            return state.store
        }
        store?.remove(id)
    }

    func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore {
        try tryToOpen().get().coreForWriting(listener, makesDirectory: makesDirectory)
    }

    var pathForWriting: String? { opened?.pathForWriting }
    var sharing: Sharing? { opened?.sharing }

    func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer {
        opened?.leads(listener, to: core) ?? .no
    }

    func followPath() {
        if case .success(let store) = tryToOpen() { store.followPath() }
    }
}
