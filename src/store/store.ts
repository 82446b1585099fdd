// src/store/: Redis keys, the commit script, repositories and the event log. Only this folder may use
// `redis`. It makes no decisions: it reads data, and runs a commit completely or not at all.
import {setTimeout as pause} from 'node:timers/promises';
import {AppError} from '../domain/core/errors.js';
import type {Id} from '../domain/core/ids.js';
import {limits, type Retention, standardRetention} from '../domain/core/limits.js';
import {createAppendOnlyFile} from './core/append-only-file.js';
import {newJobDeadline} from './core/deadlines.js';
import {createAdmissions} from './tokens/admissions.js';
import {createBacklogs} from './webhooks/backlog.js';
import {createCommits} from './commit/commits.js';
import {type ConnectionOptions, nodeMs, openConnection, type RedisConnection} from './core/connection.js';
import {createDeliveries} from './webhooks/deliveries.js';
import {createDeliveryRecords} from './webhooks/delivery-records.js';
import {createWebhookDirectories, createTeamDirectories} from './core/directories.js';
import {createEventLog} from './events/event-log.js';
import {createEventTail} from './events/event-tail.js';
import {createLastEventCache} from './events/handed-events.js';
import {createFrozenWorkspaces} from './core/frozen.js';
import {
  type DataFormats,
  dataFormats,
  openInstallation,
  requireNewestFormat,
  StartupError,
} from './core/installation.js';
import {createInboxes} from './inbox/inboxes.js';
import {createImports} from './imports/imports.js';
import {workspaceKeys} from './core/keys.js';
import {createMails} from './mail/mails.js';
import {createPrompts} from './prompts/prompts.js';
import {createStoreProbe} from './core/probe.js';
import {createProcesses} from './core/processes.js';
import {createReadySets} from './core/ready.js';
import {createRunSteps} from './runs/run-steps.js';
import {createRecords} from './core/records.js';
import {type ExportRequest, exportWorkspace} from './export-workspace.js';
import {type ImportRequest, importWorkspace} from './import-workspace.js';
import {exportInstallation, importInstallation} from './move-installation.js';
import {reencryptStore} from './reencrypt.js';
import {removeMovedWorkspace} from './remove-workspace.js';
import {addDueIndexUpdates} from './core/due-index.js';
import {createDraftRecords} from './drafts/draft-records.js';
import {createErasures} from './members/erasures.js';
import {createReplays} from './webhooks/replays.js';
import {createCipher} from './core/cipher.js';
import {createClusterReports} from './core/cluster-reports.js';
import {createServerReports} from './core/server-reports.js';
import {checkServer, readInfoField, type ServerFacts} from './core/server-check.js';
import {explainOpeningError, isClusterDown, isLoading, nameServers} from './core/start-causes.js';
import {requireRights} from './core/rights-check.js';
import {createDeviceLogins} from './tokens/device-logins.js';
import {createSignInCodes} from './tokens/sign-in-codes.js';
import {createSigningKeys} from './tokens/signing-keys.js';
import {createSlackTroubles} from './slack/slack-troubles.js';
import {createSlackPeople} from './slack/slack-people.js';
import {createSlackChannels} from './slack/slack-channels.js';
import {createStandupPages} from './standups/standup-pages.js';
import {createThreads} from './standups/threads.js';
import {createUnfinishedTeamForms} from './slack/team-rests.js';
import {createSlackPosts} from './slack/slack-posts.js';
import {createSlackInstallationRecords} from './slack/slack-installation-records.js';
import {type TimeSource, addTimeSource} from './core/time-source.js';
import {createSlackStatuses} from './slack/slack-statuses.js';
import {createTypedInputRecords} from './slack/typed-records.js';
import {createPasskeyUses} from './tokens/passkey-uses.js';
import {createTokenUse} from './tokens/token-use.js';
import {createWebhookFailureReader} from './webhooks/webhook-failing.js';
import {createWebhookHealths} from './webhooks/webhook-health.js';
import {createWaitingWork} from './core/waiting-work.js';
import {createWorkers} from './core/workers.js';
import {createLargeWorkspaces} from './workspaces/large-workspaces.js';
import {createWorkspaceBytes} from './workspaces/workspace-bytes.js';
import {createWorkspaces} from './workspaces/workspaces.js';

export interface StoreOptions {
  readonly url: string;
  readonly tlsVerify: boolean;
  /** The password of the Sentinels, if `url` names some. */
  readonly sentinelPassword?: string | undefined;
  /** The number of replicas that must confirm a commit; 0 for none. */
  readonly confirmReplicas?: number | undefined;
  readonly secretKey: string;
  readonly secretKeyPrevious?: string | undefined;
  readonly onError: (error: Error) => void;
  /** Hears of a script that has stopped half-way, with one of its keys. */
  readonly onBrokenScript?: ConnectionOptions['onBrokenScript'];
  /** True if this process serves Slack. For a command: true if its service does. */
  readonly servesSlack: boolean;
  /** Another clock than the server's, for tests. */
  readonly time?: TimeSource | undefined;
  /** The lifetimes of events and related data; by default those in `lifetimes`. */
  readonly retention?: Retention | undefined;
  /** The data formats of this program; only tests set them. */
  readonly formats?: DataFormats | undefined;
  /** The bytes that each workspace may use, 0 for no limit. Default: `computeDefaultWorkspaceShare`. */
  readonly workspaceBytes?: number | undefined;
  /** Hears every few seconds that Redis still loads its file. Without it, the store is not waited for. */
  readonly onLoading?: ((sentence: string) => void) | undefined;
}

export type Store = Awaited<ReturnType<typeof openStoreOnce>>;

/** The pause (ms) between two tries to open a store that loads its file, and between two lines about it. */
const loadingPauseMs = 500;
const loadingLineMs = 5_000;
/** The time (ms) in which a cluster serves all slots after a server has loaded its file. */
const joiningMs = 15_000;

/**
 * Opens Redis after checking that it is safe. With `onLoading` it waits while Redis loads its file. Errors:
 * `StartupError` with a sentence for the operator.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const {onLoading} = options;
  let [saidAt, loadingUntil] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (;;) {
    try {
      return await openStoreOnce(options);
    } catch (error) {
      const now = performance.now();
      if (isLoading(error)) loadingUntil = now;
      const isJoining = isClusterDown(error) && now < loadingUntil + joiningMs;
      const waits = onLoading !== undefined && error instanceof Error && (isLoading(error) || isJoining);
      if (!waits) throw error;
      if (now >= saidAt + loadingLineMs) {
        saidAt = now;
        onLoading(error.message);
      }
    }
    await pause(loadingPauseMs);
  }
}

async function openStoreOnce(options: StoreOptions) {
  const {retention = standardRetention, formats = dataFormats} = options;
  const cipher = createCipher(options.secretKey, options.secretKeyPrevious);
  let brokenScripts = 0;
  const opened = await openConnection({
    ...options,
    onBrokenScript(script) {
      brokenScripts += 1;
      options.onBrokenScript?.(script);
    },
  }).catch((error: unknown) => {
    throw new StartupError(explainOpeningError(error, options.url, 'REDIS_URL'), {cause: error});
  });
  const connection = addDueIndexUpdates(addTimeSource(opened, options.time));
  try {
    const facts = await checkServer(connection, newJobDeadline());
    await requireRights(connection, nameServers(options.url), newJobDeadline());
    requireReplicas(connection, facts);
    const installation = await openInstallation(connection, cipher, formats, newJobDeadline());
    const share = options.workspaceBytes ?? computeDefaultWorkspaceShare(facts);
    const records = createRecords(connection);
    const handed = createLastEventCache();
    const events = createEventLog(connection, records, retention, handed);
    const tokenUse = createTokenUse(connection);
    const webhookHealths = createWebhookHealths(connection, events.findBySequence);
    const eventTail = createEventTail(connection, events);
    const mails = createMails(connection);
    const frozen = createFrozenWorkspaces(connection);
    const listServers = createServerReports(connection);
    const teamRests = createUnfinishedTeamForms(connection);
    const typedRecords = createTypedInputRecords(connection);
    return {
      connection,
      retention,
      cipher,
      facts,
      formats,
      installation,
      records,
      events,
      eventTail,
      clock: connection.clock,
      commits: createCommits(connection, retention, handed, share, frozen),
      teams: createTeamDirectories(connection),
      subscriptions: createWebhookDirectories(connection),
      admissions: createAdmissions(connection),
      tokenUse,
      passkeyUses: createPasskeyUses(connection),
      deliveries: createDeliveries(connection, retention),
      deliveryRecords: createDeliveryRecords(connection, events.findBySequence),
      webhookHealths,
      webhookFailing: createWebhookFailureReader(connection),
      replays: createReplays(connection, retention, share),
      erasures: createErasures(connection),
      draftRecords: createDraftRecords(connection),
      inboxes: createInboxes(connection),
      slackStatuses: createSlackStatuses(connection),
      imports: createImports(connection),
      runSteps: createRunSteps(connection),
      appendOnlyFile: createAppendOnlyFile(connection),
      ready: createReadySets(connection, frozen),
      frozen,
      backlogs: createBacklogs(connection, webhookHealths, mails.findOldestDue),
      workers: createWorkers(connection),
      processes: createProcesses(connection, formats, installation.format),
      waitingWork: createWaitingWork(connection),
      workspaces: createWorkspaces(connection, options),
      workspaceBytes: createWorkspaceBytes(connection, share),
      slackInstallations: createSlackInstallationRecords(connection),
      slackPosts: createSlackPosts(connection),
      standupPages: createStandupPages(connection),
      threads: createThreads(connection),
      slackTroubles: createSlackTroubles(connection),
      slackPeople: createSlackPeople(connection, teamRests, typedRecords),
      teamRests,
      typedRecords,
      slackChannels: createSlackChannels(connection),
      prompts: createPrompts(connection),
      mails,
      signInCodes: createSignInCodes(connection, cipher),
      deviceLogins: createDeviceLogins(connection, cipher),
      signingKeys: createSigningKeys(connection, cipher),
      /** Encrypts everything again with the current SECRET_KEY. */
      reencrypt: () => reencryptStore(connection, cipher),
      exportWorkspace: async (request: ExportRequest) => {
        requireNewestFormat(installation.format, formats);
        return exportWorkspace(
          {connection, cipher, installation: installation.id, engine: `redis ${facts.version}`},
          request,
        );
      },
      importWorkspace: async (request: ImportRequest) => {
        requireNewestFormat(installation.format, formats);
        return importWorkspace({connection, cipher}, request);
      },
      exportInstallation: (passphrase: string) =>
        exportInstallation({connection, cipher}, installation.id, passphrase),
      importInstallation: (text: string, passphrase: string) =>
        importInstallation({connection, cipher}, text, passphrase),
      removeMovedWorkspace: (reference: string, digest: string) =>
        removeMovedWorkspace(connection, reference, digest),
      /** Returns the server of a cluster that has a workspace; undefined for another store, which has one server. */
      serverOf: (workspace: Id<'workspace'>): string | undefined =>
        connection.kind === 'cluster' ? connection.ownerOf(workspaceKeys(workspace).head()) : undefined,
      probe: createStoreProbe(connection, installation.generation),
      readCluster: createClusterReports(connection),
      listLargeWorkspaces: createLargeWorkspaces(connection),
      /** Reports on each server, and counts the scripts of this process that stopped half-way. */
      readServers: async (deadline: number) => ({servers: await listServers(deadline), brokenScripts}),
      async close() {
        eventTail.close();
        await tokenUse.flush();
        await connection.close();
      },
    };
  } catch (error) {
    // While a server of a cluster loads its file, it says CLUSTERDOWN to each command with a key.
    const loads = isClusterDown(error) && (await isAnyMasterLoading(connection));
    await connection.close();
    if (!(error instanceof AppError)) throw error;
    const cause = loads ? new Error('LOADING', {cause: error}) : error;
    throw new StartupError(explainOpeningError(cause, options.url, 'REDIS_URL'), {cause});
  }
}

async function isAnyMasterLoading({nodes}: RedisConnection): Promise<boolean> {
  const deadline = performance.now() + nodeMs;
  const masters = await nodes('masters', deadline);
  const asked = masters.map(({call}) => call<string>(deadline, ['INFO', 'persistence']).catch(() => ''));
  return (await Promise.all(asked)).some((info) => readInfoField(info, 'loading') === '1');
}

/** Refuses a plain server without a replica that is to confirm commits, since no change would ever succeed. */
function requireReplicas({kind, confirmReplicas}: RedisConnection, {fewestReplicas}: ServerFacts): void {
  if (confirmReplicas === 0 || kind !== 'single' || fewestReplicas > 0) return;
  throw new StartupError(
    `REDIS_CONFIRM_REPLICAS is ${confirmReplicas}, but Redis has no replica: add one, or leave the setting out.`,
  );
}

/** Returns the default storage limit of a workspace. In a small store it is at most half of the memory. */
function computeDefaultWorkspaceShare({maxMemory}: ServerFacts): number {
  return maxMemory === 0 ? limits.workspaceBytes : Math.min(limits.workspaceBytes, Math.floor(maxMemory / 2));
}
