import {Argument, Command, CommanderError, Option} from 'commander';
import {showUnprintable} from '../../../src/domain/core/table.js';
import {comeBack, goAway} from './away.js';
import {changeBlocker, listBlockers, raiseBlocker} from './blockers.js';
import {editUpdate, undo} from './change.js';
import {completeWords, shells, writeCompletion} from './completion.js';
import {refreshKnownValues} from './completion-values.js';
import {showDay, showMissing} from './days.js';
import {type DraftOptions, showDraft, writeDraft} from './draft.js';
import {CommandError, exitCodes} from './errors.js';
import {type HistoryOptions, showHistory} from './history.js';
import {
  importDailybot,
  importFile,
  importGeekbot,
  type ImportOptions,
  resumeImport,
  showImports,
  undoImport,
} from './import.js';
import type {FileOptions} from './import-file.js';
import {login, type LoginOptions, logout} from './login.js';
import {relayMcp} from './mcp.js';
import {openDashboard} from './open.js';
import type {Outside} from './outside.js';
import {listPeople, showMe} from './people.js';
import {type PostOptions, postUpdate} from './post.js';
import {type GlobalOptions, openSession} from './session.js';

/** Commands of the operator, whose command had the name `standup` before. */
const operatorNouns = [
  'workspace',
  'member',
  'team',
  'token',
  'webhook',
  'keys',
  'jobs',
  'slack',
  'data',
  'doctor',
];

/** Runs a `standup` command. Returns its exit code. */
export async function runStandup(outside: Outside): Promise<number> {
  const program = createProgram(outside);
  try {
    await program.parseAsync(outside.args, {from: 'user'});
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const isExpected = error instanceof CommandError;
    const message = error instanceof Error ? error.message : String(error);
    const said = isExpected ? message : `The command has failed: ${message}`;
    outside.warn(`${said.split('\n').map(showUnprintable).join('\n')}\n`);
    return isExpected ? exitCodes[error.reason] : exitCodes.refused;
  }
}

function createProgram(outside: Outside): Command {
  const program = new Command('standup')
    .description('Posts and reads standups. Sign in once: standup login https://standup.example.com')
    .version(outside.version)
    .showHelpAfterError('(see --help)')
    .configureOutput({writeOut: outside.print, writeErr: outside.warn});
  const open = (options: GlobalOptions) => openSession(outside, options);
  const team = ['--team <team>', 'the team, by its short name'] as const;
  const date = ['--date <date>', 'the day, such as 2026-11-23'] as const;

  add('login [url]', 'sign in by a code that you enter in the dashboard')
    .option('--with-token', 'read a token from stdin instead')
    .option(team[0], 'the team for commands without one')
    .option('--for-import', 'also for `standup import`, as an owner or admin')
    .addOption(new Option('--member <who>').hideHelp())
    .action((url: string | undefined, options: LoginOptions & {member?: string}) => {
      if (options.member !== undefined) throw createOperatorError('login');
      return login(outside, url, options);
    });
  add('logout', 'sign out, and revoke the token').action((options: GlobalOptions) =>
    logout(outside, options),
  );
  add('whoami', 'show who you are, your teams, and until when you are signed in').action(
    (options: GlobalOptions) => showMe(open(options)),
  );

  add('post [text...]', 'post an update: from the words here, a pipe, or your editor')
    .option('--team <teams>', 'the team, or several: platform,mobile')
    .option(...date)
    .option('--blocker <text>', 'what blocks you; several times for several', collect)
    .addOption(
      new Option('--from <source>', 'begin with your commits, or your draft').choices(['git', 'draft']),
    )
    .addOption(
      new Option('--format <format>', 'how the text is written; in your editor, Markdown').choices([
        'plain',
        'markdown',
      ]),
    )
    .option('--yes', 'post the draft without asking')
    .option('--retry', 'send the updates that could not be sent before')
    .action((words: string[], options: PostOptions & GlobalOptions) =>
      postUpdate(open(options), words, options),
    );
  add('edit [text...]', 'change your newest update of today')
    .option(...team)
    .action((words: string[], options: GlobalOptions & {team?: string}) =>
      editUpdate(open(options), words, options.team),
    );
  add('undo', 'take back your last post or edit, within 15 minutes').action((options: GlobalOptions) =>
    undo(open(options)),
  );

  const draft = add('draft', 'show what is prepared for your next update')
    .option(...team)
    .option(...date)
    .action((options: GlobalOptions & DraftOptions) => showDraft(open(options), options));
  add('set <text...>', 'replace your notes in it', draft)
    .option(...team)
    .option(...date)
    .action((words: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & DraftOptions>();
      return writeDraft(open(options), words.join(' '), options);
    });

  add('today [team]', 'show what everyone posted today')
    .option(...date)
    .action((given: string | undefined, options: GlobalOptions & {date?: string}) =>
      showDay(open(options), given, options.date),
    );
  add('missing [team]', 'list who has not posted yet')
    .option(...date)
    .action((given: string | undefined, options: GlobalOptions & {date?: string}) =>
      showMissing(open(options), given, options.date),
    );
  add('history', 'list your updates, or those of a team or a person')
    .option('--team <team>', 'only those for a team, or several: platform,mobile')
    .option('--author <person>', 'only those of a person, by e-mail address; all for everyone')
    .option('--q <text>', 'only those with this text')
    .option('--since <date>', 'only those from this day on')
    .option('--until <date>', 'only those up to this day')
    .option('--limit <number>', 'how many, at most 100 (default: 10)')
    .option('--all', 'all of them, as one JSON object on each line')
    .action((options: GlobalOptions & HistoryOptions) => showHistory(open(options), options));
  add('who [person]', 'list people, and the time where they are')
    .option('--team <team>', 'only those in a team')
    .action((person: string | undefined, options: GlobalOptions & {team?: string}) =>
      listPeople(open(options), person ?? '', options.team),
    );
  add('ooo [days...]', 'be away: ooo until friday, ooo 24 Dec to 2 Jan; today without days')
    .option('--back', 'end your absence')
    .action((days: string[], options: GlobalOptions & {back?: boolean}) =>
      options.back ? comeBack(open(options)) : goAway(open(options), days.join(' ')),
    );

  const blockers = add('blockers', 'list open blockers, or raise, acknowledge and resolve one')
    .option(...team)
    .option('--all', 'also those that are resolved')
    .action((options: GlobalOptions & {team?: string; all?: boolean}) =>
      listBlockers(open(options), options.team, options.all ?? false),
    );
  add('raise <text...>', 'raise a blocker', blockers)
    .option(...team)
    .action((words: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & {team?: string}>();
      return raiseBlocker(open(options), words.join(' '), options.team);
    });
  add('ack <blocker>', 'say that you are on it', blockers).action(
    (id: string, _options: unknown, command: Command) =>
      changeBlocker(open(command.optsWithGlobals()), id, 'acknowledged'),
  );
  add('resolve <blocker>', 'say that it is gone', blockers).action(
    (id: string, _options: unknown, command: Command) =>
      changeBlocker(open(command.optsWithGlobals()), id, 'resolved'),
  );

  const imports = program
    .command('import')
    .helpCommand(false)
    .description('import standups of another product, or of a file; asks before it does');
  addImport('geekbot', 'import from Geekbot, with its key in GEEKBOT_API_KEY')
    .option('--confidential', 'also confidential reports, which everyone in the team then reads')
    .action((options: GlobalOptions & ImportOptions) => importGeekbot(open(options), options));
  addImport('dailybot', 'import from DailyBot, with its key in DAILYBOT_API_KEY').action(
    (options: GlobalOptions & ImportOptions) => importDailybot(open(options), options),
  );
  addImport('csv <file>', 'import a file of CSV, or of one JSON row in each line')
    .option('--column <field=name>', 'what a column is, such as date=Day; several times for several', collect)
    .addOption(
      new Option('--date-order <order>', 'which comes first in dates such as 03/04/2024').choices([
        'day-first',
        'month-first',
      ]),
    )
    .option('--two-digit-years', 'take the year 24 as 2024')
    .addOption(
      new Option('--delimiter <name>', 'what is between cells').choices(['comma', 'semicolon', 'tab']),
    )
    .option('--source <source>', 'the name of the source, by which a second run knows its rows', 'csv')
    .action((file: string, options: GlobalOptions & ImportOptions & Omit<FileOptions, 'team'>) =>
      importFile(open(options), file, options),
    );
  add('resume', 'go on with an import that was interrupted', imports).action((options: GlobalOptions) =>
    resumeImport(open(options)),
  );
  add('status', 'list imports', imports).action((options: GlobalOptions) => showImports(open(options)));
  add('undo [import]', 'take back the standups of an import; the newest without its id', imports)
    .option('--yes', 'do not ask')
    .action((id: string | undefined, options: GlobalOptions & ImportOptions) =>
      undoImport(open(options), id, options),
    );

  add('open', 'open the dashboard in a browser').action(({profile}: GlobalOptions) =>
    openDashboard(outside, profile),
  );
  add('mcp', 'connect an assistant: pass MCP messages between stdin and the service').action(
    (options: GlobalOptions) => relayMcp(open(options)),
  );
  program
    .command('completion')
    .description('print the completion for your shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: string) => outside.print(writeCompletion(shell)));
  program
    .command('complete', {hidden: true})
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => outside.print(await completeWords(outside, program, words)));
  program
    .command('refresh-completion', {hidden: true})
    .option('--profile <name>')
    .action((options: GlobalOptions) => refreshKnownValues(open(options)));
  for (const noun of operatorNouns) {
    program
      .command(noun, {hidden: true})
      .argument('[rest...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        throw createOperatorError(noun);
      });
  }
  for (const command of listCommands(program)) command.exitOverride();
  return program;

  function add(usage: string, description: string, parent = program): Command {
    return parent
      .command(usage)
      .description(description)
      .option('--profile <name>', 'another sign-in, by the name you gave it')
      .option('--json', 'print the answer of the API');
  }

  function addImport(usage: string, description: string): Command {
    return add(usage, description, imports)
      .option('--team <source=team>', 'the team here of a team there; several times for several', collect)
      .option('--people <file>', 'who is who: CSV of person and member, `former` or `leave out`')
      .option('--since <date>', 'only standups from this day on')
      .option('--until <date>', 'only standups up to this day')
      .option('--timezone <zone>', 'the zone of times without one; default: that of the team')
      .option('--absences', 'also record days off that are not over')
      .option('--dry-run', 'only show what would be imported')
      .option('--yes', 'do not ask');
  }
}

function createOperatorError(noun: string): CommandError {
  return new CommandError(
    'usage',
    `\`${noun}\` is a command of the operator: run \`standup-admin ${noun}\` on the machine of the service. It needs REDIS_URL.`,
  );
}

const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

function listCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}
