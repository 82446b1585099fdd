import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {reviseWrite} from '../../src/domain/commit/writes.js';
import {suffixOf, type Id} from '../../src/domain/core/ids.js';
import {parseWire, toDraft} from '../../src/domain/core/resource.js';
import {channel} from '../support/slack-harness.js';
import {type ChatStep, createPlainChat, createPlainBot} from './plain-chat.js';
import {
  minute,
  type PromptPerson,
  type PromptScene,
  quick,
  newDeadline,
  startPromptScene,
} from './prompt-scene.js';

/** A chat under test: people type, due work is done, and its steps are recorded. */
interface ChatUnderTest {
  readonly scene: PromptScene;
  type: (person: PromptPerson, text: string) => Promise<unknown>;
  work: (...people: readonly PromptPerson[]) => Promise<void>;
  steps: () => readonly ChatStep[];
}

let scenes: PromptScene[];
beforeEach(() => {
  scenes = [];
});
afterEach(async () => {
  await Promise.all(scenes.map((scene) => scene.close()));
});

async function startScene(): Promise<PromptScene> {
  const scene = await startPromptScene();
  scenes.push(scene);
  return scene;
}

async function startPlain() {
  const scene = await startScene();
  const plain = createPlainChat(() => scene.clock.now());
  const bot = createPlainBot(scene.slack, plain);
  const made: ChatUnderTest = {
    scene,
    type: ({user}, text) => bot.type(user, channel, text),
    work: (...people) => bot.work(channel, ...people.map(({user}) => user)),
    steps: () => plain.steps,
  };
  return {...made, plain};
}

async function startSlackChat(): Promise<ChatUnderTest> {
  const scene = await startScene();
  const {slack} = scene;
  const verbs = {'chat.postMessage': 'posts', 'chat.update': 'edits', 'chat.delete': 'removes'} as const;
  return {
    scene,
    type: ({user}, text) => slack.command(text, {user: {id: user, name: user}}),
    async work(...people) {
      for (const to of [channel, ...people.map(({user}) => user)])
        await slack.work({channel: to, waits: quick});
    },
    steps() {
      const types = new Map<unknown, string>();
      return slack.slack.calls.flatMap(({method, body, reply}): ChatStep[] => {
        const did = verbs[method as keyof typeof verbs];
        if (did === undefined || body['metadata'] === undefined) {
          if (did !== 'removes') return [];
          return [{did, type: types.get(body['ts']) ?? '?', under: undefined, text: ''}];
        }
        const {event_type: type} = body['metadata'] as {event_type: string};
        types.set(body['ts'] ?? (reply as {ts?: string}).ts, type);
        const under = types.get(body['thread_ts']);
        return [{did, type, under, text: String(body['text'])}];
      });
    },
  };
}

/** Closes a run as the service does. */
async function closeRun({slack, clock}: PromptScene, id: Id<'run'>): Promise<void> {
  const {core, workspace, team} = slack;
  const run = await core.store.records.findBySuffix(workspace, suffixOf(id), newDeadline());
  if (run === undefined) throw new Error('there is no such run');
  const {references: report} = await core.services.runReports.findReport(
    {workspace, deadline: newDeadline()},
    run,
  );
  const closedAt = new Date(clock.now()).toISOString();
  const draft = {...toDraft(run), state: 'closed', closed_at: closedAt, report} as const;
  const outcome = await core.store.commits.run(
    {workspace, deadline: newDeadline()},
    {
      guards: [],
      writes: [reviseWrite(run, draft)],
      events: [{type: 'run.closed', about: suffixOf(id), revision: run.revision + 1, team}],
      reply: {kind: 'empty'},
    },
  );
  expect(outcome.kind).toBe('committed');
}

/** A team's morning, the same in any chat. */
async function playMorning({scene, type, work, steps}: ChatUnderTest): Promise<readonly string[]> {
  const {slack, clock} = scene;
  const [ada, grace] = [await scene.addPerson({teams: []}), await scene.addPerson()];
  const {core} = slack;
  await core.services.teams.changeTeam(slack.operator(), 'platform', {slack_digest: 'thread'});
  const closesAt = clock.now() + 60 * minute;
  const run = await scene.openRun(closesAt, slack.team, [ada, grace]);
  const report: string[] = [];
  let seen = steps().length;
  const record = async (title: string) => {
    await clock.advance(minute);
    await work(ada, grace);
    await clock.advance(minute);
    await work(ada, grace);
    const fresh = steps().slice(seen);
    seen = steps().length;
    // A call of Slack does not show the thread of a removed or an edited message.
    const lines = fresh.map(({did, type: kind, under}) =>
      did === 'posts' && under !== undefined ? `${did} ${kind} under ${under}` : `${did} ${kind}`,
    );
    report.push(`${title}: ${lines.join(', ') || 'nothing'}`);
  };
  const listOf = async (person: PromptPerson) => {
    const {rows} = await core.services.standups.listStandups(callOf(person), {
      limit: 10,
      author: person.member.id,
    });
    return rows.map((row) => parseWire(row));
  };
  const callOf = ({member: {id, name}}: PromptPerson) => ({
    ...slack.operator(),
    principal: {type: 'member', id, name} as const,
  });

  await record('the morning begins');
  await scene.remind(grace, run, closesAt);
  await record('Grace is reminded');
  await type(ada, 'Shipped the importer, next the exporter');
  await record('Ada types, and joins');
  await type(grace, 'Reviewed the importer');
  await record('Grace types');
  const [standup] = await listOf(ada);
  const posted = standup?.id ?? '';
  await core.services.standups.editStandup(callOf(ada), posted, {update: 'Shipped it all'});
  await record('Ada edits');
  await core.services.standups.deleteStandup(callOf(ada), posted);
  await record('Ada deletes');
  await closeRun(scene, run);
  await record('the run closes');
  const joined = await core.services.people.listTeamsOf(
    {workspace: slack.workspace, deadline: newDeadline()},
    ada.member.id,
    (await core.store.teams.fresh(slack.workspace, newDeadline())).teams,
  );
  expect(joined.map(({slug}) => slug)).toEqual(['platform']);
  return report;
}

test('a chat other than Slack posts, shows, edits, retracts, reminds and reports by the same code as Slack', async () => {
  const plain = await playMorning(await startPlain());
  const slack = await playMorning(await startSlackChat());
  if (process.env['PRINT_TRANSCRIPT'] === '1')
    process.stderr.write(plain.map((line, i) => `\nplain: ${line}\nSlack: ${slack[i]}\n`).join(''));
  expect(plain).toEqual(slack);
  expect(plain).toEqual([
    'the morning begins: nothing',
    'Grace is reminded: posts standup_prompt',
    'Ada types, and joins: posts standup_day, posts standup_posted under standup_day',
    'Grace types: posts standup_posted under standup_day, edits standup_day, edits standup_prompt',
    'Ada edits: edits standup_posted',
    'Ada deletes: removes standup_posted, edits standup_day',
    'the run closes: edits standup_day, posts standup_digest under standup_day',
  ]);
});

test('a chat other than Slack also shows a message once if the answer to its posting is lost', async () => {
  const {scene, plain, type, work} = await startPlain();
  const ada = await scene.addPerson();
  plain.failures.push('lost', 'lost');
  await type(ada, 'Shipped the importer');
  for (let i = 0; i < 4; i++) {
    await work();
    await scene.clock.advance(minute);
  }
  expect(plain.failures).toEqual([]);
  const texts = [...plain.messages.values()].map(({text}) => text);
  expect(texts).toEqual([`${scene.date()}: 1 of 1`, `${ada.member.name}: Shipped the importer`]);
});
