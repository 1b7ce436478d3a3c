import ExampleSupport
import Foundation
import GroupFiles

/// Shows what the app shares: all of it at the start, then each line that changes.
///
/// Content that is not a valid value is reported on standard error, and shown as if nothing were there; the file stays
/// as it is.
@MainActor final class Widget {
    private let number: GroupFile<Int?>
    private let shared: Shared
    private let console: Console
    /// The last line for each title: a value that is written again unchanged is not shown again.
    private var shown: [String: String] = [:]

    init(_ arguments: inout Arguments, _ console: Console) throws {
        var group = Shared.group
        while let option = arguments.next() {
            guard option == "--group" else { throw Failure.usage("the widget has no option \(option)") }
            group = try arguments.value(of: option)
        }
        // With read-only access it creates nothing, not even the directory.
        let container = try GroupContainer(identifier: group, access: .readOnly)
        number = try container.file(named: Shared.key)
        shared = try Shared(container)
        self.console = console
    }

    func run() async {
        let (number, text, picture) = (number, shared.number, shared.background)
        // In this order at first; then each as it comes.
        for await state in number.states.prefix(1) { show("From UserDefaults", state) }
        for await state in text.states.prefix(1) { show("From File", state) }
        for await state in picture.states.prefix(1) { show("Background", state) }
        await withDiscardingTaskGroup { group in
            group.addTask { for await state in number.states { await self.show("From UserDefaults", state) } }
            group.addTask { for await state in text.states { await self.show("From File", state) } }
            group.addTask { for await state in picture.states { await self.show("Background", state) } }
            group.addTask { await self.reportFailures(of: number) }
            group.addTask { await self.reportFailures(of: text) }
            group.addTask { await self.reportFailures(of: picture) }
        }
    }

    private func reportFailures(of file: GroupFile<some Any>) async {
        for await failure in file.failures { console.report("\(failure)") }
    }

    private func show(_ title: String, _ state: GroupFileState<Int?>) {
        // A file with invalid content leaves the last good value in place; here, anything but a number is shown as 0.
        show(title, "\(state.status == .current ? state.value ?? 0 : 0)")
    }

    private func show(_ title: String, _ state: GroupFileState<Data?>) {
        guard state.status == .current, let picture = state.value.map(Picture.init) else {
            show(title, "none")
            return
        }
        if show(title, picture.description), let problem = picture.problem {
            console.report("\(shared.background.path): \(problem)")
        }
    }

    /// Prints a line if its text is new; returns whether it is.
    @discardableResult
    private func show(_ title: String, _ text: String) -> Bool {
        if shown.updateValue(text, forKey: title) == text { return false }
        console.say("\(title): \(text)")
        return true
    }
}
