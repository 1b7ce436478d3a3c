extension Completions {
    static var fish: String {
        var lines = ["# Completions of watch-value for fish: watch-value completions fish | source", fishFunctions]
        for command in Command.allCases {
            lines.append(
                "complete -c watch-value -n '__watch_value_at none' -a \(command) -d \(quoted(command.entry.summary))")
        }
        for option in Option.allCases {
            let owners = Command.allCases.filter { $0.options.contains(option) }.map(\.rawValue)
            let condition = (owners.contains("watch") ? ["none"] : []) + owners
            lines.append(
                "complete -c watch-value -n '__watch_value_at \(condition.joined(separator: " "))'\(fish(option))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// fish takes each line of the output as one word, whatever characters are in it.
    private static var fishFunctions: String {
        let named = Command.allCases.filter { $0.entry.operand == .name }.map(\.rawValue)
        return """
            # Sets its caller's command (none where there is none yet), operand (yes where there is one), place, and
            # program: what is typed behind --
            function __watch_value_scan --no-scope-shadowing
                set -l words (commandline -opc)
                set -l i 2
                while test $i -le (count $words)
                    switch $words[$i]
                        case --
                            if contains -- "$operand$command" yes\(runners.joined(separator: " yes"))
                                set i (math $i + 1)
                                set program "" (string escape -- $words[$i..-1])
                                return
                            end
                            test $command = none; and set command watch
                        case -g --group --container
                            set i (math $i + 1)
                            # As the shell will have it; nothing else of a word is run here.
                            set -a place $words[(math $i - 1)] (string replace -r '^(~|\\$HOME)/' "$HOME/" -- $words[$i])
                        case '-g*' '--group=*' '--container=*'
                            set -a place $words[$i]
                        case \(valued.joined(separator: " "))
                            set i (math $i + 1)
                        case '-*'
                        case '*'
                            if test $command != none
                                set operand yes
                            else if contains -- $words[$i] \(commands.joined(separator: " "))
                                set command $words[$i]
                            else
                                set command watch
                                set operand yes
                            end
                    end
                    set i (math $i + 1)
                end
            end
            function __watch_value_at
                set -l command none
                set -l operand
                set -l place
                set -l program
                __watch_value_scan
                not set -q program[1]; and contains -- $command $argv
            end
            function __watch_value_names
                watch-value list $argv 2>/dev/null | string match -v -- '-*'
            end
            function __watch_value_operands
                set -l command none
                set -l operand
                set -l place
                set -l program
                __watch_value_scan
                set -l current (commandline -ct)
                if set -q program[1]
                    complete -C "$program $current"
                    return
                end
                switch $command
                    case \(Command.completions)
                        test -n "$operand"; or printf '%s\\n' \(shells.joined(separator: " "))
                    case \(named.joined(separator: " "))
                        test -n "$operand"; or __watch_value_names $place
                    case none \(Command.watch)
                        __watch_value_names $place
                end
            end
            complete -c watch-value -f -a '(__watch_value_operands)'
            complete -c watch-value -F -n "string match -q '*/*' -- (commandline -ct)"
            """
    }

    private static func fish(_ option: Option) -> String {
        let entry = option.entry
        var text = entry.short.map { " -s \($0)" } ?? ""
        text += " -l \(option.rawValue) -d \(quoted(entry.summary))"
        if option == .group {
            text += " -x -a '(\(groups))'"
        } else if option == .container {
            text += " -x -a '(__fish_complete_directories)'"
        } else if entry.value != nil {
            text += entry.choices.isEmpty ? " -x" : " -x -a '\(entry.choices.joined(separator: " "))'"
        }
        return text
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'") + "'"
    }
}
