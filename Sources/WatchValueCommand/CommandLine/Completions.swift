/// The scripts with which shells complete the command, made from the tables.
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

    static let commands = Command.allCases.map(\.rawValue)

    /// The flags of an option, as they are typed.
    private static func flags(_ option: Option) -> [String] {
        (option.entry.short.map { ["-\($0)"] } ?? []) + [option.flag]
    }

    /// What completes the value of each option, as lines of a shell's `case`.
    static func valueCases(
        groups: String, directories: String, choices: (String) -> String
    ) -> String {
        Option.allCases.compactMap { option in
            guard option.entry.value != nil else { return nil }
            let action =
                switch option {
                case .group: groups
                case .container: directories
                case _ where option.entry.choices.isEmpty: "return"
                default: choices(option.entry.choices.joined(separator: " "))
                }
            return "    \(flags(option).joined(separator: "|"))) \(action) ;;"
        }.joined(separator: "\n")
    }

    static func optionCases(_ line: (String) -> String) -> String {
        Command.allCases.map { command in
            "    \(command)) \(line(command.options.flatMap(flags).joined(separator: " "))) ;;"
        }.joined(separator: "\n")
    }

    /// The words after the command: shells for `completions`, names where they are taken. Only `watch` takes several.
    static func operandCases(names: String, shells: String) -> String {
        Command.allCases.compactMap { command in
            switch command.entry.operand {
            case .shell: "    \(command)) [[ -n $operand ]] || \(shells) ;;"
            case .name: "    \(command)) [[ -n $operand ]] || \(names) ;;"
            case .names: "    \(command)) \(names) ;;"
            case nil: nil
            }
        }.joined(separator: "\n")
    }

    /// Lists the names, one per line. Anybody may have chosen them: a shell must not take a name for anything but text,
    /// nor the command take it for an option.
    static let list = #"watch-value list "${place[@]}" 2>/dev/null | grep -v '^-'"#

    /// Lists the groups, one per line: their containers lie side by side.
    static let groups = #"ls "$(dirname "$(watch-value path -g default)")" 2>/dev/null"#

    /// Flags of options whose value may be the next word, except those that say where values are.
    static let valued = Option.allCases
        .filter { $0.entry.value != nil && ![.group, .container].contains($0) }.flatMap(flags)

    /// Commands after whose NAME `--` begins another command line.
    static let runners = Command.allCases.filter(\.entry.takesProgram).map(\.rawValue)

    /// Finds the command (`watch` if none is typed), whether it has an operand, and the options that say where values
    /// are. If another command line begins after the word `i`, `program` completes that one instead.
    static func scan(
        _ words: String, first: Int, last: String, program: String, unquoted: (_ word: String) -> String
    ) -> String {
        """
          local command= operand= i
          local -a place
          place=()
          for ((i = \(first); i < \(last); i++)); do
            case ${\(words)[i]} in
            --)
              : "${command:=watch}"
              case $operand$command in yes\(runners.joined(separator: "|yes")))
        \(program)
                return ;;
              esac ;;
            -g|--group|--container) place+=("${\(words)[i]}" "\(unquoted("\(words)[i+1]"))"); ((i++)) ;;
            -g*|--group=*|--container=*) place+=("\(unquoted("\(words)[i]"))") ;;
            \(valued.joined(separator: "|"))) ((i++)) ;;
            -*) ;;
            \(commands.joined(separator: "|"))) if [[ -z $command ]]; then command=${\(words)[i]}; else operand=yes; fi ;;
            *) operand=yes; : "${command:=watch}" ;;
            esac
          done
          # As the shell will have it; nothing else of a word is run here.
          place=("${place[@]/#\\~\\//$HOME/}")
          place=("${place[@]/#\\$HOME\\//$HOME/}")
        """
    }
}
