import SystemCalls

/// Who wants what of which directory, and who is told of it: decides, and leaves the acting to the hub.
///
/// The kernel is asked outside of the hub's lock, and its answer is noted afterwards. What was told or asked of that watch
/// meanwhile did not reckon with the new client: then the answer is *outdated*, and the kernel is asked again.
struct WatchHubState {
    /// A path that the kernel is following, to add a watch or to change one.
    struct Call {
        let source: InotifySource
        fileprivate let begun: UInt64
    }

    /// What is to be asked of the kernel, and no more, where that is less than before.
    struct Narrowing {
        let watch: Int32
        let path: String
        let mask: InotifyMask
        let call: Call
    }

    enum Deliveries {
        /// Everything as it came, most often.
        case all(to: any WatchClient)
        case allToEach([any WatchClient])
        case each(EventBatches, lostEvents: Bool, marked: [EventLoop.Job])
    }

    /// The descriptor, while anything is watched, or is about to be.
    private(set) var source: InotifySource?
    private var isRead = false
    var nodes: [Int32: WatchNode] = [:] {
        didSet { recent = nil }
    }
    /// A watch of one client alone, as it was found last: most events are of the watch of those before.
    private var recent: (watch: Int32, client: any WatchClient)?
    /// What is to be done once everything was routed that had happened before; by the watch that marks the place.
    var marks: [Int32: EventLoop.Job] = [:]

    /// How many calls have begun and not ended.
    private var calls = 0
    /// When something became of a watch with which a call that had begun did not reckon; kept while there are calls.
    private var changes: [Int32: UInt64] = [:]
    /// The same, of all watches.
    private var lastOverflow: UInt64 = 0
    /// Counts what becomes of watches.
    private var clock: UInt64 = 0

    // MARK: Calls

    mutating func begin(with source: InotifySource) -> Call {
        if self.source !== source {
            self.source = source
            isRead = false
        }
        calls += 1
        return Call(source: source, begun: clock)
    }

    mutating func end(_ call: Call) {
        calls -= 1
        if calls == 0 { changes = [:] }
    }

    /// The call has found this watch at the path. Nil where that is outdated; else whether some of it is new to the client.
    mutating func add(
        _ mask: InotifyMask, for client: any WatchClient, to watch: Int32, at path: String, _ call: Call
    ) -> Bool? {
        defer { end(call) }
        if call.source !== source || max(lastOverflow, changes[watch] ?? 0) > call.begun { return nil }
        let before = nodes[watch]?.wanted(by: ObjectIdentifier(client))
        // In place, as everywhere: a copy would be one of all clients.
        nodes[watch, default: WatchNode(path: path)].add(mask, for: client)
        nodes[watch]?.path = path
        nodes[watch]?.mask.formUnion(mask)
        return before?.contains(mask) != true
    }

    private mutating func hasChanged(_ watch: Int32) {
        if calls == 0 { return }
        clock += 1
        changes[watch] = clock
    }

    /// The source, where nobody reads it yet although something is watched.
    mutating func beginReading() -> InotifySource? {
        if isRead || nodes.isEmpty { return nil }
        isRead = true
        return source
    }

    /// What was waiting for the source to tell it.
    mutating func endIfUnused() -> [EventLoop.Job] {
        guard nodes.isEmpty else { return [] }
        source = nil
        defer { marks = [:] }
        return Array(marks.values)
    }

    // MARK: Wanting less

    /// False where the client wanted just that.
    mutating func change(_ wanted: InotifyMask?, of client: ObjectIdentifier, at watch: Int32) -> Bool {
        guard let before = nodes[watch]?.wanted(by: client), before != wanted else { return false }
        nodes[watch]?.change(wanted, of: client)
        return true
    }

    /// True where the kernel is to remove the watch.
    mutating func forgetIfUnused(_ watch: Int32, of source: InotifySource) -> Bool {
        guard source === self.source, nodes[watch]?.isUnused != false else { return false }
        nodes[watch] = nil
        hasChanged(watch)
        return true
    }

    /// What the kernel need not tell any more. One at a time for each watch: two may be carried out in any order.
    mutating func narrowing(of watch: Int32) -> Narrowing? {
        guard let source, let node = nodes[watch], !node.isBeingNarrowed, node.union != node.mask else { return nil }
        nodes[watch]?.isBeingNarrowed = true
        return Narrowing(watch: watch, path: node.path, mask: node.union, call: begin(with: source))
    }

    /// The kernel has carried it out on the watch `answer`, or on none. Whose events may have been lost by it.
    mutating func end(_ narrowing: Narrowing, _ answer: Int32?) -> [any WatchClient] {
        if narrowing.call.source === source {
            nodes[narrowing.watch]?.isBeingNarrowed = false
        }
        defer { end(narrowing.call) }
        guard narrowing.call.source === source, let answer else { return [] }
        hasChanged(answer)
        guard let union = nodes[answer]?.union else { return [] }
        nodes[answer]?.mask = narrowing.mask
        // Somebody came meanwhile; or another directory bears the path now, and has just lost what others want of it.
        // They ask for it again.
        return narrowing.mask.contains(union) ? [] : nodes[answer]?.clients ?? []
    }

    // MARK: Events

    /// Who is told what of these events. What they say of the hub's own watches is noted.
    mutating func deliveries(of events: [InotifyEvent]) -> Deliveries {
        if calls > 0 {
            for event in events where event.name == nil || !event.mask.isDisjoint(with: .selfChanged) {
                hasChanged(event.watch)
            }
        }
        if let audience = audience(of: events) { return audience }
        var batches = EventBatches()
        var marked: [EventLoop.Job] = []
        var lostEvents = false
        for event in events {
            if event.mask.contains(.overflow) {
                lostEvents = true
                continue
            }
            if let action = marks.removeValue(forKey: event.watch) { marked.append(action) }
            for client in nodes[event.watch]?.clients ?? [] { batches.append(event, for: client) }
            if event.mask.contains(.ignored) { nodes[event.watch] = nil }
        }
        if lostEvents {
            clock += 1
            lastOverflow = clock
            marked += marks.values
            marks = [:]
            for client in clients { batches.append(nil, for: client) }
        }
        return .each(batches, lostEvents: lostEvents, marked: marked)
    }

    /// Who gets all of these events, where they are of one watch, and do not concern the hub itself.
    private mutating func audience(of events: [InotifyEvent]) -> Deliveries? {
        guard let watch = events.first?.watch else { return nil }
        for event in events where event.watch != watch || !event.mask.isDisjoint(with: .hubChanged) { return nil }
        if let recent, recent.watch == watch { return .all(to: recent.client) }
        if let client = nodes[watch]?.only {
            recent = (watch, client)
            return .all(to: client)
        }
        if let clients = nodes[watch]?.clients { return .allToEach(clients) }
        return nil
    }

    /// Of each node: whoever has several is among them several times.
    var clients: [any WatchClient] {
        mutating get { nodes.keys.flatMap { nodes[$0]?.clients ?? [] } }
    }
}
