import {describe, expect, it} from '@jest/globals';
import type {DueSearch} from '../../src/store/core/ready.js';
import {startScheduler} from '../../src/jobs/scheduler.js';
import {createUpkeep} from '../../src/jobs/upkeep.js';
import type {Call} from '../../src/domain/core/access.js';
import type {JobContext} from '../../src/jobs/context.js';
import {asId} from '../support/ids.js';
import {until} from '../support/until.js';
import {silentLog} from './stage.js';

// Rules of the background work that are visible only in its second or third round.

/** Starts a scheduler whose searches for due work are recorded. Each search covers seven workspaces. */
function openScheduler({
  held = () => true,
  chores = async () => undefined,
  choresEveryMs = 0,
}: {
  held?: () => boolean;
  chores?: () => Promise<void>;
  choresEveryMs?: number;
} = {}) {
  const looks: DueSearch[] = [];
  const context = {
    store: {
      ready: {
        holdScheduler: async () => held(),
        listDue: async (look: DueSearch) => {
          looks.push(look);
          return {due: [], next: look.from + 7, failures: []};
        },
      },
      clock: {isSteady: () => true},
    },
    schedulerIntervalMs: 1,
    holder: 'own',
    random: () => 0.5,
    log: silentLog,
  };
  const scheduler = startScheduler(context as unknown as JobContext, {
    side: 'service',
    wake: () => undefined,
    chores,
    choresEveryMs,
  });
  return {looks, close: () => scheduler.close()};
}

describe('rounds of the scheduler', () => {
  it('continue the search for due work where the previous round ended', async () => {
    const {looks, close} = openScheduler();
    await until(() => looks.length >= 3, {what: 'three looks'});
    await close();
    expect(looks.slice(0, 3).map(({from}) => from)).toEqual([0, 7, 14]);
  });

  it("search for due work only if the process holds the scheduler's lease", async () => {
    let rounds = 0;
    const {looks, close} = openScheduler({held: () => (rounds += 1) % 2 === 0});
    await until(() => rounds >= 6, {what: 'six rounds'});
    await close();
    expect(looks).toHaveLength(Math.floor(rounds / 2));
  });

  it('start upkeep repeatedly, never twice at once, even after a failure', async () => {
    let [begun, inside, most, ended] = [0, 0, 0, () => {}];
    const chores = async () => {
      begun += 1;
      inside += 1;
      most = Math.max(most, inside);
      await new Promise<void>((resolve) => (ended = resolve));
      inside -= 1;
      if (begun === 1) throw new Error('once');
    };
    const {looks, close} = openScheduler({chores});
    for (const round of [1, 2, 3]) {
      await until(() => begun === round, {what: `upkeep ${round}`});
      const before = looks.length;
      await until(() => looks.length >= before + 3, {what: 'three looks beside it'});
      ended();
    }
    await until(() => begun === 4, {what: 'a fourth one'});
    ended();
    await close();
    expect(most).toBe(1);
  });
});

it('the scheduler waits for the set time between two rounds of upkeep, however often it searches for due work', async () => {
  const begun: number[] = [];
  const {close} = openScheduler({chores: async () => void begun.push(performance.now()), choresEveryMs: 200});
  await until(() => begun.length >= 2, {what: 'two rounds'});
  await close();
  const [first = 0, second = 0] = begun;
  expect(second - first).toBeGreaterThan(100);
});

/** Creates the upkeep of two workspaces. Each call runs one round and returns the calls of the store. */
function openUpkeep({
  purged = [],
  rewrites = [],
  pages = [],
  cursors = ['0'],
  kept = {cursor: '0'},
}: {
  purged?: number[][];
  rewrites?: ('busy' | 'done')[];
  /** Cursors of the pages of workspaces after the first one, each with the same workspaces. */
  cursors?: string[];
  /** The cursor in the store. */
  kept?: {cursor: string};
  /** Cursors that the pages of held deliveries return. */
  pages?: string[];
}) {
  const asked: string[] = [];
  const workspaces = ['one', 'two'].map((name) => ({id: asId<'workspace'>(name)}));
  const store = {
    workspaces: {
      async listPage(cursor: string) {
        asked.push(...(cursors.length > 1 ? [`page ${cursor}`] : []));
        return {workspaces, reserved: [], next: cursors[cursors.indexOf(cursor) + 1] ?? '0'};
      },
      findUpkeepCursor: async () => kept.cursor,
      async keepUpkeepCursor(cursor: string) {
        kept.cursor = cursor;
      },
      sweepClaims: async () => 0,
    },
    workspaceBytes: {measure: async () => undefined},
    slackInstallations: {areRead: async () => false},
    events: {
      removeIdleConsumer: async () => false,
      trim: async (workspace: string) => {
        asked.push(`trim ${workspace}`);
        return 0;
      },
      span: async () => undefined,
      findRange: async () => ({first: 1, last: 0}),
    },
    subscriptions: {fresh: async () => ({webhooks: pages.length === 0 ? [] : [{suffix: 'hook'}]})},
    deliveries: {
      expire: async (_workspace: string, _webhook: string, {cursor}: {cursor: string}) => {
        asked.push(`expire from ${cursor}`);
        return {expired: 1, cursor: pages.shift() ?? '0'};
      },
      trim: async () => 0,
    },
    replays: {trim: async () => 0},
    ready: {clearSlack: async () => 0},
    frozen: {isFrozen: async () => false},
    clock: {now: () => 0, isSteady: () => true},
    retention: {delivery: 1},
    appendOnlyFile: {
      rewrite: async () => {
        asked.push('rewrite');
        return rewrites.shift() ?? 'done';
      },
    },
  };
  const context = {
    store,
    services: {
      purgeExpired: async ({workspace}: Call) => {
        const found = purged[workspace === 'one' ? 0 : 1]?.shift() ?? 0;
        if (found < 0) throw new Error('away');
        return found;
      },
    },
    meter: {countExpired: () => undefined},
    log: silentLog,
  };
  const upkeep = createUpkeep(context as unknown as JobContext, async () => ({more: false}));
  return async (stopping = new AbortController()) => {
    asked.length = 0;
    await upkeep(stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    return [...asked];
  };
}

describe('rounds of upkeep', () => {
  const trims = ['trim one', 'trim two'];

  it('rewrite the append-only file of Redis once after an erasure, as soon as no other rewrite is running', async () => {
    const round = openUpkeep({purged: [[], [2, 1, 0]], rewrites: ['busy', 'busy']});
    expect(await round()).toEqual(['trim one', 'rewrite', 'trim two']);
    expect(await round()).toEqual(['rewrite', 'trim one', 'rewrite', 'trim two']);
    expect(await round()).toEqual(trims);
  });

  it('let held deliveries expire page by page up to the last one, and begin again each time', async () => {
    const round = openUpkeep({pages: ['7', '9', '0', '0', '4', '0', '0']});
    const expired = async () => (await round()).filter((one) => one.startsWith('expire'));
    const [first, second, third] = ['expire from 0', 'expire from 7', 'expire from 9'];
    expect(await expired()).toEqual([first, second, third, first]);
    expect(await expired()).toEqual([first, 'expire from 4', first]);
  });

  it('go over pages of workspaces, each in a quarter of a second or more, and after a stop go on at that page', async () => {
    const stopping = new AbortController();
    let at = '0';
    const kept = {
      get cursor() {
        return at;
      },
      set cursor(next: string) {
        at = next;
        if (next === '32') stopping.abort();
      },
    };
    const cursors = ['0', '64', '32'];
    const pagesOf = async (round: Promise<string[]>) => (await round).filter((one) => one.startsWith('page'));
    expect(await pagesOf(openUpkeep({cursors, kept})(stopping))).toEqual(['page 0', 'page 64']);
    expect(kept.cursor).toBe('32');
    const begun = performance.now();
    const restarted = openUpkeep({cursors, kept});
    expect(await pagesOf(restarted())).toEqual(['page 32']);
    expect(await pagesOf(restarted())).toEqual(['page 0', 'page 64', 'page 32']);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(490);
    expect(kept.cursor).toBe('0');
  });

  it('reach every workspace each time, even if the first one fails', async () => {
    const round = openUpkeep({purged: [[-1, -1], []]});
    expect(await round()).toEqual(['trim two']);
    expect(await round()).toEqual(['trim two']);
    expect(await round()).toEqual(trims);
  });
});
