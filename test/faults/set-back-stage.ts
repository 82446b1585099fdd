import {cp, rm} from 'node:fs/promises';
import path from 'node:path';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import {copyDatabase} from '../support/set-back.js';
import {startSlowRedis} from '../support/slow-redis.js';
import {startService} from '../support/service.js';
import {botToken, channel, signingSecret, startEmulator} from '../support/slack-harness.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {until} from '../support/until.js';
import {readChannel, type ShownChannel} from './slack-stage.js';

/** Takes a snapshot of the store. The returned function restores it. */
export type TakeSnapshot = () => Promise<() => Promise<void>>;

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

/** Number of the database that keeps a copy of the data. */
const spare = 9;

/**
 * Starts two processes of the service on a store that can be restored to an earlier state or moved to another
 * address.
 */
export async function setBackStage(): Promise<SetBackStage> {
  const closings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
  };
  const startRedis = async (password?: string): Promise<TestRedis> => {
    const redis = await startTestRedis(password === undefined ? {} : {password});
    closings.push(() => redis.stop());
    return redis;
  };
  try {
    let master = await startRedis();
    const {password} = new URL(master.url);
    let other = await startRedis(password);
    const address = await startSlowRedis(master.url);
    closings.push(() => address.close());
    const receiver = await startReceiver();
    closings.push(() => receiver.close());
    const slack = await startEmulator();
    closings.push(() => slack.close());
    const token = await prepare(master.url);
    const env = {
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${slack.url}/api/`,
    };
    // A short pause between messages, because the test is not about Slack's rate limits.
    const composed = {slackWaits: {spacingMs: 20}};
    const start = async (): Promise<ServiceProcess> => {
      const service = await startServiceProcess({redisUrl: address.url, env, composed});
      closings.push(() => service.kill());
      return service;
    };
    const services = [await start(), await start()] as const;

    function reconnect(): void {
      address.cut();
      address.mend();
    }

    /** Restores the data while clients stay connected, as behind a proxy. */
    const underneath: TakeSnapshot = () => copyDatabase(master.url, spare);

    const cut: TakeSnapshot = async () => {
      const goBack = await underneath();
      return async () => {
        await goBack();
        reconnect();
      };
    };

    /** Moves the address to a replica that has only the earlier data, as after a failure of the master. */
    const failover: TakeSnapshot = async () => {
      const {hostname, port} = new URL(master.url);
      // Without this setting the master would wait for more replicas before it sends its data.
      await sendToRedis(master.url, [['CONFIG', 'SET', 'repl-diskless-sync-delay', '0']]);
      await sendToRedis(other.url, [
        ['CONFIG', 'SET', 'masterauth', decodeURIComponent(password)],
        ['REPLICAOF', hostname, port],
      ]);
      await until(
        async () =>
          String(await sendToRedis(other.url, [['INFO', 'replication']])).includes('master_link_status:up'),
        {what: 'the replica has caught up'},
      );
      await sendToRedis(other.url, [['REPLICAOF', 'NO', 'ONE']]);
      return async () => {
        [master, other] = [other, master];
        address.lead(master.url);
        reconnect();
      };
    };

    /** Kills the store and starts it with an earlier append-only file, as if the end of the file was lost. */
    const backup: TakeSnapshot = async () => {
      const folder = path.join(master.dataDir, 'appendonlydir');
      await rm(`${folder}.kept`, {recursive: true, force: true});
      await cp(folder, `${folder}.kept`, {recursive: true});
      return async () => {
        await master.kill();
        await rm(folder, {recursive: true});
        await cp(`${folder}.kept`, folder, {recursive: true});
        await master.restart();
      };
    };

    const ways = {
      'to a replica that lagged': failover,
      'under its connections': underneath,
      'with its connections cut': cut,
      'to an earlier file': backup,
    };
    return {services, receiver, token, shown: () => readChannel(slack.url), ways, close};
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates a workspace with a team that has a Slack channel, and returns a token of the workspace. */
async function prepare(redisUrl: string): Promise<string> {
  const service = await startService({redisUrl, env: {ROLES: 'web'}});
  try {
    const {token, id, operator} = await service.addWorkspace();
    const {services, store} = service.core;
    const team = {slug: 'shown', name: 'Shown', slack_channel_id: channel};
    await services.teams.createTeam(operator(), team);
    await store.events.addConsumer(id, 'slack', performance.now() + 5_000);
    return token;
  } finally {
    await service.close();
  }
}
