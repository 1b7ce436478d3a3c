import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Values and containers can be opened in several ways: each takes the same options, passes all of them on, and has the
/// same defaults.
struct OpeningTests {
    /// The options that a value was opened with.
    private struct Options: Equatable {
        var access = Access.readWrite
        var durability = Durability.consistent
        var maximumSize = 16 << 20
        var lockTimeout: Duration?
        /// The codec's text for 7.
        var text = "7\n"

        init() {}

        init<T>(_ file: GroupFile<T>, _ seven: T) throws {
            access = file.access
            durability = file.durability
            maximumSize = file.maximumSize
            lockTimeout = file.lockTimeout
            text = String(decoding: try file.encode(seven).bytes, as: UTF8.self)
        }
    }

    enum Way: CaseIterable, Sendable {
        case initialiser, byName, optionalByName, property, optionalProperty, groupProperty, optionalGroupProperty

        var takesAccess: Bool {
            switch self {
            case .initialiser, .byName, .optionalByName: true
            default: false
            }
        }
    }

    private static func codec<T>() -> GroupCodec<T> {
        GroupCodec(
            encode: { value in Data("<\(value as Any as? Int ?? 0)>".utf8) },
            decode: { _ in throw CocoaError(.coderReadCorrupt) })
    }

    @Test(arguments: Way.allCases)
    func everyOptionIsPassedOn(way: Way) throws {
        let container = GroupContainer.inMemory()
        let opened =
            switch way {
            case .initialiser:
                try Options(
                    GroupFile(
                        "v", in: container, initialValue: 7, access: .readOnly, codec: Self.codec(),
                        durability: .durable, maximumSize: 100, lockTimeout: .seconds(9)), 7)
            case .byName:
                try Options(
                    container.file(
                        named: "v", initialValue: 7, access: .readOnly, codec: Self.codec(), durability: .durable,
                        maximumSize: 100, lockTimeout: .seconds(9)), 7)
            case .optionalByName:
                try Options(
                    container.file(
                        named: "v", as: Int.self, access: .readOnly, codec: Self.codec(), durability: .durable,
                        maximumSize: 100, lockTimeout: .seconds(9)), 7)
            case .property:
                try Options(
                    GroupValue(
                        wrappedValue: 7, "v", in: container, codec: Self.codec(), durability: .durable,
                        maximumSize: 100, lockTimeout: .seconds(9)
                    ).projectedValue, 7)
            case .optionalProperty:
                try Options(
                    GroupValue<Int?>(
                        "v", in: container, codec: Self.codec(), durability: .durable, maximumSize: 100,
                        lockTimeout: .seconds(9)
                    ).projectedValue, 7)
            case .groupProperty:
                try Options(
                    GroupValue(
                        wrappedValue: 7, "v", group: "group.example.opening", codec: Self.codec(),
                        durability: .durable, maximumSize: 100, lockTimeout: .seconds(9)
                    ).projectedValue, 7)
            case .optionalGroupProperty:
                try Options(
                    GroupValue<Int?>(
                        "v", group: "group.example.opening", codec: Self.codec(), durability: .durable,
                        maximumSize: 100, lockTimeout: .seconds(9)
                    ).projectedValue, 7)
            }
        var expected = Options()
        if way.takesAccess { expected.access = .readOnly }
        expected.durability = .durable
        expected.maximumSize = 100
        expected.lockTimeout = .seconds(9)
        expected.text = "<7>"
        #expect(opened == expected)
    }

    @Test(arguments: Way.allCases)
    func theDefaultsAreTheSame(way: Way) throws {
        let container = GroupContainer.inMemory()
        let opened =
            switch way {
            case .initialiser: try Options(GroupFile("v", in: container, initialValue: 7), 7)
            case .byName: try Options(container.file(named: "v", initialValue: 7), 7)
            case .optionalByName: try Options(container.file(named: "v", as: Int.self), 7)
            case .property: try Options(GroupValue(wrappedValue: 7, "v", in: container).projectedValue, 7)
            case .optionalProperty: try Options(GroupValue<Int?>("v", in: container).projectedValue, 7)
            case .groupProperty:
                try Options(GroupValue(wrappedValue: 7, "v", group: "group.example.opening").projectedValue, 7)
            case .optionalGroupProperty:
                try Options(GroupValue<Int?>("v", group: "group.example.opening").projectedValue, 7)
            }
        #expect(opened == Options())
    }

    @Test func defaultsOfASuiteTakeTheirTimeout() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            folder.holdContainers()
            let name = "group.example.opening"
            #expect(try GroupDefaults(suiteName: name, lockTimeout: .seconds(9)).own.lockTimeout == .seconds(9))
            #expect(try GroupDefaults(suiteName: name).own.lockTimeout == nil)
        }
    }

    @Test func containersByTheirURLTakeAccessAndSharing() throws {
        let folder = try TemporaryDirectory()
        let directory = folder.url.appendingPathComponent("directory")
        let readers = [
            try GroupContainer(directory: directory, access: .readOnly),
            try GroupContainer(identifier: "group.example", root: folder.url, access: .readOnly),
        ]
        #expect(readers.map(\.access) == [.readOnly, .readOnly])
        #expect(try folder.names() == [])
        for (sharing, permissions) in [(Sharing.group, 0o2770), (.owner, 0o700)] as [(Sharing, UInt32)] {
            let containers = [
                try GroupContainer(directory: directory, sharing: sharing),
                try GroupContainer(identifier: "group.example", root: folder.url, sharing: sharing),
            ]
            for container in containers {
                #expect(try Path.status(of: container.path).permissions == permissions)
                try FileManager.default.removeItem(atPath: container.path)
            }
        }
    }
}
