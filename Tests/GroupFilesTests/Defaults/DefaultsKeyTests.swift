import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Keys as names of files, and back.
struct DefaultsKeyTests {
    @Test(arguments: [
        ("luckyNumber", "luckyNumber"), ("bg.png", "bg.png"), ("größe", "größe"), ("two words", "two words"),
        ("a/b", "a%2Fb"), (".hidden", "%2Ehidden"), ("..", "%2E."), ("100%", "100%25"), ("a%2Fb", "a%252Fb"),
        ("", "%"), ("%", "%25"), ("a\0b", "a%00b"), ("line\n", "line%0A"), ("\u{7F}", "%7F"), ("\u{85}", "%C2%85"),
        ("/", "%2F"), ("🎲", "🎲"),
    ])
    func keysAreEncodedReversibly(key: String, name: String) throws {
        #expect(try DefaultsKey.name(of: key) == name)
        #expect(DefaultsKey.key(of: name) == key)
        #expect(ValueName.isValid(name))
    }

    @Test(arguments: ["%zz", "100%", "a%2", "%41", "%2f", "%FF", "a%2E", "%%"])
    func aNameThatNoKeyHasIsNone(name: String) {
        #expect(DefaultsKey.key(of: name) == nil)
    }

    @Test func randomKeysComeBack() throws {
        var random = SeededGenerator.ofThisRun()
        var names: [ExactName: ExactName] = [:]
        let scalars: [Unicode.Scalar] = ["a", "%", "/", ".", "2", "F", "\0", "\u{9F}", "é", "e", "\u{301}", " ", "~"]
        for _ in 0..<5000 {
            var key = ""
            for _ in 0..<Int.random(in: 0...6, using: &random) { key.unicodeScalars.append(random.choose(scalars)) }
            let name = try DefaultsKey.name(of: key)
            #expect(DefaultsKey.key(of: name).map(ExactName.init) == ExactName(key))
            #expect(ValueName.isValid(name))
            if let other = names.updateValue(ExactName(key), forKey: ExactName(name)) {
                #expect(other == ExactName(key))
            }
        }
    }

    @Test func aKeyThatIsTooLongOnceEncodedIsRefusedWithItsName() throws {
        #expect(try DefaultsKey.name(of: String(repeating: "k", count: 200)).utf8.count == 200)
        let slashes = "slashes" + String(repeating: "/", count: 65)
        for key in [String(repeating: "k", count: 201), slashes] {
            let error = #expect(throws: GroupFileError.self) { try DefaultsKey.name(of: key) }
            #expect(error?.code == .invalidName)
            #expect(error?.message.contains(key.prefix(60)) == true)
        }
    }

    /// Where an error tells a key or a name, no terminal obeys its control characters, and the error stays one line.
    @Test(arguments: ["a\nb", "\u{9B}2J", "\u{1B}[2J", "a\u{2028}b", "a\r\nb", "\u{7F}\u{85}", "a\u{202E}b\u{2069}"])
    func errorsAreOneLineWithoutControlCharacters(key: String) throws {
        let defaults = GroupDefaults(container: .inMemory())
        let folder = try TemporaryDirectory()
        var errors = [GroupFileError(.undecodable, path: "/" + key, codingPath: key, "no value")]
        for key in [key, key + String(repeating: "k", count: 200)] {
            do throws(GroupFileError) { try defaults.set(Double.nan, forKey: key) } catch { errors.append(error) }
        }
        do throws(GroupFileError) {
            _ = try GroupContainer(identifier: key + "/", root: folder.path)
        } catch {
            errors.append(error)
        }
        #expect(errors.count == 4)
        for error in errors {
            let description = error.description
            let obeyed = description.unicodeScalars.filter {
                [.control, .lineSeparator, .format].contains($0.properties.generalCategory)
            }
            #expect(obeyed.isEmpty, "\(description)")
        }
    }
}
