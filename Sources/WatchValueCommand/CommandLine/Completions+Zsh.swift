extension Completions {
    static var zsh: String {
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

    private static let zshProgram = """
                shift $i words
                ((CURRENT -= i))
                _normal
        """
}
