import {afterAll, beforeAll, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {type Call, everyScope, type Principal} from '../../../src/domain/core/access.js';
import type {Commit, CommitOutcome} from '../../../src/domain/commit/commit.js';
import {addDays, weekdays} from '../../../src/domain/core/dates.js';
import {AppError} from '../../../src/domain/core/errors.js';
import {suffixFromBytes, suffixOf, type Id, type IdSuffix} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import type {Run} from '../../../src/domain/runs/run.js';
import {
  createPostPlanner,
  type NewStandup,
  type PlanPost,
} from '../../../src/service/standups/post-standup.js';
import type {ServiceContext} from '../../../src/service/core/context.js';
import {createRecords} from '../../../src/store/core/records.js';
import {planReviseRun} from '../../../src/service/runs/run-plans.js';
import {createStandupDates} from '../../../src/service/runs/standup-dates.js';
import {createStandupRuns} from '../../../src/service/runs/standup-runs.js';
import {newDeadline} from '../../store/open-test-store.js';
import {deep} from '../../support/deep.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {asId} from '../../support/ids.js';

let clock: TestClock;
/** The process that plans standups from its cache. */
let planning: TestService;
/** The process that changes the data cached by the other one. */
let changing: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.UTC(2026, 10, 23, 12));
  const options = {redisUrl, time: clock.time, env: {ROLES: 'web'}};
  planning = await startService(options);
  changing = await startService(options);
  workspace = await changing.addWorkspace();
});

afterAll(async () => {
  await planning.close();
  await changing.close();
  await clock.close();
});

let generatedIds = 0;

function generateSuffix(): IdSuffix<never> {
  generatedIds += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, generatedIds);
  return suffixFromBytes(bytes);
}

/** Creates a planner with an empty cache. */
function createPlanner(changed: Partial<ServiceContext> = {}): PlanPost {
  const context = createTestContext(planning.core, {generateSuffix, ...changed});
  const standupRuns = createStandupRuns(context);
  const standupDates = createStandupDates(context, {standupRuns});
  return createPostPlanner(context, {standupRuns, standupDates});
}

type PlanResult = {readonly plan: Commit} | {readonly refusal: string};

async function attempt(plan: () => Promise<Commit>): Promise<PlanResult> {
  try {
    return {plan: await plan()};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {refusal: `${error.code}: ${error.message}`};
  }
}

/** Returns the effect of a plan as text, with its new ids replaced. */
function effectOf({writes, events, reply}: Commit): string {
  const ids = [...new Set(writes.flatMap((write) => (write.do === 'create' ? [write.suffix] : [])))];
  return ids.reduce(
    (text, id, i) => text.replaceAll(id, `drawn ${i}`),
    JSON.stringify({writes, events, reply}),
  );
}

/** Returns the refusal, or the effect of the plan. */
function outlineOf(tried: PlanResult): string {
  return 'plan' in tried ? effectOf(tried.plan) : tried.refusal;
}

interface PlanStage {
  readonly team: string;
  /** Id of the team. */
  readonly id: Id<'team'>;
  readonly member: Principal;
  /** Returns a call by the member or by a service account. */
  call(as: 'member' | 'service account'): Call;
}

let stages = 0;

async function openStage(scheduled: boolean): Promise<PlanStage> {
  stages += 1;
  const {members, teams, teamMembers} = changing.core.services;
  const team = `team-${stages}`;
  const {id = ''} = await members.createMember(workspace.operator(), {name: 'Ada'});
  const schedule = scheduled ? {schedule: weekly} : {};
  const made = await teams.createTeam(workspace.operator(), {slug: team, ...schedule});
  await teamMembers.setTeamMember(workspace.operator(), team, id, 'member');
  const member = {type: 'member', id: asId(id), name: 'Ada'} as const;
  const account = {type: 'service_account', id: asId(`svc_${'0'.repeat(26)}`), name: 'ci'} as const;
  return {
    team,
    id: asId(suffixOf(asId(made.id ?? ''))),
    member,
    call: (as) => ({
      workspace: workspace.id,
      principal: as === 'member' ? member : account,
      scopes: everyScope,
      deadline: newDeadline(),
      entryPoint: 'api',
    }),
  };
}

const question = {
  key: 'blockers',
  label: 'What is in your way?',
  type: 'text',
  raises_blocker: true,
} as const;
/**
 * A schedule in the members' own time zones, so that people have different dates. The run is at night, so
 * that yesterday's may be open.
 */
const weekly = {
  frequency: 'weekly',
  days: weekdays,
  opens: '22:00',
  closes: '03:00',
  clock: 'member',
} as const;

/**
 * Changes by others between two standups. Their refusals (the run exists, the team is paused) do not matter.
 */
const changes: Readonly<Record<string, (stage: PlanStage) => Promise<unknown>>> = {
  nothing: () => Promise.resolve(),
  'a zone': ({member}) =>
    change((services) => services.members.changeMember(...to(member.id, {timezone: 'Pacific/Kiritimati'}))),
  'no zone': ({member}) =>
    change((services) => services.members.changeMember(...to(member.id, {timezone: null}))),
  'an observer': ({team, member}) => setMembership(team, member, 'observer'),
  'a member again': ({team, member}) => setMembership(team, member, 'member'),
  'who leaves': ({team, member}) =>
    change(({teamMembers}) => teamMembers.removeTeamMember(workspace.operator(), team, member.id)),
  'a schedule': ({team}) => set(team, {schedule: weekly}),
  'no schedule': ({team}) => set(team, {schedule: null}),
  questions: ({team}) => set(team, {questions: [question]}),
  'no late ones': ({team}) => set(team, {late_policy: {accept: 'never'}}),
  'a run': ({team}) => change(({runs}) => runs.openRun(workspace.operator(), team, {minutes: 90})),
  'a run that ends': async ({id}) => {
    const {store} = changing.core;
    const list = lists.openRunsOfTeam(id);
    const [row] = (await store.records.list(workspace.id, {list, limit: 1}, newDeadline())).rows;
    if (row === undefined) return;
    const run = JSON.parse(row.json) as Run;
    const part = planReviseRun(run, {closes_at: new Date(clock.now()).toISOString()}, ['run.updated']);
    await store.commits.run(
      {workspace: workspace.id, deadline: newDeadline()},
      {...part, reply: {kind: 'empty'}},
    );
  },
  'a pause, which ends the run': ({team}) => set(team, {paused: true}),
  'no pause': ({team}) => set(team, {paused: false}),
  'what is due of its runs': ({id}) =>
    change(({runs}) => runs.advanceRuns(workspace.operator(), suffixOf(id))),
  'an hour later': () => clock.advance(3_600_000),
  'a day later': () => clock.advance(86_400_000),
};

type Services = TestService['core']['services'];

async function change(act: (services: Services) => Promise<unknown>): Promise<void> {
  await act(changing.core.services).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

const to = <T>(reference: string, input: T) => [workspace.operator(), reference, input] as const;

const set = (team: string, input: Parameters<Services['teams']['changeTeam']>[2]) =>
  change(({teams}) => teams.changeTeam(...to(team, input)));

const setMembership = (team: string, {id}: Principal, role: 'member' | 'observer') =>
  change(({teamMembers}) => teamMembers.setTeamMember(workspace.operator(), team, id, role));

const posts = fc.record({
  as: fc.constantFrom('member', 'member', 'member', 'service account' as const),
  date: fc.constantFrom(undefined, undefined, undefined, undefined, -1, 0, 1),
  blocked: fc.constantFrom(false, false, true),
});

/** Names of the changes that most often affect the date. They are chosen more often. */
const often = ['a zone', 'no zone', 'what is due of its runs', 'an hour later', 'a run', 'a run that ends'];
const names = fc.oneof(fc.constantFrom(...often), fc.constantFrom(...Object.keys(changes)));
const steps = fc.array(fc.tuple(names, posts), {minLength: 6, maxLength: 12});

it('a standup planned from memory has the same effect as one planned from the store, or is planned again', async () => {
  const runs = deep ? 60 : 20;
  const seen = {same: 0, stale: 0};
  const property = fc.asyncProperty(fc.boolean(), steps, async (scheduled, all) => {
    const stage = await openStage(scheduled);
    const remembering = createPlanner();
    for (const [name, {as, date, blocked}] of all) {
      await changes[name]?.(stage);
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      const input: NewStandup = {
        team: stage.team,
        update: 'Going on.',
        source: 'api',
        date: date === undefined ? undefined : addDays(today, date),
        ...(blocked && {blockers: `In the way ${seen.same}.`}),
      };
      const call = stage.call(as);
      const remembered = await attempt(() => remembering(call, input, 0));
      const read = await attempt(() => createPlanner()(call, input, 1));
      if ('refusal' in remembered) {
        // As in `mutate`, a refusal counts only from the second attempt on.
        const again = await attempt(() => remembering(call, input, 1));
        expect(outlineOf(again)).toEqual(outlineOf(read));
        continue;
      }
      const isSame = outlineOf(read) === outlineOf(remembered);
      const outcome = await commit(call, remembered.plan);
      if (!isSame) expect([name, outcome.kind]).toEqual([name, 'stale']);
      seen[outcome.kind === 'stale' ? 'stale' : 'same'] += 1;
      // Plans again after a stale commit, as `mutate` does.
      if (outcome.kind === 'stale') await attempt(() => remembering(call, input, 1));
    }
  });
  await fc.assert(property, {numRuns: runs});
  expect(Object.values(seen).every((count) => count > runs / 3)).toBe(true);
});

it('a standup of a member who has posted before is planned without reading the store, even during a run', async () => {
  const stage = await openStage(true);
  await changes['questions']?.(stage);
  await changes['a run']?.(stage);
  let commands = 0;
  const {call, run} = planning.core.store.connection;
  const records = createRecords({
    call(...asked) {
      commands += 1;
      return call(...asked);
    },
    run,
  });
  const plan = createPlanner({records});
  const input: NewStandup = {
    team: stage.team,
    answers: [{question: question.key, value: 'None'}],
    source: 'api',
  };
  await plan(stage.call('member'), input, 1);
  expect(commands).toBeGreaterThan(0);
  commands = 0;
  const planned = await plan(stage.call('member'), input, 0);
  expect(commands).toBe(0);
  const {kind} = await commit(stage.call('member'), planned);
  expect(kind).toBe('committed');
});

it('a member who becomes an observer cannot post, whatever is in memory, until the role is member again', async () => {
  const stage = await openStage(false);
  const plan = createPlanner();
  const input: NewStandup = {team: stage.team, update: 'Going on.', source: 'api'};
  const call = stage.call('member');
  await plan(call, input, 0);
  await changes['an observer']?.(stage);
  expect(await commit(call, await plan(call, input, 0))).toHaveProperty('kind', 'stale');
  expect(await attempt(() => plan(call, input, 1))).toHaveProperty('refusal');
  await changes['a member again']?.(stage);
  expect(await commit(call, await plan(call, input, 0))).toHaveProperty('kind', 'committed');
});

it('a standup that answers questions added to the team a moment ago is accepted', async () => {
  const stage = await openStage(false);
  const {standups} = planning.core.services;
  const post = (content: Partial<NewStandup>) =>
    standups.postStandup(stage.call('member'), {team: stage.team, source: 'api', ...content});
  await post({update: 'The team asks nothing yet.'});
  await changes['questions']?.(stage);
  const answers = [{question: question.key, value: 'None'}];
  await expect(post({answers})).resolves.toHaveProperty('outcome', 'created');
  await expect(post({answers: [{question: 'never', value: 'None'}]})).rejects.toThrow('never');
});

function commit(call: Call, planned: Commit): Promise<CommitOutcome> {
  return planning.core.store.commits.run(call, planned);
}
