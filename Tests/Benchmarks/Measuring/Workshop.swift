/// What measurements are made with.
final class Workshop {
    let effort: Effort
    let floor: FloorKind
    let interrupts: Interrupts
    /// The command whose `get` is measured.
    let watchValue: String
    private var folders: [Folder] = []

    init(_ effort: Effort, _ floor: FloorKind, _ interrupts: Interrupts, watchValue: String) {
        self.effort = effort
        self.floor = floor
        self.interrupts = interrupts
        self.watchValue = watchValue
    }

    /// An empty folder, which exists until the measurement is over.
    func folder(_ place: Place) throws -> Folder {
        if let objection = place.objection { throw Unavailable(reason: objection) }
        let folder = try Folder(place)
        folders.append(folder)
        return folder
    }

    func removeFolders() {
        folders.forEach { $0.remove() }
        folders = []
    }

    func child(
        _ role: Role, _ operands: [String], environment: [(String, String)] = [], input: StartSignal? = nil
    ) throws -> Child {
        try Child(role, operands, environment: environment, input: input, interrupts)
    }
}
