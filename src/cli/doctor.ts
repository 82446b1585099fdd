// src/cli/: the `standup-admin` command, with one file for each noun. A command parses its arguments, calls a
// service function, and prints the result. Only the requested output goes to stdout; everything else goes to
// stderr.
import type {Command} from 'commander';
import {durabilityAdvice} from '../domain/core/durability.js';
import {harmlessSkewMs, type ServerReport} from '../domain/core/server-report.js';
import {createRefusedTokenMessage} from '../domain/slack/slack-installation.js';
import type {SendResult, SmtpStep} from '../domain/mail/mail-transport.js';
import {waysIn} from '../domain/tokens/sign-in.js';
import {countWorkers, workerAdvice} from '../domain/core/work.js';
import {formatTable} from '../domain/core/table.js';
import {describeNextStep} from '../domain/workspaces/setup.js';
import {firstWorkspaceCommand, type Workspace} from '../domain/workspaces/workspace.js';
import type {WaitingJobs} from '../service/waiting-jobs.js';
import {showProcess} from './data.js';
import type {DataFormatAdmin, Facts, ListedProcess, WithSession} from './session.js';
import {describeCluster, printLargeWorkspaces} from './slots.js';
import {CommandError} from './usage.js';

export function addDoctorCommand(program: Command, withSession: WithSession): void {
  program
    .command('doctor')
    .description(
      'check the installation and report what to fix; exits with 1 if it cannot work: a store that fails, no worker, a token that Slack rejects, a mail server that takes no mail',
    )
    .option(
      '--slots',
      'list only the workspaces of a cluster with too many keys to be moved while they are used',
    )
    .action(({slots}: {slots?: true}) =>
      withSession(async (session) => {
        if (slots) return printLargeWorkspaces(session);
        const {services, print, deadline, askSlack, askMailServer, facts, call, data} = session;
        /** Describes the next step of the owner of the only workspace, until its team has got going. */
        async function describeNext([only, ...others]: readonly Workspace[]): Promise<string[][]> {
          if (only === undefined || others.length > 0) return [];
          const operator = call(only);
          const principal = (await services.people.findOwner(operator)) ?? operator.principal;
          const next = describeNextStep(await services.findSetup({...operator, principal}));
          return next === undefined ? [] : [['Next', next]];
        }
        const few = await services.workspaces.listFewWorkspaces(deadline());
        const count = few?.length ?? (await services.workspaces.countWorkspaces(deadline()));
        const workers = await services.waitingJobs.listWorkers(deadline());
        const tooOld = await data.listTooOld(deadline());
        const [refusal, mailFailure] = await Promise.all([askSlack(), askMailServer()]);
        print(
          formatTable(
            ['CHECK', 'FOUND', 'ADVICE'],
            [
              ...facts.warnings.map((warning) => ['Settings', warning]),
              ['Redis', facts.redisVersion, 'reachable, not evicting'],
              ['Store', facts.store.state, facts.store.detail ?? 'takes reads and writes'],
              ...describeCluster(facts),
              ...describeServers(facts.servers),
              ...describeConfirmation(facts),
              ['Worker', ...describeWorkers(workers)],
              ['Durability', facts.durability, durabilityAdvice[facts.durability]],
              ['Data format', ...describeFormat(data, tooOld)],
              ['SECRET_KEY', 'fits the data', ''],
              ['Installation', facts.installation, ''],
              ['Public URL', facts.publicUrl, ''],
              ['Sign-in', ...describeWaysIn(facts)],
              ['Slack', ...describeSlackSettings(facts, count)],
              ...describeSlackToken(refusal),
              ...describeSlackAdmins(facts),
              ['Mail', ...describeMail(facts, mailFailure)],
              ['Webhooks', facts.webhooks, ''],
              ['Workspaces', String(count), count === 0 ? firstWorkspaceCommand : ''],
              ...(await describeNext(few ?? [])),
            ],
          ),
        );
        const problems = [
          ...(facts.store.state === 'ok' ? [] : ['the store']),
          ...(findUnconfirmed(facts).length === 0 ? [] : ['too few replicas']),
          ...(hasWorker(workers) ? [] : ['no worker']),
          ...(isTokenRefused(refusal) ? ['the Slack token'] : []),
          ...(mailFailure ? ['the mail server'] : []),
          ...(facts.cluster && facts.cluster.unserved > 0 ? ['slots that no master serves'] : []),
        ];
        if (problems.length > 0) throw new CommandError(`Fix these first: ${problems.join(', ')}.`);
      }),
    );
}

/** Describes each server of a store that has several. */
function describeServers(servers: readonly ServerReport[]): string[][] {
  if (servers.length < 2) return [];
  return servers.map(({name, role, found}) => {
    const head = `Redis ${role}`;
    if (found === undefined) return [head, `${name}: no answer`, 'is it down, or out of reach from here?'];
    const {version, durability, lagBytes = 0, skewMs} = found;
    const advice = [
      ...(durability === 'none' ? ['keeps nothing over a restart: set appendonly yes'] : []),
      ...(Math.abs(skewMs) > harmlessSkewMs
        ? [`its clock is ${Math.abs(skewMs)} ms ${skewMs > 0 ? 'ahead' : 'behind'}: set the time by NTP`]
        : []),
      ...(lagBytes > harmlessLagBytes ? [`${lagBytes} bytes behind its master`] : []),
    ];
    return [head, `${name}: ${version}, ${durability}`, advice.join('; ')];
  });
}

/** Finds the masters with too few replicas to confirm changes. Each of them refuses all changes. */
function findUnconfirmed({servers, confirmReplicas}: Facts): ServerReport[] {
  return servers.filter(({role, found}) => role === 'master' && (found?.replicas ?? 0) < confirmReplicas);
}

/** Describes whether replicas can confirm changes, if they are to. */
function describeConfirmation(facts: Facts): string[][] {
  if (facts.confirmReplicas === 0) return [];
  const few = findUnconfirmed(facts).map(({name, found}) => `${name} has ${found?.replicas ?? 'no answer'}`);
  const advice = few.length === 0 ? 'each master has them' : `changes are refused: ${few.join('; ')}`;
  return [['Replicas', `${facts.confirmReplicas} confirm each change`, advice]];
}

/** The bytes that a replica may be behind its master without a word: those that are just under way. */
const harmlessLagBytes = 1_000_000;

/** Describes the ways to sign in; the advice says what the others need. */
function describeWaysIn({waysIn: on}: Facts): [found: string, advice: string] {
  const off = waysIn.filter((way) => !on.includes(way));
  const advice = off.length === 0 ? '' : `off by SIGN_IN, or not set up: ${off.join(', ')}`;
  return [on.join(', '), advice];
}

/** Describes the format of the data; the advice says whether it may be raised. */
function describeFormat(
  {found, newest}: DataFormatAdmin,
  tooOld: readonly ListedProcess[],
): [found: string, advice: string] {
  if (found === newest) return [String(found), 'the newest of this version'];
  if (tooOld.length === 0)
    return [String(found), `all processes read format ${newest}: standup-admin data upgrade`];
  return [String(found), `before format ${newest}, replace ${tooOld.map(showProcess).join(', ')}`];
}

type WorkerList = Awaited<ReturnType<WaitingJobs['listWorkers']>>;

/** True if a process does background work now. Others in the list may have died, or only wait. */
function hasWorker(workers: WorkerList): boolean {
  return workers.some(({sides}) => sides.includes('service'));
}

/** True if Slack refuses the token. If Slack does not answer, this is no error in the settings. */
function isTokenRefused(problem: string | null | undefined): problem is string {
  return typeof problem === 'string' && problem !== 'no_answer';
}

function describeWorkers(workers: WorkerList): [found: string, advice: string] {
  if (hasWorker(workers)) return [`${countWorkers(workers)} seen`, 'background work is done'];
  const [last] = workers;
  return [last === undefined ? 'none' : `none for ${Math.round(last.silentMs / 1_000)} s`, workerAdvice];
}

function describeSlackToken(
  problem: string | null | undefined,
): [name: string, found: string, advice: string][] {
  if (problem === undefined) return [];
  const name = 'Slack token';
  if (problem === null) return [[name, 'accepted', '']];
  if (problem === 'no_answer')
    return [[name, 'no answer', 'Slack did not respond: is the internet reachable?']];
  return [[name, 'rejected', createRefusedTokenMessage(problem)]];
}

/** The step at which the mail server failed, with what to look at. */
const mailAdvice: Readonly<Record<SmtpStep, string>> = {
  connect: 'it does not answer: are host and port of SMTP_URL right, and is it reachable from here?',
  encrypt:
    'it offers no encryption, or its certificate is not trusted: NODE_EXTRA_CA_CERTS names an authority of your own, and ?tls=off is for private networks',
  'log in': 'it refuses the user name or password in SMTP_URL',
  sender: 'it refuses MAIL_FROM',
};

function describeMail(
  {mail, isMailLogged}: Facts,
  failure: SendResult | null | undefined,
): [found: string, advice: string] {
  if (isMailLogged) return ['in the log', 'to send mails: set SMTP_URL and MAIL_FROM'];
  if (mail === undefined)
    return ['off', 'no codes, invites or reminders by mail: set SMTP_URL and MAIL_FROM'];
  if (!failure) return [mail, 'takes mails: connected and logged in'];
  const {step = 'connect', detail = ''} = failure;
  return [`${mail}: cannot ${step}`, `${mailAdvice[step]} (${detail})`];
}

function describeSlackAdmins({slack}: Facts): [name: string, found: string, advice: string][] {
  if (slack === undefined) return [];
  const name = 'Slack admins';
  if (slack.admins)
    return [
      [
        name,
        'are admins here',
        'SLACK_ADMINS_ARE_ADMINS: owners and admins of the Slack workspace are admins',
      ],
    ];
  return [[name, 'have no rights here', 'to make them admins here: SLACK_ADMINS_ARE_ADMINS=true']];
}

/** Describes the Slack settings and what is missing. Incomplete ones were refused at the start. */
function describeSlackSettings(
  {slack, publicUrl}: Facts,
  workspaces: number,
): [found: string, advice: string] {
  if (slack === undefined) {
    return [
      'not configured',
      'docs/slack.md: SLACK_BOT_TOKEN with SLACK_SIGNING_SECRET (one workspace) or with SLACK_APP_TOKEN (Socket Mode); ' +
        'SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET (many workspaces)',
    ];
  }
  const unreachable = publicUrl.startsWith('https:')
    ? undefined
    : `Slack reaches https addresses only, not ${publicUrl}`;
  if (slack.mode === 'oauth') {
    return ['many workspaces, by OAuth', unreachable ?? `to install it: ${publicUrl}/slack/install`];
  }
  const unnamed =
    workspaces > 1 && slack.workspace === undefined
      ? 'there are several workspaces: name one with SLACK_WORKSPACE'
      : undefined;
  if (slack.socket)
    return [
      'one workspace, by Socket Mode',
      unnamed ?? 'for development; /readyz says whether it is connected',
    ];
  return [
    'one workspace, by its token',
    unnamed ??
      (unreachable && `${unreachable}: set SLACK_APP_TOKEN for Socket Mode`) ??
      `Slack sends its requests to ${publicUrl}/slack/events`,
  ];
}
