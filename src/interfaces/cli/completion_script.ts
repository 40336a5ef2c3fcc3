/**
 * Beginning of a command, without `atelier` → its possible continuations. A beginning that ends with a flag
 * has the values of the flag.
 */
export type Choices = Record<string, string[]>;

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * A script that completes commands, tools, flags and their values. It contains all the words, because
 * starting the program at each key would take half a second. Files are completed as in any command.
 */
export const completionScript = (shell: Shell, choices: Choices): string => WRITERS[shell](choices);

const WRITERS: Record<Shell, (choices: Choices) => string> = { bash, zsh, fish };

/** All names consist of a-z, 0-9, - and _, so only the spaces between them need quoting. */
const cases = (choices: Choices): string =>
  Object.entries(choices)
    .map(([beginning, words]) => `    '${beginning}') echo '${words.join(' ')}' ;;`)
    .join('\n');

const POSIX_WORDS = (choices: Choices) => `_atelier_words() {
  case "$1" in
${cases(choices)}
  esac
}
`;

function bash(choices: Choices): string {
  return `${POSIX_WORDS(choices)}
_atelier() {
  local at word longer beginning=''
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ $word == --* && $at -lt $((COMP_CWORD - 1)) ]] && continue
    longer="\${beginning:+$beginning }$word"
    [[ -n $(_atelier_words "$longer") ]] && beginning="$longer"
  done
  COMPREPLY=($(compgen -W "$(_atelier_words "$beginning")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}

complete -o default -F _atelier atelier
`;
}

function zsh(choices: Choices): string {
  return `#compdef atelier
${POSIX_WORDS(choices)}
_atelier() {
  local at longer beginning=''
  for ((at = 2; at < CURRENT; at++)); do
    [[ \${words[at]} == --* && $at -lt $((CURRENT - 1)) ]] && continue
    longer="\${beginning:+$beginning }\${words[at]}"
    [[ -n $(_atelier_words "$longer") ]] && beginning="$longer"
  done
  compadd -- \${=$(_atelier_words "$beginning")}
  _files
}

compdef _atelier atelier
`;
}

function fish(choices: Choices): string {
  const lines = Object.entries(choices).map(
    ([beginning, words]) => `    case '${beginning}'\n      printf '%s\\n' ${words.join(' ')}`,
  );
  return `function __atelier_words
  switch "$argv"
${lines.join('\n')}
  end
end

function __atelier_next
  set -l beginning
  set -l typed (commandline -opc)[2..-1]
  for at in (seq (count $typed))
    string match -q -- '--*' $typed[$at]; and test $at -lt (count $typed); and continue
    test -n "$(__atelier_words $beginning $typed[$at])"; and set -a beginning $typed[$at]
  end
  __atelier_words $beginning
end

complete -c atelier -a '(__atelier_next)'
`;
}
