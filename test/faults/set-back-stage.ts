import {workspaceKeys} from '../../src/store/core/keys.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService} from '../support/service.js';
import {botToken, channel, signingSecret, startEmulator} from '../support/slack-harness.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import type {StoreKind} from '../support/store-kinds.js';
import {type SetBackStore, startSetBackStore, type TakeSnapshot} from './set-back-ways.js';
import {readChannel, type ShownChannel} from './slack-stage.js';

export interface SetBackStage {
  readonly services: readonly [ServiceProcess, ServiceProcess];
  readonly receiver: Receiver;
  readonly token: string;
  /** Returns the messages in the Slack channel of the team `shown`. */
  shown(): Promise<ShownChannel>;
  /** The ways to restore the store to an earlier state, by name. */
  readonly ways: Readonly<Record<string, TakeSnapshot>>;
  close(): Promise<void>;
}

/**
 * Starts two processes of the service on a store that can be restored to an earlier state or moved to another
 * address.
 */
export async function setBackStage(kind: StoreKind): Promise<SetBackStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  try {
    const store = await startSetBackStore(kind);
    closings.push(() => store.stop());
    const receiver = await startReceiver();
    closings.push(() => receiver.close());
    const slack = await startEmulator();
    closings.push(() => slack.close());
    const {token, id} = await prepare(store);
    const env = {
      ...store.env,
      SLACK_BOT_TOKEN: botToken,
      SLACK_WORKSPACE: id,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${slack.url}/api/`,
    };
    // A short pause between messages, because the test is not about Slack's rate limits.
    const composed = {slackWaits: {spacingMs: 20}};
    const start = async (): Promise<ServiceProcess> => {
      const service = await startServiceProcess({redisUrl: store.url, env, composed});
      closings.push(() => service.kill());
      return service;
    };
    const services = [await start(), await start()] as const;

    const ways = store.ways(workspaceKeys(id).head());
    return {services, receiver, token, shown: () => readChannel(slack.url), ways, close};
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates a workspace with a team that has a Slack channel, and returns its token and id. */
async function prepare({url, env, isBesideIndex}: SetBackStore) {
  const service = await startService({redisUrl: url, env: {...env, ROLES: 'web'}});
  try {
    let workspace = await service.addWorkspace();
    while (await isBesideIndex(workspaceKeys(workspace.id).head())) workspace = await service.addWorkspace();
    const {token, id, operator} = workspace;
    const {services, store} = service.core;
    const team = {slug: 'shown', name: 'Shown', slack_channel_id: channel};
    await services.teams.createTeam(operator(), team);
    await store.events.addConsumer(id, 'slack', performance.now() + 5_000);
    return {token, id};
  } finally {
    await service.close();
  }
}
