import type {Argument, Command, Option} from 'commander';
import {addDays} from '../../../src/domain/core/dates.js';
import {findKnownValues, type KnownValues, type Value} from './completion-values.js';
import type {Outside} from './outside.js';
import {formatDay} from './session.js';
import {listProfiles} from './settings.js';

export const shells = ['bash', 'zsh', 'fish'] as const;

// Each line of `standup complete` is a word, and after a tab a note. Bash must not expand the words, which come
// from a service.
const scripts: Readonly<Record<string, string>> = {
  bash: `_standup() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(standup complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _standup standup
`,
  zsh: `#compdef standup
_standup() {
  local -a lines values
  lines=(\${(f)"$(standup complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  values=(\${lines%%$'\\t'*})
  compadd -d lines -a values
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

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** The words that may follow a word of `ooo`. */
const dayWords: Readonly<Record<string, readonly string[]>> = {
  ooo: ['today', 'tomorrow', 'until', 'next', ...weekdays],
  until: ['tomorrow', ...weekdays],
  next: ['week', ...weekdays],
};

/** A word that a shell can insert as it is: a name or a date, never anything that it would run. */
const isPlain = ({value}: Value) => /^[\w@.,+-]+$/.test(value);

/**
 * Lists what may follow: commands, options, or values of options and arguments. The last word is the one being
 * typed. It sends no request, so that the shell need not wait.
 */
export async function completeWords(
  outside: Outside,
  program: Command,
  words: readonly string[],
): Promise<string> {
  let command = program;
  let open: Option | undefined;
  let [positional, profile]: [number, string | undefined] = [0, undefined];
  // Bash divides --team=platform into three words, zsh and fish into none.
  const given = words.slice(0, -1).filter((word) => word !== '=');
  for (const word of given) {
    const option = command.options.find(({long, short}) => word === long || word === short);
    const subcommand = command.commands.find((one) => one.name() === word);
    if (open !== undefined) {
      if (open.long === '--profile') profile = word;
      open = undefined;
    } else if (option !== undefined) open = option.required ? option : undefined;
    else if (subcommand !== undefined && positional === 0) command = subcommand;
    else if (!word.startsWith('-')) positional += 1;
  }
  const [last = ''] = words.slice(-1);
  const [, long, assigned] = /^(--[\w-]+)=(.*)$/.exec(last) ?? [];
  const ofLast = command.options.find((one) => one.long === long && one.required);
  const typed = assigned ?? (last === '=' ? '' : last);
  const before = ofLast === undefined ? '' : `${ofLast.long}=`;
  const option = ofLast ?? open;
  const help = command.createHelp();
  const args = command.registeredArguments;
  const argument = args[positional] ?? args.find(({variadic}) => variadic);
  const found =
    option !== undefined
      ? await listValues(option)
      : typed.startsWith('-')
        ? help.visibleOptions(command).map((one) => ({value: one.long ?? '', note: one.description}))
        : [
            ...(positional > 0 ? [] : help.visibleCommands(command)).map((one) => ({
              value: one.name(),
              note: one.description(),
            })),
            ...(argument === undefined ? [] : await listValues(argument)),
          ];
  return found
    .filter((one) => one.value.startsWith(typed) && isPlain(one))
    .map(({value, note}) => `${before}${value}${note ? `\t${note}` : ''}\n`)
    .join('');

  async function listValues(asked: Option | Argument): Promise<readonly Value[]> {
    if (asked.argChoices !== undefined) return asked.argChoices.map((value) => ({value}));
    const name = 'flags' in asked ? /<(\w+)>/.exec(asked.flags)?.[1] : asked.name();
    switch (name) {
      case 'team':
      case 'teams':
        return listTeams(await findKnownValues(outside, profile));
      case 'blocker':
        return (await findKnownValues(outside, profile)).blockers;
      case 'date': {
        const today = formatDay(outside.now());
        const days = [-1, 0, 1].map((days) => addDays(today, days));
        return days.map((value, index) => ({value, note: ['yesterday', 'today', 'tomorrow'][index] ?? ''}));
      }
      case 'days':
        return (dayWords[given.at(-1) ?? ''] ?? []).map((value) => ({value}));
      case 'name':
        return listProfiles(outside).map((value) => ({value}));
      default:
        return [];
    }
  }

  /** Lists the teams. After a comma, those that are not yet named. */
  function listTeams({teams}: KnownValues): readonly Value[] {
    const named = typed.split(',').slice(0, -1);
    return teams
      .filter(({value}) => !named.includes(value))
      .map(({value, note = ''}) => ({value: [...named, value].join(','), note}));
  }
}
