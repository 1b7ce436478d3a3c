extension Completions {
    static var bash: String {
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

    private static let bashProgram = """
                if declare -F _command_offset >/dev/null; then
                  _command_offset $((starts[i] + 1))
                elif ((i + 1 < last)) || [[ $2 == */* ]]; then
                  compopt -o default 2>/dev/null
                else
                  COMPREPLY=($(compgen -c -- "$2"))
                fi
        """
}
