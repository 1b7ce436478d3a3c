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
    private static func valueCases(directories: String, choices: (String) -> String) -> String {
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
        }.joined(separator: "\n")
    }

    private static func optionCases(_ line: (String) -> String) -> String {
        Command.allCases.map { command in
            "    \(command)) \(line(command.options.flatMap(flags).joined(separator: " "))) ;;"
        }.joined(separator: "\n")
    }

    /// The words after the command: shells for `completions`, names for those that take some.
    private static func operandCases(names: String, shells: String) -> String {
        Command.allCases.compactMap { command in
            switch command.entry.operands.first {
            case .shell: "    \(command)) \(shells) ;;"
            case .name, .names, .optionalName: "    \(command)) \(names) ;;"
            case .value, nil: nil
            }
        }.joined(separator: "\n")
    }

    /// Lists the names, one a line. They are anybody's: no shell may take one for anything else than text.
    private static let list = #"watch-value list "${place[@]}" 2>/dev/null"#

    /// Finds the command, and the options that say where values are.
    private static func scan(
        _ words: String, first: Int, last: String, unquoted: (_ word: String) -> String
    ) -> String {
        """
          local command= i
          local -a place
          place=()
          for ((i = \(first); i < \(last); i++)); do
            case ${\(words)[i]} in
            --) return ;;
            -g|--group|--container) place+=("${\(words)[i]}" "\(unquoted("\(words)[i+1]"))"); ((i++)) ;;
            --group=*|--container=*) place+=("\(unquoted("\(words)[i]"))") ;;
            \(commands.joined(separator: "|"))) if [[ -z $command ]]; then command=${\(words)[i]}; fi ;;
            esac
          done
        """
    }

    private static var bash: String {
        """
        # Completions of watch-value for bash: source <(watch-value completions bash)
        _watch_value() {
          # Bash takes words apart at = and some more; what has nothing between it is one word.
          local word rest=$COMP_LINE
          local -a typed
          typed=()
          for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
            if [[ ${#typed[@]} == 0 || $rest == [[:space:]]* ]]; then typed+=("$word"); else typed[-1]+=$word; fi
            rest=${rest#*"$word"}
          done
          local last=$((${#typed[@]} - 1))
        \(scan("typed", first: 1, last: "last") { #"$(xargs printf %s <<< "${\#($0)}" 2>/dev/null)"# })
          local current=${typed[last]} previous=${typed[last-1]} option= words= names=
          # Readline keeps this, and replaces the rest.
          local kept=${current%"$2"}
          if [[ $current == --*=* ]]; then
            option=${current%%=*}= previous=${current%%=*} current=${current#*=}
          fi
          COMPREPLY=()
          case $previous in
        \(valueCases(directories: "compopt -o dirnames 2>/dev/null; return") { "words=\"\($0)\"" })
          esac
          if [[ -z $words && $current == -* ]]; then
            case ${command:-watch} in
        \(optionCases { "words=\"\($0)\"" })
            esac
          elif [[ -z $words && $current == */* ]]; then
            compopt -o default 2>/dev/null
            return
          elif [[ -z $words ]]; then
            case ${command:-watch} in
        \(operandCases(names: "names=yes", shells: "words=\"\(shells.joined(separator: " "))\""))
            esac
            if [[ -z $command ]]; then words+="\(commands.joined(separator: " "))"; fi
          fi
          COMPREPLY=($(compgen -P "$option" -W "$words" -- "$current"))
          if [[ -n $names ]]; then
            while IFS= read -r word; do
              # As it is to be typed, so not by compgen -W, which would run the $(…) of a name.
              if [[ $current != [\\'\\"]* ]]; then
                printf -v word %q "$word"
              elif [[ $word != *[\\'\\"\\$\\`\\\\!]* ]]; then
                word=${current:0:1}$word
              fi
              if [[ $word == "$current"* ]]; then COMPREPLY+=("$word"); fi
            done < <(\(list))
          fi
          COMPREPLY=("${COMPREPLY[@]#"$kept"}")
        }
        complete -F _watch_value watch-value

        """
    }

    private static var zsh: String {
        """
        #compdef watch-value
        # Completions of watch-value for zsh: watch-value completions zsh > "${fpath[1]}/_watch-value"
        _watch_value() {
        \(scan("words", first: 2, last: "CURRENT") { "${(Q)\($0)}" })
          local current=${words[CURRENT]}
          local -a found
          case ${words[CURRENT-1]} in
        \(valueCases(directories: "_files -/; return") { "compadd \($0); return" })
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
        \(operandCases(names: "found=(${(f)\"$(\(list))\"})", shells: "found=(\(shells.joined(separator: " ")))"))
            esac
            if [[ -z $command ]]; then found+=(\(commands.joined(separator: " "))); fi
          fi
          compadd -a found
        }
        if [[ $funcstack[1] == _watch-value ]]; then _watch_value "$@"; else compdef _watch_value watch-value; fi

        """
    }

    private static var fish: String {
        var lines = ["# Completions of watch-value for fish: watch-value completions fish | source", fishNames]
        for command in Command.allCases {
            lines.append(
                "complete -c watch-value -n __fish_use_subcommand -a \(command) -d \(quoted(command.entry.summary))")
            // Without a command it watches.
            let condition = command == .watch ? "" : " -n '__fish_seen_subcommand_from \(command)'"
            for option in command.options where command == .watch || !Command.watch.options.contains(option) {
                lines.append("complete -c watch-value\(condition)\(fish(option))")
            }
        }
        let nameless = Command.allCases
            .filter { ![.name, .names, .optionalName].contains($0.entry.operands.first) }
            .map(\.rawValue).joined(separator: " ")
        lines.append(
            "complete -c watch-value -n 'not __fish_seen_subcommand_from \(nameless)' -a '(__watch_value_names)'")
        lines.append(
            "complete -c watch-value -f -n '__fish_seen_subcommand_from completions' -a '\(shells.joined(separator: " "))'"
        )
        return lines.joined(separator: "\n") + "\n"
    }

    /// fish takes each line of its output as one word, whatever characters are in it.
    private static let fishNames = """
        function __watch_value_names
            set -l place
            set -l words (commandline -opc)
            for i in (seq 2 (count $words))
                switch $words[$i]
                    case --
                        return
                    case -g --group --container
                        set place $place $words[$i] $words[(math $i + 1)]
                    case '--group=*' '--container=*'
                        set place $place $words[$i]
                end
            end
            watch-value list $place 2>/dev/null
        end
        """

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
