import {readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {composeService, type RunningService} from './compose.js';
import {createShutdownList, createLog} from './compose-core.js';
import {type Config, parseConfig} from './config/config.js';
import {durabilityAdvice} from './domain/core/durability.js';
import {deadlines} from './domain/core/limits.js';
import type {Log} from './domain/core/log.js';
import {describeNextStep} from './domain/workspaces/setup.js';
import {firstWorkspaceCommand} from './domain/workspaces/workspace.js';
import {describeStart, explainFailedStart} from './explain-start.js';
import {prepareHeap} from './heap.js';
import {removeStartRecord, isSameStore, recordStart, readOrCreateSecretKey} from './local-data.js';
import {type FirstRun, prepareFirstRun} from './service/first-run.js';
import {StartupError} from './store/core/installation.js';

/** The time (ms) between SIGTERM and the exit. Accepted requests are finished within it, or given up. */
const stopWithinMs = 25_000;

/**
 * The folder of the built dashboard, beside the bundle (see scripts/bundle.mjs) or, with `npm run dev`,
 * beside src/.
 */
const webFolder = new URL(
  new URL(import.meta.url).pathname.endsWith('.ts') ? '../dist/web/' : './web/',
  import.meta.url,
);

const signals = ['SIGTERM', 'SIGINT'] as const;

const closings = createShutdownList();
const stopping = new AbortController();

try {
  await startService();
} catch (error) {
  // After a signal has stopped the start, errors come from connections that are already closed.
  if (!stopping.signal.aborted) {
    await closings.run().catch(() => undefined);
    failStart(error);
  }
}

async function startService(): Promise<void> {
  const local = process.argv.includes('--local');
  const {config, secrets, warnings} = parseConfig(process.env, {
    local,
    terminal: process.stdout.isTTY,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  const log = createLog(config, closings, () => process.kill(process.pid, 'SIGKILL'));
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  for (const signal of signals) process.on(signal, endStart);
  const secretKey = secrets.secretKey ?? (await readOrCreateSecretKey(config.dataDir));
  const {version} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const service = await composeService({
    config,
    secrets: {...secrets, secretKey},
    log,
    closings,
    version,
    webFolder,
    location: `${hostname()}:${process.pid}`,
    onOpen: stopOnSignal,
    onOutdated: (running) => {
      if (!stopping.signal.aborted) stop(running, 1);
    },
  });

  const {store, services} = service.core;
  if (local && !(await isSameStore(config.dataDir, store.installation.generation))) {
    throw new StartupError(
      `${config.dataDir} held another data set than its Redis does now: its append-only file was lost or replaced. Restore it, or remove ${config.dataDir} to start empty.`,
    );
  }
  if (!config.production) await recordAddress(config, service, log);
  // The `standup-admin` command finds the key in the data folder, so it must find the Redis there too.
  if (!local && secrets.secretKey === undefined) {
    const {pid} = process;
    await recordStart(config.dataDir, {url: secrets.redisUrl, pid});
    closings.defer(() => removeStartRecord(config.dataDir, {pid}));
  }
  prepareHeap();
  const {durability} = store.facts;
  const own = {port: service.address?.port, node: process.versions.node, version};
  log.info(describeStart({config, secrets}, store, own), 'started');
  if (durability === 'none') log.warn({durability}, durabilityAdvice.none);
  if (local)
    return printText(
      createWelcomeText(config, service, await prepareFirstRun(services, performance.now() + deadlines.job)),
    );
  const few = await services.workspaces.listFewWorkspaces(performance.now() + deadlines.job);
  if (few?.length === 0) {
    log.warn({}, `there is no workspace yet: run \`${firstWorkspaceCommand}\``);
  }
}

/**
 * Records the address of this service for links of the `standup-admin` command. In production, the command has its
 * own setting. A read-only store does not stop the start.
 */
async function recordAddress(config: Config, service: RunningService, log: Log): Promise<void> {
  if (!config.roles.web) return;
  await service.core.store.installation
    .notePublicUrl(findServiceAddress(config, service), performance.now() + deadlines.job)
    .catch((error: unknown) => log.warn({reason: String(error)}, 'the command does not know this address'));
}

/** Returns the address under which people reach the service. With PORT=0, only the server knows the port. */
function findServiceAddress({http}: Config, {address}: RunningService): string {
  return http.port === 0 && address !== undefined ? `http://localhost:${address.port}` : http.publicUrl;
}

/** Returns the text of the first start: the addresses, the sign-in link, and a request to try. */
function createWelcomeText(
  {http, slack, webhooks}: Config,
  {address, hasDashboard}: RunningService,
  {token, liveTokens, signIn, setup}: FirstRun,
): string {
  const base = address === undefined ? http.publicUrl : `http://localhost:${address.port}`;
  const bearer = token ?? '$STANDUP_TOKEN';
  const access =
    token === undefined
      ? `${liveTokens} token${liveTokens === 1 ? ' is' : 's are'} live; it was shown when made. Another: npm run -s admin -- token create --name me`
      : `${token}\n             (all scopes, 90 days; shown only this once)`;
  const first = hasDashboard
    ? `Open this first: it signs the owner in, once, within 10 minutes.\n\n  ${signIn}`
    : 'The dashboard is not built; `npm run build` says why.';
  const next = describeNextStep(setup);
  return `
Team Standup Service is running. ${first}
${next === undefined ? '' : `\nNext: ${next}\n`}
  API        ${base}/v1
  Docs       ${base}/docs
  Token      ${access}
  Slack      ${slack === undefined ? 'not configured (see docs/slack.md)' : createSlackLine(slack)}
  Webhooks   may also go to ${webhooks.allowNetworks.join(' and ')}, since this is not production

Post a standup:

  curl -sS ${base}/v1/standups \\
    -H "Authorization: Bearer ${bearer}" \\
    -H "Content-Type: application/json" \\
    -d '{"team": "platform", "update": "Started the standup service."}'

Stop with Ctrl-C.
`;
}

function createSlackLine({admins}: NonNullable<Config['slack']>): string {
  return admins ? 'configured; its admins and owners are admins here' : 'configured';
}

/** Ends a start that waits for the store. The first process of a container ends by no signal without this. */
function endStart(): void {
  process.exit(1);
}

function stopOnSignal(service: RunningService): void {
  for (const signal of signals) {
    process.off(signal, endStart);
    process.on(signal, () => stop(service, 0));
  }
}

/** Finishes accepted requests, and exits. A second call exits at once. */
function stop(service: RunningService, code: number): void {
  if (stopping.signal.aborted) process.exit(1);
  stopping.abort();
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  service
    .drain()
    .then(() => closings.run())
    .then(
      () => process.exit(code),
      () => process.exit(1),
    );
}

/** Prints an error for the operator and exits. Only a bug has a stack trace. */
function failStart(error: unknown): never {
  const trace = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${explainFailedStart(error) ?? trace}\n`);
  process.exit(1);
}

function printText(text: string): void {
  process.stdout.write(text);
}
