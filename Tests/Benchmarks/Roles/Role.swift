/// What a process of this program is.
enum Role: String {
    case viewer, writer, updater, collection, audience
    case floorViewer = "floor-viewer"
    case floorWriter = "floor-writer"
    case floorUpdater = "floor-updater"
}
