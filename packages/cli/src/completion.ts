import type {Command} from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;

const scripts: Readonly<Record<string, string>> = {
  bash: `_standup() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(standup complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _standup standup
`,
  zsh: `#compdef standup
_standup() {
  compadd -- \${(f)"$(standup complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"}
}
compdef _standup standup
`,
  fish: `complete -c standup -f -a '(standup complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

/** Returns the script that connects a shell to `standup complete`. */
export function writeCompletion(shell: string): string {
  return scripts[shell] ?? '';
}

/** Lists what may follow: the commands, or the options of a command. The last word is the one being typed. */
export function completeWords(program: Command, words: readonly string[]): string {
  let command = program;
  for (const word of words.slice(0, -1)) {
    command = command.commands.find((one) => one.name() === word) ?? command;
  }
  const typed = words.at(-1) ?? '';
  const help = command.createHelp();
  const names = typed.startsWith('-')
    ? help.visibleOptions(command).flatMap(({long}) => long ?? [])
    : help.visibleCommands(command).map((one) => one.name());
  return names.map((name) => `${name}\n`).join('');
}
