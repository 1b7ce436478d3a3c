import SystemCalls

/// What a look finds where a path leads.
enum Sighting {
    case file(FileStatus)
    case nothing
    /// A failed look does not mean that nothing is there.
    case unknown

    init(at destination: (target: PathTarget?, refusal: Errno?)?) {
        guard let target = destination?.target, let leaf = target.leaf else {
            self = destination?.refusal?.leavesOpenWhatIsThere == true ? .unknown : .nothing
            return
        }
        do throws(Errno) {
            self = .file(try Path.linkStatus(of: target.path + "/" + leaf))
        } catch {
            self = error.leavesOpenWhatIsThere ? .unknown : .nothing
        }
    }
}
