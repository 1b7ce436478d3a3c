/// What is measured together: one row, or several.
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

/// What the measurement of a row led to.
enum Outcome {
    case figures(Figures)
    /// It is not available on this machine, and why.
    case unavailable(String)
    case failed(String)
}

/// Thrown if a measurement is not available on this machine.
struct Unavailable: Error {
    let reason: String
}
