import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import type {Call} from '../../../src/domain/core/access.js';
import {composeId, type Id, suffixOf} from '../../../src/domain/core/ids.js';
import type {MailOutcome} from '../../../src/domain/mail/mail.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {asSuffix} from '../../support/ids.js';
import {recordMail, sendMails} from '../../support/mails.js';
import {at, type MailScene, minute, monday, startMailScene} from './mail-scene.js';

let scene: MailScene;
beforeAll(async () => {
  scene = await startMailScene();
});
beforeEach(() => scene.begin());
afterAll(() => scene.close());

const email = 'ada@example.com';
const facts = async () => (await scene.listMails()).map(({fact, to}) => ({...fact, to}));
const reminder = (take = 0, date = monday) => ({kind: 'reminder', date, take, to: email});
const callBy = (id: Id<'member'>): Call => ({
  ...scene.workspace.operator(),
  principal: {type: 'member', id, name: 'Ada'},
});
const snooze = async (id: Id<'member'>): Promise<string> => {
  const asked = {date: monday, minutes: 30};
  const {body} = await scene.services.ownReminders.snoozeReminder(callBy(id), asked);
  return (JSON.parse(body ?? '') as {snoozed_until: string}).snoozed_until;
};

it('a person without Slack is reminded by mail when a run opens, and again before it closes', async () => {
  const ada = await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  expect(await facts()).toEqual([reminder()]);
  await scene.moveTo(at('09:45'));
  expect(await facts()).toHaveLength(1);
  await scene.moveTo(at('10:30'));
  expect(await facts()).toEqual([reminder(), reminder(1)]);
  const [mail] = await scene.listMails();
  expect(mail).toMatchObject({member: suffixOf(ada), state: 'queued', until: at('11:00')});
});

it('a person in two teams gets one mail for the runs that open together', async () => {
  const body = {
    name: 'Design',
    schedule: {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '12:00'},
  };
  await scene.workspace.request('POST', '/v1/teams', {body: {slug: 'design', ...body, prompt_at: 'opening'}});
  const ada = await scene.addMember({email});
  await scene.workspace.request('PUT', `/v1/teams/design/members/${ada}`);
  await scene.moveTo(at('09:00'));
  expect(await facts()).toEqual([reminder()]);
});

it('no mail reminds a person who has posted, turned reminders off, is away or has no address', async () => {
  await scene.addMember();
  await scene.addMember({email: 'off@example.com', reminders: {enabled: false}});
  await scene.addMember({email: 'slack@example.com', reminders: {channels: ['slack']}});
  const away = await scene.addMember({email: 'away@example.com'});
  await scene.services.absences.enterAbsence(callBy(away), {until: monday});
  const ada = await scene.addMember({email});
  await scene.workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', date: monday, update: 'Tests.', author: ada},
  });
  await scene.moveTo(at('10:30'));
  expect(await facts()).toEqual([]);
});

it('a mail waits for the end of the quiet hours', async () => {
  await scene.addMember({email, reminders: {quiet_from: '08:00', quiet_until: '09:30'}});
  await scene.moveTo(at('09:00'));
  expect(await facts()).toEqual([]);
  await scene.moveTo(at('09:30'));
  expect(await facts()).toEqual([reminder()]);
});

it('a snoozed reminder comes as another mail at the end of the snooze, and not twice', async () => {
  const ada = await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  expect(await snooze(ada)).toBe(new Date(at('09:30')).toISOString());
  await scene.moveTo(at('09:29'));
  expect(await facts()).toHaveLength(1);
  await scene.moveTo(at('09:30'));
  await scene.moveTo(at('09:40'));
  expect(await facts()).toEqual([reminder(), reminder(1)]);
});

it('a reminder that is left over from the day before is merged into the mail of the day', async () => {
  await scene.workspace.request('PATCH', '/v1/teams/platform', {
    body: {schedule: {frequency: 'weekly', days: ['mon'], opens: '23:00', closes: '01:00', reminders: []}},
  });
  const ada = await scene.addMember({email});
  await scene.moveTo(at('23:00'));
  await scene.clock.set(at('23:45'));
  expect(await snooze(ada)).toBe(new Date(at('00:15', '2026-11-24')).toISOString());
  await scene.moveTo(at('00:15', '2026-11-24'));
  expect(await facts()).toHaveLength(2);
});

it('a member whose reminders are off by then gets no mail that has waited', async () => {
  const ada = await scene.addMember({email, reminders: {quiet_from: '08:00', quiet_until: '09:30'}});
  await scene.moveTo(at('09:00'));
  await scene.workspace.request('PATCH', `/v1/members/${ada}`, {body: {reminders: {enabled: false}}});
  await scene.moveTo(at('09:30'));
  expect(await facts()).toEqual([]);
});

it('a reminder that waits for Slack moves to mail if the member chooses mail by then', async () => {
  const quiet = {quiet_from: '08:00', quiet_until: '09:30'};
  const ada = await scene.addMember({email, slack_user_id: 'U0ADA', reminders: quiet});
  const {id: workspace, operator} = scene.workspace;
  const deadline = performance.now() + 5_000;
  await scene.service.core.store.events.addConsumer(workspace, 'slack', deadline);
  const services = scene.createServices({slack: {mode: 'token', transport: 'http', workspace}});
  await scene.clock.set(at('09:00'));
  while (await services.runs.advanceRuns(operator(), suffixOf(scene.workspace.team)));
  const prompt = await scene.context.prompts.find(workspace, suffixOf(ada), monday, deadline);
  expect(prompt?.user).toBe('U0ADA');
  if (prompt === undefined) throw new Error('no reminder');
  // While Slack is the member's channel, nothing moves.
  await services.moveReminder(operator(), prompt);
  const body = {reminders: {channels: ['mail']}};
  await scene.workspace.request('PATCH', `/v1/members/${ada}`, {body});
  for (let i = 0; i < 2; i += 1) await services.moveReminder(operator(), prompt);
  await scene.moveTo(at('09:29'));
  expect(await facts()).toEqual([]);
  await scene.moveTo(at('09:30'));
  expect(await facts()).toEqual([reminder()]);
});

it('a mail that waits moves to the channel that the member chooses meanwhile, with its snooze', async () => {
  const quiet = {quiet_from: '08:00', quiet_until: '09:30'};
  const member = {email, slack_user_id: 'U0ADA', reminders: {...quiet, channels: ['mail', 'slack']}};
  const [ada, bob] = [
    await scene.addMember(member),
    await scene.addMember({...member, email: 'bob@example.com', slack_user_id: null}),
  ];
  await scene.moveTo(at('09:00'));
  await scene.services.ownReminders.snoozeReminder(callBy(ada), {minutes: 45});
  for (const id of [ada, bob]) {
    const body = {reminders: {channels: ['slack']}};
    await scene.workspace.request('PATCH', `/v1/members/${id}`, {body});
  }
  await scene.service.core.store.events.addConsumer(scene.workspace.id, 'slack', performance.now() + 5_000);
  const services = scene.createServices({
    slack: {mode: 'token', transport: 'http', workspace: scene.workspace.id},
  });
  await scene.clock.set(at('09:30'));
  while (await services.remindByMail(scene.workspace.operator()));
  expect(await facts()).toEqual([]);
  const found = await Promise.all(
    [ada, bob].map((id) =>
      scene.context.prompts.find(scene.workspace.id, suffixOf(id), monday, performance.now() + 5_000),
    ),
  );
  expect(found).toMatchObject([
    {user: 'U0ADA', snoozed: at('09:45'), notBefore: at('09:45')},
    {user: 'browser', snoozed: undefined, notBefore: at('09:30')},
  ]);
  expect(found.map((prompt) => [...(prompt?.moments.keys() ?? [])])).toEqual([['opening'], ['opening']]);
});

it('a deleted member leaves no waiting reminder', async () => {
  const ada = await scene.addMember({email, reminders: {quiet_from: '08:00', quiet_until: '09:30'}});
  await scene.moveTo(at('09:00'));
  await scene.workspace.request('DELETE', `/v1/members/${ada}`);
  await scene.moveTo(at('09:30'));
  expect(await facts()).toEqual([]);
  const keys = workspaceKeys(scene.workspace.id);
  const {redisUrl} = scene.service;
  expect(
    await sendToRedis(redisUrl, [['EXISTS', keys.slackPrompt(ada, monday), keys.remindPending()]]),
  ).toEqual([0]);
});

it('the due work names the time of the next look, and nothing when no reminder waits', async () => {
  await scene.addMember({email, reminders: {quiet_from: '08:00', quiet_until: '09:30'}});
  const keys = workspaceKeys(scene.workspace.id);
  const due = async () =>
    (await sendToRedis(scene.service.redisUrl, [['ZSCORE', keys.ready(), 'remind']]))[0];
  await scene.moveTo(at('09:00'));
  expect(Number(await due())).toBe(at('09:30'));
  await scene.moveTo(at('09:30'));
  expect(await due()).toBeNull();
});

it('a queued mail says what is open when it is sent, and is dropped when all is posted', async () => {
  const ada = await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  const [mail] = await scene.listMails();
  if (mail === undefined) throw new Error('no mail');
  const compose = () => scene.services.mails.compose(scene.workspace.operator(), mail);
  expect(await compose()).toMatchObject({
    content: {
      kind: 'reminder',
      name: 'Ada',
      moment: 'opening',
      minutesLeft: 120,
      teams: [{name: 'Platform'}],
    },
    language: 'en',
    timezone: 'UTC',
    stopUrl: expect.stringMatching(/^http:\/\/localhost\/app\/unsubscribe\/[\w-]+$/),
  });
  await scene.workspace.request('PATCH', `/v1/members/${ada}`, {body: {email: 'ada@new.example'}});
  expect(await compose()).toBeUndefined();
  await scene.workspace.request('PATCH', `/v1/members/${ada}`, {body: {email}});
  expect(await compose()).toBeDefined();
  await scene.workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', update: 'Tests.', author: ada},
  });
  expect(await compose()).toBeUndefined();
});

it('a mailed reminder asks about an open blocker two days after its last change, with a link to it', async () => {
  const ada = await scene.addMember({email});
  await scene.clock.set(at('08:00', '2026-11-21'));
  const raise = {body: {team: 'platform', text: 'No tape.', author: ada}};
  const {id} = (await scene.workspace.request('POST', '/v1/blockers', raise)).body;
  await scene.moveTo(at('09:00'));
  const [mail] = await scene.listMails();
  if (mail === undefined) throw new Error('no mail');
  const compose = async () => (await scene.services.mails.compose(scene.workspace.operator(), mail))?.content;
  expect(await compose()).toMatchObject({
    blockers: [{text: 'No tape.', team: 'Platform', since: '2026-11-21'}],
    blockersUrl: `http://localhost/app/blockers?blocker=${id}`,
  });
  await scene.workspace.request('PATCH', `/v1/blockers/${id}`, {body: {state: 'resolved'}});
  expect(await compose()).toMatchObject({blockers: []});
});

it('a lead who reminds people reads the channel of each, and why no channel reaches the others', async () => {
  const ada = await scene.addMember({email});
  const nameless = await scene.addMember();
  const chooser = await scene.addMember({email: 'c@example.com', reminders: {channels: ['slack']}});
  await scene.moveTo(at('09:00'));
  const {body} = await scene.services.runs.remind(scene.workspace.operator(), 'platform');
  expect(JSON.parse(body)).toMatchObject({
    members: [{id: ada, channel: 'mail'}],
    unreachable: [
      {id: nameless, reason: 'no_email'},
      {id: chooser, reason: 'slack_not_connected'},
    ],
    not_reminded: [],
  });
  await scene.moveTo(at('09:02'));
  expect(await facts()).toEqual([reminder(), reminder(1)]);
});

it('an address that a mail server refused gets no more reminders, and the lead reads so', async () => {
  const ada = await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  const claim = await scene.context.mails.claim(
    scene.workspace.id,
    'worker',
    minute,
    performance.now() + 5_000,
  );
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const outcome = {result: 'failed', code: 550, addressRefused: true} as const;
  await scene.services.mails.recordOutcome(scene.workspace.operator(), claim.mail, outcome);
  const {body} = await scene.services.runs.remind(scene.workspace.operator(), 'platform');
  expect(JSON.parse(body)).toMatchObject({members: [], unreachable: [{id: ada, reason: 'address_refused'}]});
  await scene.moveTo(at('10:30'));
  expect(await facts()).toHaveLength(1);
});

/** Looks at the due reminder, while something else happens between the plan and its commit. */
async function remindWhile(meanwhile: () => Promise<unknown>): Promise<void> {
  const {commits} = scene.context;
  let left = 1;
  const run: typeof commits.run = async (...given) => {
    if (left-- > 0) await meanwhile();
    return commits.run(...given);
  };
  await scene.createServices({commits: {...commits, run}}).remindByMail(scene.workspace.operator());
}

it('a snooze during a look at the reminder is kept, and no mail is sent before its end', async () => {
  const ada = await scene.addMember({email, reminders: {quiet_from: '08:00', quiet_until: '09:30'}});
  await scene.moveTo(at('09:00'));
  await scene.clock.set(at('09:30'));
  await remindWhile(() => snooze(ada));
  expect(await facts()).toEqual([]);
  await scene.moveTo(at('10:00'));
  expect(await facts()).toEqual([reminder()]);
});

it('a mail goes to no address that was changed during the look at the reminder', async () => {
  const ada = await scene.addMember({email, reminders: {quiet_from: '08:00', quiet_until: '09:30'}});
  await scene.moveTo(at('09:00'));
  await scene.clock.set(at('09:30'));
  const body = {email: 'ada@new.example'};
  await remindWhile(() => scene.workspace.request('PATCH', `/v1/members/${ada}`, {body}));
  expect(await facts()).toEqual([{...reminder(), to: 'ada@new.example'}]);
});

it(
  'a member is reminded once if workers die before and after each commit, several at once',
  async () => {
    const all = await Promise.all(
      Array.from({length: 12}, (_, i) => scene.addMember({email: `p${i}@example.com`})),
    );
    const {commits} = scene.context;
    let deaths = 0;
    const dying = scene.createServices({
      commits: {
        ...commits,
        async run(...given) {
          deaths += 1;
          if (deaths % 3 === 1) throw new Error('killed before the commit');
          const outcome = await commits.run(...given);
          if (deaths % 3 === 2) throw new Error('killed after the commit');
          return outcome;
        },
      },
    });
    const {operator, team} = scene.workspace;
    for (const time of ['09:00', '09:05', '10:30', '10:35']) {
      await scene.clock.set(at(time));
      while (await scene.services.runs.advanceRuns(operator(), suffixOf(team)));
      const isDue = () => scene.context.prompts.findDue(scene.workspace.id, performance.now() + 5_000);
      const work = async () => {
        while (await isDue()) await dying.remindByMail(operator()).catch(() => undefined);
      };
      await Promise.all([work(), work(), work()]);
    }
    expect(deaths).toBeGreaterThan(20);
    const mails = await scene.listMails();
    const byMember = Map.groupBy(mails, ({member}) => member);
    expect(byMember.size).toBe(all.length);
    for (const own of byMember.values())
      expect(own.map(({fact}) => fact)).toEqual([
        {kind: 'reminder', date: monday, take: 0},
        {kind: 'reminder', date: monday, take: 1},
      ]);
  },
  3 * minute,
);

it('regression: a person is reminded by mail again after another channel had a reminder of the day', async () => {
  const ada = await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  const {id: workspace, operator} = scene.workspace;
  const deadline = performance.now() + 5_000;
  await scene.service.core.store.events.addConsumer(workspace, 'slack', deadline);
  const prompt = await scene.context.prompts.find(workspace, suffixOf(ada), monday, deadline);
  const [suffix] = [...(prompt?.runs.keys() ?? [])];
  const run = suffix && (await scene.context.records.findBySuffix(workspace, suffix, deadline));
  if (run === undefined) throw new Error('no run');
  await scene.clock.set(at('09:20'));
  const inSlack = {
    do: 'prompt',
    member: ada,
    run: run.id,
    user: 'U0ADA',
    date: monday,
    team: run.team_id,
  } as const;
  const more = {closesAt: at('11:00'), notBefore: 0, moment: 'asked'} as const;
  await scene.context.mutate(operator(), async () => ({
    guards: [],
    writes: [{...inSlack, ...more}],
    events: [],
    reply: {kind: 'empty'},
  }));
  await scene.moveTo(at('10:30'));
  expect(await facts()).toHaveLength(2);
});

it('a mail that is held up waits for the end of quiet hours that began meanwhile, unless a snooze ended in them', async () => {
  const quiet = {quiet_from: '09:10', quiet_until: '10:00'};
  await scene.addMember({email, reminders: quiet});
  const lin = await scene.addMember({email: 'lin@example.com', reminders: quiet});
  await scene.moveTo(at('09:00'));
  const compose = async () => {
    const mails = await scene.listMails();
    const all = mails.map((mail) => scene.services.mails.compose(scene.workspace.operator(), mail));
    return (await Promise.all(all)).map((mail) => mail && (mail.notBefore ?? 'now'));
  };
  expect(await compose()).toEqual(['now', 'now']);
  await scene.services.ownReminders.snoozeReminder(callBy(lin), {minutes: 30});
  await scene.moveTo(at('09:15'));
  expect(await compose()).toEqual(expect.arrayContaining([at('10:00'), undefined]));
  await scene.moveTo(at('09:30'));
  expect(await compose()).toEqual(expect.arrayContaining([at('10:00'), 'now', undefined]));
  await scene.moveTo(at('10:00'));
  expect(await compose()).not.toContain(at('10:00'));
});

it('regression: only the later of two reminders that waited for the mail server is sent', async () => {
  await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  await scene.moveTo(at('10:30'));
  const mails = await scene.listMails();
  const composed = await Promise.all(
    mails.map((mail) => scene.services.mails.compose(scene.workspace.operator(), mail)),
  );
  expect(composed.map((one) => one?.content)).toEqual([
    undefined,
    expect.objectContaining({kind: 'reminder', moment: 'before_closing'}),
  ]);
});

it('regression: a waiting reminder is not given up while the clock may be wrong', async () => {
  await scene.addMember({email, reminders: {quiet_from: '08:00', quiet_until: '09:30'}});
  await scene.moveTo(at('09:00'));
  const clock = {...scene.context.clock, isSteady: () => false};
  await scene.clock.set(at('13:00'));
  const {remindByMail} = scene.createServices({clock});
  expect(await remindByMail(scene.workspace.operator())).toBe(false);
  await scene.moveTo(at('09:30'));
  expect(await facts()).toEqual([reminder()]);
});

const compose = async () =>
  Promise.all(
    (await scene.listMails()).map((mail) => scene.services.mails.compose(scene.workspace.operator(), mail)),
  );
const findPrompt = (id: Id<'member'>, date = monday) =>
  scene.context.prompts.find(scene.workspace.id, suffixOf(id), date, performance.now() + 5_000);
const change = (id: Id<'member'>, body: object) =>
  scene.workspace.request('PATCH', `/v1/members/${id}`, {body});

/** Returns services with Slack, whose events are read. */
async function connectSlack() {
  const {id: workspace} = scene.workspace;
  await scene.service.core.store.events.addConsumer(workspace, 'slack', performance.now() + 5_000);
  return scene.createServices({slack: {mode: 'token', transport: 'http', workspace}});
}

it('regression: a mail that waits for the mail server is not sent once its person has snoozed it', async () => {
  const ada = await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  await scene.services.ownReminders.snoozeReminder(callBy(ada), {minutes: 30});
  expect(await compose()).toEqual([undefined]);
  // The end of the snooze queues another mail a moment later.
  await scene.clock.set(at('09:30'));
  expect(await compose()).toEqual([undefined]);
  await scene.moveTo(at('09:30'));
  expect(await compose()).toEqual([undefined, expect.objectContaining({language: 'en'})]);
});

it('regression: people read their own reminder that has moved to the next day', async () => {
  await scene.workspace.request('PATCH', '/v1/teams/platform', {
    body: {schedule: {frequency: 'weekly', days: ['mon'], opens: '23:00', closes: '01:00', reminders: []}},
  });
  const quiet = {quiet_from: '03:00', quiet_until: '04:00'};
  const people = [
    await scene.addMember({email}),
    await scene.addMember({email: 'b@example.com', reminders: quiet}),
  ];
  await scene.moveTo(at('23:00'));
  await scene.clock.set(at('23:45'));
  for (const id of people) await snooze(id);
  const tuesday = '2026-11-24';
  await scene.moveTo(at('00:15', tuesday));
  for (const id of people)
    expect(await scene.services.ownReminders.findOwnReminder(callBy(id))).toMatchObject({
      date: tuesday,
      remind_at: '2026-11-23T23:00:00.000Z',
      teams: [{team: 'platform'}],
    });
});

it.each([
  ['leaves the channel for none', {channels: ['slack']}, {channels: ['mail']}],
  ['switches reminders off', {enabled: false}, {enabled: true}],
])('regression: a snoozed mail comes if its person %s, and returns before its end', async (_, away, back) => {
  const ada = await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  await snooze(ada);
  await change(ada, {reminders: away});
  await scene.moveTo(at('09:05'));
  await change(ada, {reminders: back});
  await scene.moveTo(at('09:30'));
  expect(await facts()).toEqual([reminder(), reminder(1)]);
});

it('regression: the later of two snoozes at the same moment counts, and each answer has its own end', async () => {
  const ada = await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  const {commits} = scene.context;
  let first: unknown;
  const run: typeof commits.run = async (...given) => {
    first ??= (await scene.services.ownReminders.snoozeReminder(callBy(ada), {minutes: 30})).body;
    return commits.run(...given);
  };
  const slower = scene.createServices({commits: {...commits, run}}).ownReminders;
  const {body} = await slower.snoozeReminder(callBy(ada), {minutes: 60});
  const untilOf = (answer: unknown) => (JSON.parse(String(answer)) as {snoozed_until: string}).snoozed_until;
  expect([first, body].map(untilOf)).toEqual(
    ['09:30', '10:00'].map((time) => new Date(at(time)).toISOString()),
  );
  expect(await findPrompt(ada)).toMatchObject({snoozed: at('10:00')});
});

it('regression: a snooze is kept while the reminder moves from Slack to mail', async () => {
  const quiet = {quiet_from: '08:00', quiet_until: '09:30'};
  const ada = await scene.addMember({email, slack_user_id: 'U0ADA', reminders: quiet});
  const services = await connectSlack();
  const slack = {mode: 'token', transport: 'http', workspace: scene.workspace.id} as const;
  const {commits} = scene.context;
  await scene.clock.set(at('09:00'));
  while (await services.runs.advanceRuns(scene.workspace.operator(), suffixOf(scene.workspace.team)));
  const prompt = await findPrompt(ada);
  if (prompt === undefined) throw new Error('no reminder');
  await change(ada, {reminders: {channels: ['mail']}});
  let isSnoozed = false;
  const meanwhile: typeof commits.run = async (...given) => {
    if (!isSnoozed) {
      isSnoozed = true;
      await services.ownReminders.snoozeReminder(callBy(ada), {minutes: 60});
    }
    return commits.run(...given);
  };
  await scene
    .createServices({slack, commits: {...commits, run: meanwhile}})
    .moveReminder(scene.workspace.operator(), prompt);
  expect(await findPrompt(ada)).toMatchObject({user: 'mail', snoozed: at('10:00')});
});

it('regression: a mail that waits for the mail server goes to the channel that its member chooses meanwhile', async () => {
  const ada = await scene.addMember({
    email,
    slack_user_id: 'U0ADA',
    reminders: {channels: ['mail', 'slack']},
  });
  await scene.moveTo(at('09:00'));
  const services = await connectSlack();
  await change(ada, {reminders: {channels: ['slack']}});
  expect(await sendMails({core: {...scene.service.core, services}}, scene.workspace)).toEqual([]);
  expect(await findPrompt(ada)).toMatchObject({user: 'U0ADA', ts: undefined});
});

it('regression: a mail that waits for the mail server goes to the address that its member has by then', async () => {
  const ada = await scene.addMember({email});
  await scene.moveTo(at('09:00'));
  await change(ada, {email: 'ada@new.example'});
  const send = async () =>
    (await sendMails({core: {...scene.service.core, services: scene.services}}, scene.workspace)).flatMap(
      ({to, content}) => (content.kind === 'reminder' ? [to] : []),
    );
  expect(await send()).toEqual([]);
  await scene.moveTo(at('09:01'));
  expect(await send()).toEqual(['ada@new.example']);
  await scene.moveTo(at('09:02'));
  expect(await send()).toEqual([]);
});

describe('the report of a run', () => {
  const statusesOf = async () => {
    const {body} = await scene.workspace.request('GET', `/v1/teams/platform/runs/${monday}`);
    return body.report.lines.map(({status}: {status: string}) => status);
  };
  const send = (outcome: MailOutcome) =>
    sendMails({core: {...scene.service.core, services: scene.services}}, scene.workspace, outcome);
  const refused = {result: 'failed', code: 550, addressRefused: true} as const;

  it('says that a member whose reminder was refused was not reached, also in their next run', async () => {
    const ada = await scene.addMember({email});
    await scene.moveTo(at('09:00'));
    expect(await statusesOf()).toEqual(['expected']);
    await send(refused);
    expect(await statusesOf()).toEqual(['unreachable']);
    const {body} = await scene.services.runs.remind(scene.workspace.operator(), 'platform');
    expect(JSON.parse(body)).toMatchObject({
      members: [],
      unreachable: [{id: ada, reason: 'address_refused'}],
    });
    await scene.moveTo(at('11:00'));
    expect(await statusesOf()).toEqual(['unreachable']);
    const tuesday = '2026-11-24';
    await scene.moveTo(at('09:00', tuesday));
    await scene.moveTo(at('11:00', tuesday));
    const next = await scene.workspace.request('GET', `/v1/teams/platform/runs/${tuesday}`);
    expect(next.body.report.counts).toMatchObject({missed: 0, unreachable: 1});
  });

  it('regression: says that a member was not reached whose address was refused while their reminder waited', async () => {
    const ada = await scene.addMember({email, reminders: {quiet_from: '08:00', quiet_until: '09:30'}});
    await scene.moveTo(at('09:00'));
    await recordMail(scene.service, scene.workspace, {to: email, member: ada}, refused);
    expect(await statusesOf()).toEqual(['expected']);
    await scene.moveTo(at('09:30'));
    expect(await statusesOf()).toEqual(['unreachable']);
    expect(await findPrompt(ada)).toMatchObject({user: 'browser'});
  });

  it('says that a member whose reminder came back was not reached, until a later one arrives', async () => {
    const ada = await scene.addMember({email});
    await scene.moveTo(at('09:00'));
    await send({result: 'sent', code: 250});
    expect(await statusesOf()).toEqual(['expected']);
    const [mail] = await scene.listMails();
    const id = composeId('mail', mail?.queuedAt ?? 0, mail?.suffix ?? asSuffix(''));
    await scene.services.outbox.recordBounce(scene.workspace.operator(), id);
    expect(await statusesOf()).toEqual(['unreachable']);
    await scene.workspace.request('PATCH', `/v1/members/${ada}`, {body: {email: 'ada@new.example'}});
    await scene.moveTo(at('10:30'));
    await send({result: 'sent', code: 250});
    expect(await statusesOf()).toEqual(['expected']);
    await scene.moveTo(at('11:00'));
    expect(await statusesOf()).toEqual(['missed']);
  });
});
