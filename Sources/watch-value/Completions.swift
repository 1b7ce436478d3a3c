/// What shells need to complete the command, made of the tables.
enum Completions {
    static let shells = ["bash", "zsh", "fish"]

    static func script(for shell: String) throws(Failure) -> String {
        switch shell {
        case "bash": return bash
        case "zsh": return zsh
        case "fish": return fish
        default:
            throw Failure(.usage, "there are completions for \(shells.joined(separator: ", ")), not for \"\(shell)\"")
        }
    }

    private static let commands = Command.allCases.map(\.rawValue)

    /// Flags as somebody types them.
    private static func flags(_ option: Option) -> [String] {
        (option.entry.short.map { ["-\($0)"] } ?? []) + [option.flag]
    }

    /// What comes after an option, as a line of a shell's `case`.
    private static func valueCases(directories: String, choices: (String) -> String) -> [String] {
        Option.allCases.compactMap { option in
            guard option.entry.value != nil else { return nil }
            let action: String
            if option == .container {
                action = directories
            } else if option.entry.choices.isEmpty {
                action = "return"
            } else {
                action = choices(option.entry.choices.joined(separator: " "))
            }
            return "    \(flags(option).joined(separator: "|"))) \(action) ;;"
        }
    }

    private static func optionCases(_ line: (String) -> String) -> String {
        Command.allCases.map { command in
            "    \(command)) \(line(command.options.flatMap(flags).joined(separator: " "))) ;;"
        }.joined(separator: "\n")
    }

    /// The words after the command: shells for `completions`, names for those that take some.
    private static func operandCases(_ line: (String) -> String) -> String {
        Command.allCases.map { command in
            let words =
                switch command.entry.operands.first {
                case .shell: shells.joined(separator: " ")
                case .name, .names, .optionalName: "$(watch-value list \"${place[@]}\" 2>/dev/null)"
                case .value, nil: ""
                }
            return "    \(command)) \(line(words)) ;;"
        }.joined(separator: "\n")
    }

    /// Finds the command, and the options that say where values are.
    private static func scan(_ words: String, first: Int, last: String) -> String {
        """
          local command= i
          local -a place
          place=()
          for ((i = \(first); i < \(last); i++)); do
            case ${\(words)[i]} in
            --) return ;;
            -g|--group|--container) place+=("${\(words)[i]}" "${\(words)[i+1]}"); ((i++)) ;;
            --group=*|--container=*) place+=("${\(words)[i]}") ;;
            \(commands.joined(separator: "|"))) if [[ -z $command ]]; then command=${\(words)[i]}; fi ;;
            esac
          done
        """
    }

    private static var bash: String {
        """
        # Completions of watch-value for bash: source <(watch-value completions bash)
        _watch_value() {
          local current=${COMP_WORDS[COMP_CWORD]} words=
        \(scan("COMP_WORDS", first: 1, last: "COMP_CWORD"))
          COMPREPLY=()
          case ${COMP_WORDS[COMP_CWORD-1]} in
        \(valueCases(directories: "compopt -o dirnames 2>/dev/null; return") {
            "COMPREPLY=($(compgen -W \"\($0)\" -- \"$current\")); return"
        }.joined(separator: "\n"))
          esac
          if [[ $current == -* ]]; then
            case ${command:-watch} in
        \(optionCases { "words=\"\($0)\"" })
            esac
          elif [[ $current == */* ]]; then
            compopt -o default 2>/dev/null
            return
          else
            case ${command:-watch} in
        \(operandCases { "words=\"\($0)\"" })
            esac
            if [[ -z $command ]]; then words+=" \(commands.joined(separator: " "))"; fi
          fi
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        }
        complete -F _watch_value watch-value

        """
    }

    private static var zsh: String {
        """
        #compdef watch-value
        # Completions of watch-value for zsh: watch-value completions zsh > "${fpath[1]}/_watch-value"
        _watch_value() {
        \(scan("words", first: 2, last: "CURRENT"))
          local current=${words[CURRENT]}
          local -a found
          case ${words[CURRENT-1]} in
        \(valueCases(directories: "_files -/; return") { "compadd \($0); return" }.joined(separator: "\n"))
          esac
          if [[ $current == -* ]]; then
            case ${command:-watch} in
        \(optionCases { "found=(\($0))" })
            esac
          elif [[ $current == */* ]]; then
            _files
            return
          else
            case ${command:-watch} in
        \(operandCases { "found=(\($0))" })
            esac
            if [[ -z $command ]]; then found+=(\(commands.joined(separator: " "))); fi
          fi
          compadd -a found
        }
        if [[ $funcstack[1] == _watch-value ]]; then _watch_value "$@"; else compdef _watch_value watch-value; fi

        """
    }

    private static var fish: String {
        var lines = ["# Completions of watch-value for fish: watch-value completions fish | source"]
        for command in Command.allCases {
            lines.append(
                "complete -c watch-value -n __fish_use_subcommand -a \(command) -d \(quoted(command.entry.summary))")
            // Without a command it watches.
            let condition = command == .watch ? "" : " -n '__fish_seen_subcommand_from \(command)'"
            for option in command.options where command == .watch || !Command.watch.options.contains(option) {
                lines.append("complete -c watch-value\(condition)\(fish(option))")
            }
        }
        let names = Command.allCases.filter { [.name, .names, .optionalName].contains($0.entry.operands.first) }
        lines.append(
            "complete -c watch-value -n 'not __fish_seen_subcommand_from list completions' -a '(watch-value list 2>/dev/null)'"
        )
        lines.append("# They take names: \(names.map(\.rawValue).joined(separator: ", ")).")
        lines.append(
            "complete -c watch-value -f -n '__fish_seen_subcommand_from completions' -a '\(shells.joined(separator: " "))'"
        )
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fish(_ option: Option) -> String {
        let entry = option.entry
        var text = entry.short.map { " -s \($0)" } ?? ""
        text += " -l \(option.rawValue) -d \(quoted(entry.summary))"
        if option == .container {
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
