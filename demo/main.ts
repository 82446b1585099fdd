// demo/: creates an example workspace by playing some weeks of work. Nothing here is needed by the service or
// its tests.
import {rmSync, writeFileSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {composeService} from '../src/compose.js';
import {createShutdownList, createLog} from '../src/compose-core.js';
import {parseConfig} from '../src/config/config.js';
import {readOrCreateSecretKey} from '../src/local-data.js';
import {operatorCall} from '../src/service/workspaces/workspaces.js';
import {company, people, teams} from './cast.js';
import {playWeeks, webFolder} from './play.js';
import {type DemoReceivers, startReceivers} from './receivers.js';
import type {Id} from '../src/domain/core/ids.js';

export interface DemoOptions {
  /** A Redis that is used only by the demonstration. */
  readonly redisUrl: string;
  /** The folder of the file that describes the demonstration for its next start. */
  readonly folder: string;
  readonly port: number;
  /** Plays all weeks again, even if a demonstration of today exists. */
  readonly fresh: boolean;
  readonly say: (line: string) => void;
}

export interface Demo {
  /** Prints the first lines that a new user reads. */
  readonly welcome: string;
  close(): Promise<void>;
}

/** The content of the file that describes a played demonstration. */
interface DemoState {
  readonly day: string;
  readonly workspace: Id<'workspace'>;
  /** The ids of members, by the keys of people. */
  readonly members: Readonly<Record<string, string>>;
  readonly receiverPort: number;
}

const weeks = 13;
const seed = 20_261;
/** The people whose sign-in links are shown, with what each of them can see. */
const guests = [
  ['mara', 'owner: sees and changes everything'],
  ['jonas', 'lead of Platform'],
  ['kavya', 'teammate in Payments and Design and research'],
] as const;

/** Starts the service on the demonstration of today; plays it first if there is none yet. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const {redisUrl, folder, port, fresh, say} = options;
  const closings = createShutdownList();
  try {
    const secretKey = await readOrCreateSecretKey(folder);
    const known = fresh ? undefined : readSavedDemo(folder);
    const receivers = await openReceivers(known?.receiverPort);
    closings.defer(() => receivers.close());
    const state = known ?? (await replayDemo({redisUrl, folder, secretKey, receivers, say}));
    receivers.answer(503);
    const env = {REDIS_URL: redisUrl, SECRET_KEY: secretKey, PORT: String(port)};
    const {config, secrets} = parseConfig(env, {local: true});
    const log = createLog({logLevel: 'error', logFormat: 'json'}, closings);
    const service = await composeService({
      config,
      secrets: {...secrets, secretKey},
      log,
      closings,
      version: 'demo',
      webFolder,
    });
    const {sessions} = service.core.services;
    const lines = await Promise.all(
      guests.map(async ([key, what]) => {
        const call = operatorCall(state.workspace, performance.now() + 10_000);
        const {body} = await sessions.createSignInLink(call, {member: state.members[key] ?? ''});
        const {url} = JSON.parse(body) as {url: string};
        return `  ${people.find((one) => one.key === key)?.name ?? key}, ${what}\n    ${url}\n`;
      }),
    );
    return {
      welcome: createWelcomeText(lines, service.hasDashboard),
      async close() {
        await service.drain();
        await closings.run();
      },
    };
  } catch (error) {
    await closings.run().catch(() => undefined);
    throw error;
  }
}

function createWelcomeText(lines: readonly string[], hasDashboard: boolean): string {
  const built = hasDashboard ? '' : '\nThe dashboard is not built; `npm run build` says why.\n';
  return `
${company}: ${people.length} people in ${teams.length} teams, with a quarter of standups. All of it is made up.
${built}
Each link signs in once, within 10 minutes. Two people need two browsers, or a private window.

${lines.join('\n')}
The next start keeps this until tomorrow; \`npm run demo -- --fresh\` makes a new one. Stop with Ctrl-C.
`;
}

/**
 * Starts the receivers on the port that the webhooks contain. If another program uses that port now, a free
 * port is used and deliveries fail.
 */
async function openReceivers(port: number | undefined): Promise<DemoReceivers> {
  return startReceivers(port).catch(() => startReceivers());
}

async function replayDemo({
  redisUrl,
  folder,
  secretKey,
  receivers,
  say,
}: Pick<DemoOptions, 'redisUrl' | 'folder' | 'say'> & {
  readonly secretKey: string;
  readonly receivers: DemoReceivers;
}): Promise<DemoState> {
  rmSync(formatSavedDemoPath(folder), {force: true});
  const startedAt = performance.now();
  let said = 0;
  const onProgress = (share: number): void => {
    if (share < said + 0.2) return;
    said = Math.floor(share * 5) / 5;
    say(`  ${Math.round(said * 100)} %`);
  };
  say('Playing a quarter …');
  const played = await playWeeks({
    redisUrl,
    secretKey,
    seed,
    weeks,
    endsAt: Date.now(),
    receivers,
    onProgress,
  });
  await played.close();
  say(`A quarter was played in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  const state: DemoState = {
    day: today(),
    workspace: played.workspace,
    members: Object.fromEntries([...played.members].map(([key, {id}]) => [key, id])),
    receiverPort: receivers.port,
  };
  writeFileSync(formatSavedDemoPath(folder), `${JSON.stringify(state)}\n`);
  return state;
}

/**
 * Reads the file that describes the played demonstration; undefined unless a demonstration was completed
 * today.
 */
function readSavedDemo(folder: string): DemoState | undefined {
  try {
    const state = JSON.parse(readFileSync(formatSavedDemoPath(folder), 'utf8')) as DemoState;
    return state.day === today() ? state : undefined;
  } catch {
    return undefined;
  }
}

const formatSavedDemoPath = (folder: string) => path.join(folder, 'demo.json');
const today = () => new Date().toISOString().slice(0, 10);
