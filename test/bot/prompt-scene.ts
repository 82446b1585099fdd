import {dayNumber} from '../../src/domain/core/dates.js';
import {createWrite, type Write} from '../../src/domain/commit/writes.js';
import {composeId, suffixOf, type Id, type IdSuffix} from '../../src/domain/core/ids.js';
import {lists} from '../../src/domain/core/lists.js';
import type {PromptMoment} from '../../src/domain/prompts/prompt.js';
import type {Run} from '../../src/domain/runs/run.js';
import {type Draft, renderDraft, parseWire} from '../../src/domain/core/resource.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {testRedisUrl} from '../support/redis-server.js';
import {
  botToken,
  lookingToken,
  type SlackHarness,
  type SlackMessage,
  startSlack,
} from '../support/slack-harness.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {asId, asSuffix} from '../support/ids.js';

export const minute = 60_000;
export const quick = {unanswered: [20, 20, 20, 20], closed: [20, 20], leaseMs: 1_000};
export const newDeadline = () => performance.now() + 5_000;

export interface PromptPerson {
  readonly member: Member;
  /** Slack user id. */
  readonly user: string;
}

/** A Slack with a stopped clock, and runs and reminders that the test makes by hand. */
export interface PromptScene {
  readonly redisUrl: string;
  readonly slack: SlackHarness;
  readonly clock: TestClock;
  /** Today's date on the clock. */
  date(): string;
  /** Adds a person, by default to the team `platform`. */
  addPerson(more?: {
    teams?: readonly string[];
    reminders?: Partial<Member['reminders']>;
  }): Promise<PromptPerson>;
  addTeam(name: string): Promise<Id<'team'>>;
  openRun(
    closesAt: number,
    team?: Id<'team'>,
    participants?: readonly PromptPerson[],
    date?: string,
  ): Promise<Id<'run'>>;
  endRun(run: Id<'run'>, state: 'closed' | 'cancelled'): Promise<void>;
  remind(
    person: PromptPerson,
    run: Id<'run'>,
    closesAt: number,
    notBefore?: number,
    moment?: PromptMoment,
  ): Promise<void>;
  /** Reads the events and does the due work for a person. */
  work(person: PromptPerson): Promise<void>;
  /** The direct messages between the bot and a person, oldest first. */
  messagesOf(person: PromptPerson): Promise<SlackMessage[]>;
  /** Makes the person's direct messages known, as if the bot had written to them before. */
  acquaint(person: PromptPerson): Promise<void>;
  press(
    person: PromptPerson,
    used: {action_id: string; value?: string},
    message: SlackMessage,
  ): Promise<void>;
  close(): Promise<void>;
}

export async function startPromptScene(options: {strangers?: number} = {}): Promise<PromptScene> {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, Date.parse('2026-11-24T08:00:00Z'));
  const slack = await startSlack({redisUrl, time: clock.time, ...options});
  const {members: found} = (await slack.api('users.list', {limit: '1000'})) as {
    members: {id: string; name: string}[];
  };
  const strangers = found.filter(({name}) => name.startsWith('person')).map(({id}) => id);
  const {core, workspace} = slack;
  let count = 0;

  async function commit(
    writes: readonly Write[],
    events: {type: 'run.closed' | 'run.cancelled'; about: IdSuffix; revision: number}[] = [],
  ) {
    const plan = {guards: [], writes, events, reply: {kind: 'empty'}} as const;
    const outcome = await core.store.commits.run({workspace, deadline: newDeadline()}, plan);
    if (outcome.kind !== 'committed') throw new Error(outcome.kind);
    return outcome.at;
  }

  async function directOf(users: string): Promise<string> {
    const {channel} = await slack.api('conversations.open', {users}, lookingToken);
    return (channel as {id: string}).id;
  }

  const runs = new Map<Id<'run'>, {draft: Draft<Run>; at: number}>();

  const scene: PromptScene = {
    redisUrl,
    slack,
    clock,
    date: () => new Date(clock.now()).toISOString().slice(0, 10),
    async addPerson({teams = [slack.team], reminders} = {}) {
      const user = strangers.shift();
      if (user === undefined)
        throw new Error('the emulated Slack has no further user: ask for more `strangers`');
      const input = {name: `Person ${user}`, slack_user_id: user, ...(reminders && {reminders})};
      const answer = await core.services.members.createMember(slack.operator(), input);
      const member = parseWire(answer.body);
      for (const team of teams) {
        const found = (await core.store.teams.fresh(workspace, newDeadline())).byReference(team);
        if (found !== undefined) await core.services.people.joinTeam(slack.operator(), found, member.id);
      }
      return {member, user};
    },
    async addTeam(name) {
      const slug = `team-${(count += 1)}`;
      return asId((await core.services.teams.createTeam(slack.operator(), {slug, name})).id ?? '');
    },
    async openRun(closesAt, team = slack.team, participants = [], date = scene.date()) {
      const half = asSuffix(String((count += 1)).padStart(16, '0'));
      const draft: Draft<Run> = {
        object: 'run',
        team: 'platform',
        team_id: team,
        date,
        kind: 'ad_hoc',
        state: 'open',
        opens_at: new Date(clock.now()).toISOString(),
        closes_at: new Date(closesAt).toISOString(),
        opened_at: null,
        closed_at: null,
        schedule: null,
        timezone: 'UTC',
        participants: participants.map(({member}) => ({member: member.id, timezone: null})),
        missed_steps: [],
        report: null,
      };
      const at = await commit([
        createWrite('run', half, draft, [{list: lists.runsOfTeam(team), day: dayNumber(date)}]),
      ]);
      const id = composeId('run', at, half);
      runs.set(id, {draft, at});
      return id;
    },
    async endRun(run, state) {
      const known = runs.get(run);
      if (known === undefined) throw new Error('there is no such run');
      const createdAt = new Date(known.at).toISOString();
      const draft = {...known.draft, state};
      await commit(
        [{do: 'revise', id: run, from: 1, createdAt, draft: renderDraft(draft)}],
        [{type: `run.${state}`, about: suffixOf(run), revision: 2}],
      );
    },
    async remind({member, user}, run, closesAt, notBefore = clock.now(), moment = 'before_closing') {
      const date = scene.date();
      const team = runs.get(run)?.draft.team_id ?? asId<'team'>('');
      await commit([{do: 'prompt', member: member.id, user, date, team, run, closesAt, moment, notBefore}]);
    },
    async work({user}) {
      while ((await slack.read()).more);
      while ((await slack.postSlice({channel: user, waits: quick})).more);
    },
    async messagesOf({user}) {
      const channel = await directOf(user);
      const history = await slack.api('conversations.history', {channel, limit: '100'}, botToken);
      return (history['messages'] as SlackMessage[]).toReversed();
    },
    async acquaint({user}) {
      const keys = workspaceKeys(workspace);
      const channel = await directOf(user);
      await core.store.connection.call(newDeadline(), [
        'HSET',
        keys.slackNotice(user, 0),
        'channel',
        channel,
      ]);
      await core.store.connection.call(newDeadline(), ['SADD', keys.slackKept(user), 'notice/0']);
    },
    async press({user}, used, message) {
      const selected = used.action_id === 'prompt-snooze';
      const reply = await slack.action(
        selected
          ? ({
              action_id: used.action_id,
              type: 'static_select',
              selected_option: {value: used.value},
            } as unknown as {action_id: string})
          : used,
        {message: {ts: message.ts}},
        {user: {id: user, name: user}, channel: 'D1'},
      );
      if (reply.status !== 200) throw new Error(`the press was answered ${reply.status}`);
    },
    async close() {
      await slack.close();
      await clock.close();
    },
  };
  return scene;
}
