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
    private static func valueCases(
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

    private static func optionCases(_ line: (String) -> String) -> String {
        Command.allCases.map { command in
            "    \(command)) \(line(command.options.flatMap(flags).joined(separator: " "))) ;;"
        }.joined(separator: "\n")
    }

    /// The words after the command: shells for `completions`, names where they are taken. Only `watch` takes several.
    private static func operandCases(names: String, shells: String) -> String {
        Command.allCases.compactMap { command in
            switch command.entry.operand {
            case .shell: "    \(command)) [[ -n $operand ]] || \(shells) ;;"
            case .name: "    \(command)) [[ -n $operand ]] || \(names) ;;"
            case .names: "    \(command)) \(names) ;;"
            case nil: nil
            }
        }.joined(separator: "\n")
    }

    /// Lists the names, one per line. Anybody may have chosen them: no shell may take one for anything but text, nor
    /// the command for an option.
    private static let list = #"watch-value list "${place[@]}" 2>/dev/null | grep -v '^-'"#

    /// Lists the groups, one per line: their containers lie side by side.
    static let groups = #"ls "$(dirname "$(watch-value path -g default)")" 2>/dev/null"#

    /// Flags of options whose value may be the next word, except those that say where values are.
    static let valued = Option.allCases
        .filter { $0.entry.value != nil && ![.group, .container].contains($0) }.flatMap(flags)

    /// Commands after whose NAME `--` begins another command line.
    static let runners = Command.allCases.filter(\.entry.takesProgram).map(\.rawValue)

    /// Finds the command, which is `watch` if none is typed, whether it has an operand, and the options that say where
    /// values are. If another command line begins after the word `i`, `program` completes that instead.
    private static func scan(
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

    private static let bashProgram = """
                if declare -F _command_offset >/dev/null; then
                  _command_offset $((starts[i] + 1))
                elif ((i + 1 < last)) || [[ $2 == */* ]]; then
                  compopt -o default 2>/dev/null
                else
                  COMPREPLY=($(compgen -c -- "$2"))
                fi
        """

    private static let zshProgram = """
                shift $i words
                ((CURRENT -= i))
                _normal
        """

    private static var bash: String {
        """
        # Completions of watch-value for bash: source <(watch-value completions bash)
        _watch_value() {
          # Bash takes words apart at = and some more; what has nothing between it is one word.
          local word rest=$COMP_LINE count=0
          local -a typed starts
          typed=() starts=()
          for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
            if [[ $count == 0 || $rest == [[:space:]]* ]]; then
              typed+=("$word") starts+=($count)
            else
              typed[-1]+=$word
            fi
            rest=${rest#*"$word"}
            ((count++))
          done
          local last=$((${#typed[@]} - 1))
          COMPREPLY=()
        \(scan("typed", first: 1, last: "last", program: bashProgram) {
            #"$(xargs printf %s <<< "${\#($0)}" 2>/dev/null)"#
        })
          local current=${typed[last]} previous=${typed[last-1]} option= words= lister=
          # Readline keeps this, and replaces the rest.
          local kept=${current%"$2"}
          if [[ $current == --*=* ]]; then
            option=${current%%=*}= previous=${current%%=*} current=${current#*=}
          fi
          case $previous in
        \(valueCases(groups: "lister=groups", directories: "compopt -o dirnames 2>/dev/null; return") { "words=\"\($0)\"" })
          esac
          if [[ -n $words$lister ]]; then :
          elif [[ $current == -* ]]; then
            case ${command:-watch} in
        \(optionCases { "words=\"\($0)\"" })
            esac
          elif [[ $current == */* ]]; then
            compopt -o default 2>/dev/null
            return
          else
            case ${command:-watch} in
        \(operandCases(names: "lister=names", shells: "words=\"\(shells.joined(separator: " "))\""))
            esac
            if [[ -z $command ]]; then words+="\(commands.joined(separator: " "))"; fi
          fi
          COMPREPLY=($(compgen -P "$option" -W "$words" -- "$current"))
          if [[ -n $lister ]]; then
            while IFS= read -r word; do
              # As it is to be typed, so not by compgen -W, which would run the $(…) of a name.
              if [[ $current != [\\'\\"]* ]]; then
                printf -v word %q "$word"
              elif [[ $word != *[\\'\\"\\$\\`\\\\!]* ]]; then
                word=${current:0:1}$word
              fi
              if [[ $word == "$current"* ]]; then COMPREPLY+=("$option$word"); fi
            done < <(if [[ $lister == groups ]]; then \(groups); else \(list); fi)
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
        \(scan("words", first: 2, last: "CURRENT", program: zshProgram) { "${(Q)\($0)}" })
          local current=${words[CURRENT]} previous=${words[CURRENT-1]}
          local -a found
          if [[ $current == --*=* ]]; then
            compset -P 1 '*='
            previous=${current%%=*} current=${current#*=}
          fi
          case $previous in
        \(valueCases(groups: "found=(${(f)\"$(\(groups))\"}); compadd -a found; return", directories: "_path_files -/; return") {
            "compadd \($0); return"
        })
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
}
