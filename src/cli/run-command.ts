import {readFileSync} from 'node:fs';
import {Command, CommanderError} from 'commander';
import {composeCore, createShutdownList, createLog} from '../compose-core.js';
import {ConfigError, parseConfig} from '../config/config.js';
import {AppError} from '../domain/core/errors.js';
import {deadlines} from '../domain/core/limits.js';
import {findRunningStart, readOrCreateSecretKey} from '../local-data.js';
import {operatorCall} from '../service/workspaces/workspaces.js';
import {createRedisClient} from '../store/core/redis-client.js';
import {type DataFormats, StartupError} from '../store/core/installation.js';
import {findSignatureError} from '../webhook/verify.js';
import {addDataCommands} from './data.js';
import {addDoctorCommand} from './doctor.js';
import {explainRefusal} from './explain.js';
import {addJobsCommand} from './jobs.js';
import {addKeyCommands} from './keys.js';
import {addLoginCommand} from './login.js';
import {addMemberCommands} from './member.js';
import type {Session} from './session.js';
import {addSlackCommands} from './slack.js';
import {addTeamCommands} from './team.js';
import {addTokenCommands} from './token.js';
import {CommandError, UsageError} from './usage.js';
import {addWebhookCommands} from './webhook.js';
import {addWorkspaceCommands} from './workspace.js';

/** The parts of the process that a command uses. */
export interface CommandProcess {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to stdout. */
  readonly print: (text: string) => void;
  /** Writes to stderr. */
  readonly warn: (text: string) => void;
  /** Writes to stdout, and waits while its reader is slow. */
  readonly write: (text: string) => Promise<void>;
  /** Asks for a secret at the terminal without showing it; undefined without a terminal. */
  readonly askSecret: (question: string) => Promise<string | undefined>;
  readonly untilStopped: () => Promise<void>;
  readonly isAlive: (pid: number) => boolean;
  /** The data formats of this program; only tests set them. */
  readonly formats?: DataFormats;
}

/** Runs a `standup-admin` command and returns its exit code. */
export async function runCommand(outside: CommandProcess): Promise<number> {
  const {print, warn, untilStopped, isAlive} = outside;
  const program = new Command('standup-admin')
    .description(
      'Manages a Team Standup Service: workspaces, members, teams, tokens, webhooks, keys and Slack.',
    )
    .showHelpAfterError('(see --help)')
    .configureOutput({writeOut: print, writeErr: warn})
    .exitOverride();
  addWorkspaceCommands(program, withSession);
  addMemberCommands(program, withSession);
  addTeamCommands(program, withSession);
  addTokenCommands(program, withSession);
  addLoginCommand(program, withSession);
  addWebhookCommands(program, withSession);
  addKeyCommands(program, withSession);
  addJobsCommand(program, withSession);
  addSlackCommands(program, print);
  addDataCommands(program, withSession);
  addDoctorCommand(program, withSession);
  for (const command of createAllCommands(program)) command.exitOverride();

  try {
    await program.parseAsync(outside.args, {from: 'user'});
    return 0;
  } catch (error) {
    return reportError(error, warn);
  }

  async function withSession(run: (session: Session) => Promise<void>): Promise<void> {
    const closings = createShutdownList();
    try {
      await run(await openSession(closings));
    } finally {
      await closings.run();
    }
  }

  /**
   * Opens the store at REDIS_URL, or else the Redis of an `npm start` on the same data folder. Links use the
   * address from the environment, or else that of the process that started last.
   */
  async function openSession(closings: ReturnType<typeof createShutdownList>): Promise<Session> {
    const env = {...outside.env};
    const dataDir = env['DATA_DIR'] || '.data';
    const isProduction = env['NODE_ENV'] === 'production';
    let local = false;
    if (!env['REDIS_URL'] && !env['REDIS_URL_FILE'] && !isProduction) {
      const running = await findRunningStart(dataDir, isAlive);
      if (running === undefined) {
        throw new StartupError('No running service was found: start one with `npm start`, or set REDIS_URL.');
      }
      env['REDIS_URL'] = running.url;
      // It then offers what that service offers, such as codes by mail, which it writes into its log.
      local = running.isLocal;
    }
    const {config, secrets, warnings} = parseConfig(env, {
      local,
      readFile: (path) => readFileSync(path, 'utf8'),
    });
    const secretKey = secrets.secretKey ?? (await readOrCreateSecretKey(config.dataDir));
    const log = createLog({logLevel: 'silent', logFormat: 'json'}, closings);
    const wake = (): void => undefined;
    const {store, services, signingKeys, publicUrl, waysIn} = await composeCore({
      isCommand: true,
      leadsToLastStart: !isProduction && !env['PUBLIC_URL'] && !env['PORT'],
      config,
      secrets: {...secrets, secretKey},
      log,
      closings,
      wake,
      formats: outside.formats,
    });
    const deadline = (): number => performance.now() + deadlines.job;
    return {
      services,
      signingKeys,
      reencrypt: store.reencrypt,
      frozen: store.frozen,
      data: {
        found: store.installation.format,
        newest: store.formats.writes,
        listTooOld: store.processes.listTooOld,
        raise: store.processes.raiseFormat,
      },
      moves: store,
      listLarge: store.listLargeWorkspaces,
      write: outside.write,
      askSecret: outside.askSecret,
      print,
      warn,
      untilStopped,
      findSignatureError: (request, secret) => findSignatureError(request, secret, Date.now()),
      deadline,
      chooseWorkspace: (reference) => services.workspaces.chooseWorkspace(reference, deadline()),
      call: ({id}) => operatorCall(id, deadline()),
      async countQueued() {
        const {countQueuedJobs: countQueued} = await import('../jobs/work-queue.js');
        const {queueRedisUrl: url} = secrets;
        const {tlsVerify} = config.redis;
        return countQueued(createRedisClient({url, tlsVerify, onError: () => undefined, forQueue: true}));
      },
      async askSlack() {
        const botToken = secrets.slack?.botToken;
        if (botToken === undefined) return undefined;
        const [{createSlackClients}, {testToken: askSlack}] = await Promise.all([
          import('../bot/slack/core/clients.js'),
          import('../bot/slack/core/slack-gateway.js'),
        ]);
        const clients = createSlackClients({apiUrl: config.slack?.apiUrl, log});
        return (await askSlack(clients.interactive({botToken}))).problem;
      },
      async askMailServer() {
        if (config.mail === undefined) return undefined;
        const {createSmtp} = await import('../mail/smtp.js');
        return (await createSmtp({...config.mail, login: secrets.smtpLogin}).check()) ?? null;
      },
      facts: {
        warnings,
        redisVersion: store.facts.version,
        store: await store.probe(deadline()),
        cluster: await store.readCluster(deadline()),
        servers: (await store.readServers(deadline())).servers,
        confirmReplicas: config.redis.confirmReplicas,
        durability: store.facts.durability,
        installation: store.installation.id,
        slack: config.slack,
        mail: config.mail && `${config.mail.host}:${config.mail.port}`,
        isMailLogged: config.mail === undefined && config.local,
        publicUrl,
        waysIn: [...waysIn],
        webhooks: config.webhooks.proxy === undefined ? 'direct' : `through ${config.webhooks.proxy}`,
      },
    };
  }
}

function createAllCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(createAllCommands)];
}

/** Prints an error as one line on stderr. Returns exit code 2 for wrong arguments, 1 for any other error. */
function reportError(error: unknown, warn: (text: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    warn(`${error.message}\n`);
    return 2;
  }
  if (error instanceof AppError) {
    warn(`${explainRefusal(error)}\n`);
    return 1;
  }
  const known = [CommandError, ConfigError, StartupError].some((kind) => error instanceof kind);
  warn(`${error instanceof Error ? (known ? error.message : error.stack) : String(error)}\n`);
  return 1;
}
