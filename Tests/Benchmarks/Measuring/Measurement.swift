/// What is measured at one go: one row, or several.
struct Measurement {
    let rows: [Row]
    /// Figures for each of the rows.
    let measure: (Workshop) throws -> [Figures]

    init(_ rows: Row..., measure: @escaping (Workshop) throws -> [Figures]) {
        self.rows = rows
        self.measure = measure
    }

    func run(_ workshop: Workshop) throws -> [Outcome] {
        defer { workshop.removeFolders() }
        do {
            return try measure(workshop).map(Outcome.figures)
        } catch let interrupted as Interrupted {
            throw interrupted
        } catch let unavailable as Unavailable {
            return rows.map { _ in .unavailable(unavailable.reason) }
        } catch {
            return rows.map { _ in .failed("\(error)") }
        }
    }
}

/// What became of a row.
enum Outcome {
    case figures(Figures)
    /// It cannot be had here, and why.
    case unavailable(String)
    case failed(String)
}

/// Thrown where a measurement cannot be had on this machine.
struct Unavailable: Error {
    let reason: String
}
