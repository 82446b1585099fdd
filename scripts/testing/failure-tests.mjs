/** The kinds of stores on which the suites run. */
export const kinds = ['single', 'sentinel', 'cluster'];

/**
 * The suites, each with its test files and options. Each option has a default number, and an environment
 * variable that the tests read.
 */
export const suites = {
  all: {tests: 'test/faults', options: {rounds: ['FAULT_ROUNDS', 10]}},
  webhooks: {tests: 'test/faults/webhooks.test.ts', options: {rounds: ['WEBHOOK_FAULT_ROUNDS', 100]}},
  slack: {tests: 'test/faults/slack', options: {rounds: ['SLACK_FAULT_ROUNDS', 50]}},
  replies: {tests: 'test/faults/replies.test.ts', options: {kills: ['REPLIES_FAULT_KILLS', 50]}},
  notices: {tests: 'test/faults/notices.test.ts', options: {kills: ['NOTICES_FAULT_KILLS', 50]}},
  mail: {
    tests: 'test/faults/mail.test.ts',
    options: {mails: ['MAIL_FAULT_MAILS', 200], kills: ['MAIL_FAULT_KILLS', 50]},
  },
  import: {
    tests: 'test/faults/import.test.ts',
    options: {rows: ['IMPORT_FAULT_ROWS', 10_000], kills: ['IMPORT_FAULT_KILLS', 50]},
  },
  away: {tests: 'test/faults/redis-away.test.ts', options: {rounds: ['FAULT_ROUNDS', 10]}},
  'set-back': {tests: 'test/faults/set-back.test.ts', options: {rounds: ['SET_BACK_ROUNDS', 20]}},
  failover: {
    tests: 'test/faults/failover.test.ts',
    options: {rounds: ['FAILOVER_ROUNDS', 50], confirm: ['FAILOVER_CONFIRM', 0]},
  },
  'first-copy': {tests: 'test/faults/first-copy.deep.test.ts', options: {rounds: ['FIRST_COPY_ROUNDS', 10]}},
  reshard: {
    tests: 'test/faults/reshard.deep.test.ts',
    options: {rounds: ['RESHARD_ROUNDS', 10], keys: ['RESHARD_KEYS', 0]},
  },
  store: {tests: 'test/store', options: {}},
  schedules: {
    tests: 'test/faults/schedules.test.ts',
    options: {days: ['SCHEDULE_DAYS', 91], kills: ['SCHEDULE_KILLS', 100]},
  },
  walk: {
    tests: 'test/api/openapi/random-walk.test.ts',
    options: {steps: ['WALK_STEPS', 10_000], seed: ['WALK_SEED', 20_261_123]},
  },
  roles: {
    tests: 'test/api/tokens/role-walk.test.ts',
    options: {steps: ['ROLE_WALK_STEPS', 5_000], seed: ['ROLE_WALK_SEED', 31_001]},
  },
  bursts: {tests: 'test/faults/bursts.deep.test.ts', options: {posts: ['BURST_POSTS', 20_000]}},
  memory: {
    tests: 'test/faults/memory-bound.deep.test.ts',
    options: {deliveries: ['MEMORY_DELIVERIES', 100_000]},
  },
  versions: {tests: 'test/faults/versions.deep.test.ts', options: {minutes: ['VERSION_MINUTES', 10]}},
  hostile: {
    tests: 'test/faults/hostile-clients.test.ts',
    options: {connections: ['HOSTILE_CONNECTIONS', 10_000]},
  },
};

/** Test files that do not run on each kind of store, each with the kinds that it is for, and the reason. */
const limited = [
  {
    tests: 'test/faults/first-copy.deep.test.ts',
    on: ['single'],
    reason: 'it starts a master and a replica of its own',
  },
  {tests: 'test/faults/move.deep.test.ts', on: ['single'], reason: 'it moves a workspace between two Redis'},
  {
    tests: 'test/faults/move-all.deep.test.ts',
    on: ['single'],
    reason: 'it moves from one Redis to another one and to a cluster, which it starts itself',
  },
  {tests: 'test/faults/reshard.deep.test.ts', on: ['cluster'], reason: 'only a cluster has slots'},
  {
    tests: 'test/faults/versions.deep.test.ts',
    on: ['single'],
    reason: 'an earlier build need not know another kind of store',
  },
  {tests: 'test/api/', on: ['single'], reason: 'it tries the answers of the API, not the store'},
  {tests: 'test/store', on: ['single'], reason: 'its tests start the kinds of stores that they need'},
];

/** Lists the test files of a suite that do not run on a kind of store, with the reason. */
export function listSkipped({tests}, kind) {
  return limited.filter(
    (one) => !one.on.includes(kind) && (one.tests.startsWith(tests) || tests.startsWith(one.tests)),
  );
}
