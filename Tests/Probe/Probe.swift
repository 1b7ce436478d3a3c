import GroupFiles

@main
enum Probe {
    static func main() throws {
        print("probe")
    }
}
