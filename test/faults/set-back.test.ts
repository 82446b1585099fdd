import {afterEach, expect, it} from '@jest/globals';
import {randomUUID} from 'node:crypto';
import type {ReceivedRequest} from '../support/receiver.js';
import {type Json, type RequestOptions, sendRequest, type TestResponse} from '../support/service.js';
import {eachStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import {listAll, report} from './audit.js';
import {type RunningLoad, startLoad} from './load.js';
import {followFeed, followStream, type LogFollower} from './log-followers.js';
import {setBackStage, type SetBackStage} from './set-back-stage.js';
import {indexWay} from './set-back-ways.js';
import {rounds} from './stage.js';

/**
 * Number of restores: one in `npm test`, 20 in `npm run faults`, or set by `npm run faults -- set-back
 * --rounds N`.
 */
const setBacks = Number(process.env['SET_BACK_ROUNDS'] ?? (rounds > 0 ? 20 : 1));
/** Number of standups that are posted before the next step. */
const some = setBacks > 1 ? 60 : 20;
let stage: SetBackStage | undefined;
const followers: Record<string, LogFollower> = {};

afterEach(async () => {
  await Promise.all(Object.values(followers).map((follower) => follower.stop()));
  await stage?.close();
});

interface ReceivedEvent {
  readonly event: Json;
  readonly text: string;
  readonly path: string;
  /** Approximate time of arrival (monotonic ms). */
  readonly at: number;
}

it.each(eachStore)(
  'a store of the kind %s restored to an earlier state under load loses only later data, and no process uses lost data',
  async (kind) => {
    stage = await setBackStage(kind);
    const {services, token, ways, receiver} = stage;
    const urls = services.map(({url}) => url);
    const ask = (url: string, method: string, path: string, body?: object): Promise<TestResponse> =>
      insist(url, method, path, {token, ...(body !== undefined && {body})});
    const every = await makeWebhook(urls, token, `${receiver.url}/every`);
    const ordered = await makeWebhook(urls, token, `${receiver.url}/ordered`, {ordering: 'per_team'});
    Object.assign(followers, {feed: followFeed({urls, token}), stream: followStream({urls, token})});
    const names = Object.keys(ways);
    const counts: Record<string, number> = {};
    const count = (name: string, by: number) => void (counts[name] = (counts[name] ?? 0) + by);

    for (let round = 0; round < setBacks; round++) {
      const way = names[round % names.length] ?? '';
      const keeps = way === indexWay;
      const seen = receiver.received.length;
      await show(urls, `Kept ${round}.`);
      await untilShown(`Kept ${round}.`);
      const load = startLoad({urls, token, clients: 6, restMs: 20});
      let wentBackAt: number;
      let found: Json;
      let lostHook: Json;
      const {acknowledged} = load;
      let kept: number;
      try {
        await served(load, some / 2);
        kept = acknowledged.length;
        const goBack = await ways[way]?.();
        // The processes alternate, so that one of them has read more of the data that will be lost.
        const [knowing = '', other = ''] = round % 2 === 0 ? urls : urls.toReversed();
        await made(ask(knowing, 'POST', '/v1/teams', {slug: `lost-${round}`}));
        await made(ask(knowing, 'POST', '/v1/standups', {team: `lost-${round}`, update: 'Lost.'}));
        lostHook = await makeWebhook([knowing], token, `${receiver.url}/lost/${round}`);
        await show([knowing], `Gone ${round}.`);
        await served(load, some);
        await goBack?.();
        wentBackAt = performance.now();
        await made(ask(other, 'POST', '/v1/teams', {slug: `found-${round}`}));
        const {status} = await ask(knowing, 'POST', '/v1/standups', {team: `lost-${round}`, update: 'x'});
        expect({way, round, status}).toEqual({way, round, status: keeps ? 201 : 422});
        await made(ask(knowing, 'POST', '/v1/standups', {team: `found-${round}`, update: `Found ${round}`}));
        found = await makeWebhook([other], token, `${receiver.url}/found/${round}`);
        for (const text of afterwards(round)) await show([other], text);
        await served(load, some);
      } catch (error) {
        // Clients that are not served either would hide the first reason.
        await load.stop().catch(() => undefined);
        throw error;
      }
      await load.stop();
      const {events, lost} = await auditRound({load, kept, wentBackAt, round, seen, keeps});
      count('acknowledged', acknowledged.length);
      count('of them lost with the store', lost);
      count('answers other than 201', load.refusals.length);
      expect(new Set(load.refusals.map(({status}) => status))).toEqual(
        new Set(load.refusals.length === 0 ? [] : [503]),
      );
      counts['events in the log'] = events;
      counts[way] = (counts[way] ?? 0) + 1;
      for (const text of afterwards(round)) await untilShown(text);
      for (const {id} of [every, ordered, found]) await untilDelivered(urls, token, id);
      // Deletes the webhooks, because a workspace may have only 20.
      for (const {id} of keeps ? [found, lostHook] : [found])
        expect((await ask(urls[0] ?? '', 'DELETE', `/v1/webhooks/${id}`)).status).toBe(204);
    }

    counts['requests to the webhooks'] = receiver.received.length;
    const shown = (await stage.shown()).replies.map(({text}) => text);
    counts['messages in Slack'] = shown.length;
    const timesOf = (text: string) => shown.filter((one) => one.includes(text)).length;
    for (let round = 0; round < setBacks; round++) {
      for (const text of [`Kept ${round}.`, ...afterwards(round)])
        expect({text, times: timesOf(text)}).toEqual({text, times: 1});
      // Slack keeps a message that was posted before the store was restored.
      expect(timesOf(`Gone ${round}.`)).toBeLessThanOrEqual(1);
    }
    for (const [name, follower] of Object.entries(followers))
      counts[`${name} restarted`] = follower.restarts();
    report(`a store set back (${kind})`, {rounds: setBacks, ...counts});

    async function show([url = '']: readonly string[], update: string): Promise<void> {
      await made(ask(url, 'POST', '/v1/standups', {team: 'shown', update}));
    }

    async function untilShown(text: string): Promise<void> {
      await until(
        async () => ((await stage?.shown())?.replies ?? []).some((one) => one.text.includes(text)),
        {what: `Slack shows ${text}`, withinMs: 30_000, everyMs: 50},
      );
    }

    /** Compares the API, the log, the deliveries, the clients' logs and the answers. */
    async function auditRound(options: {
      load: RunningLoad;
      kept: number;
      wentBackAt: number;
      round: number;
      seen: number;
      /** Nothing of the workspace is lost. */
      keeps: boolean;
    }): Promise<{events: number; lost: number}> {
      const {acknowledged} = options.load;
      const [url = ''] = urls;
      const standups = new Map(
        (await listAll(url, '/v1/standups', token)).map(({id, update}) => [id, update]),
      );
      const missing = acknowledged.filter(({id, update}) => standups.get(id) !== update);
      // A standup must exist if it was answered before the copy, or requested after the restore.
      expect(missing.filter((one) => acknowledged.indexOf(one) < options.kept)).toEqual([]);
      expect(missing.filter(({askedAt = 0}) => options.keeps || askedAt > options.wentBackAt)).toEqual([]);

      const log = await listAll(url, '/v1/events', token);
      expect(log.filter(({sequence}, i) => sequence !== i + 1)).toEqual([]);
      const created = log.filter(({type}) => type === 'standup.created');
      expect(created.map(({data}) => data.id).toSorted()).toEqual([...standups.keys()].toSorted());

      const byId = new Map(log.map((event) => [event.id, JSON.stringify(event)]));
      const wantedBy = new Map<string, Set<string>>([
        ['/every', new Set(created.map(({id}) => id))],
        ['/ordered', new Set(created.map(({id}) => id))],
      ]);
      const since = log.find(
        ({type, data}) => type === 'webhook.created' && data?.url.endsWith(`/found/${options.round}`),
      );
      wantedBy.set(
        `/found/${options.round}`,
        new Set(created.filter(({sequence}) => sequence > since?.sequence).map(({id}) => id)),
      );
      for (const [path, wanted] of wantedBy) {
        const left = () => {
          const there = new Set(receiver.received.flatMap((one) => (one.path === path ? [one.id] : [])));
          return [...wanted].filter((id) => !there.has(id));
        };
        await until(() => left().length === 0, {what: `${path} has got all`, withinMs: 30_000}).catch(() => {
          throw new Error(
            `${path} has not got ${left().length} of ${wanted.size}: ${left().slice(0, 3).join()}`,
          );
        });
      }
      const received = receiver.received.slice(options.seen).map(read);
      // Each delivery has its data and its event's id, and agrees with the log.
      expect(received.filter(({event}) => event.data === null)).toEqual([]);
      expect(received.filter(({event, text}) => byId.has(event.id) && byId.get(event.id) !== text)).toEqual(
        [],
      );
      // Lost events are not sent later, except for requests that were already in progress.
      const late = received.filter(({event, at}) => !byId.has(event.id) && at > options.wentBackAt + 2_000);
      expect(late).toEqual([]);
      const gone = received.filter(
        ({path, event}) => path === `/lost/${options.round}` && byId.has(event.id) && isSince(event, log),
      );
      if (!options.keeps) expect(gone).toEqual([]);
      count(
        'lost events that were sent',
        new Set(received.filter(({event}) => !byId.has(event.id)).map((one) => one.event.id)).size,
      );
      const all = [...byId.values()];
      for (const [name, follower] of Object.entries(followers)) await caughtUp(name, follower, all);
      return {events: log.length, lost: missing.length};
    }
  },
  180_000 + 60_000 * setBacks,
);

/** Texts of the standups that are posted after the restore. */
const afterwards = (round: number): string[] => [`First since ${round}.`, `Second since ${round}.`];

/** Whether the event came after the webhook created last, so that a lost webhook must not receive it. */
function isSince({sequence}: Json, log: readonly Json[]): boolean {
  const last = log.findLast(({type}) => type === 'webhook.created');
  return last !== undefined && sequence > last.sequence;
}

async function caughtUp(name: string, follower: LogFollower, all: readonly string[]): Promise<void> {
  await until(() => follower.events().length >= all.length, {what: `the ${name} has come to the end`}).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}: ${follower.events().length} of ${all.length}`);
    },
  );
  expect(follower.events()).toEqual(all);
}

function read({body, path, at}: ReceivedRequest): ReceivedEvent {
  const event: Json = JSON.parse(body.toString());
  return {event, text: JSON.stringify(event), path, at: at - (Date.now() - performance.now())};
}

async function served(load: RunningLoad, more: number): Promise<void> {
  const enough = load.acknowledged.length + more;
  await until(() => load.acknowledged.length >= enough, {what: 'clients are served'});
}

/** Repeats a request with its idempotency key while the store is unavailable or slow. */
async function insist(
  url: string,
  method: string,
  path: string,
  options: RequestOptions,
): Promise<TestResponse> {
  const headers = method === 'GET' ? {} : {'idempotency-key': randomUUID()};
  return until(
    async () => {
      const answer = await sendRequest(url, method, path, {...options, headers});
      return answer.status === 503 ? undefined : answer;
    },
    {what: `${method} ${path} is answered`, everyMs: 50},
  );
}

async function made(answer: Promise<TestResponse>): Promise<Json> {
  const {status, body} = await answer;
  expect({status, body}).toMatchObject({status: 201});
  return body;
}

function makeWebhook(urls: readonly string[], token: string, url: string, more: object = {}): Promise<Json> {
  const body = {url, events: ['standup.created'], ...more};
  return made(insist(urls[0] ?? '', 'POST', '/v1/webhooks', {token, body}));
}

/** Waits until every delivery of the webhook has ended. */
async function untilDelivered(urls: readonly string[], token: string, webhook: string): Promise<void> {
  await until(
    async () => {
      const {body} = await insist(urls[0] ?? '', 'GET', `/v1/webhooks/${webhook}/health`, {token});
      return body?.backlog?.pending === 0 && body.backlog.in_flight === 0 && body.missed.events === 0;
    },
    {what: 'nothing waits', withinMs: 15_000},
  );
}
