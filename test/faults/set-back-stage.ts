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
  /** The messages in Slack's channel of the team `shown`. */
  shown(): Promise<ShownChannel>;
  /** The ways in which a store goes back, by name. */
  readonly ways: Readonly<Record<string, TakeSnapshot>>;
  close(): Promise<void>;
}

/** Number of the database that keeps a copy. */
const spare = 9;

/** Two processes of the service on a store that can go back, at an address that can move. */
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
    // The test is not about Slack's rate.
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

    /** Restores the data under open connections, as behind a proxy that keeps its clients. */
    const underneath: TakeSnapshot = () => copyDatabase(master.url, spare);

    const cut: TakeSnapshot = async () => {
      const goBack = await underneath();
      return async () => {
        await goBack();
        reconnect();
      };
    };

    /** The replica is no further than this when the master fails and the address moves to it. */
    const failover: TakeSnapshot = async () => {
      const {hostname, port} = new URL(master.url);
      // Otherwise the master waits for more replicas before it sends its data.
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

    /**
     * Kills the store and starts it with the earlier append-only file, as after the loss of the file's end.
     */
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

/** Creates a workspace with a team that Slack shows, and returns its token. */
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
