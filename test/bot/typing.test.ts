import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {admin, lookingToken, startSlack} from '../support/slack-harness.js';
import {minute, type PromptScene, startPromptScene} from './prompt-scene.js';
import {calls, fillForm, initialTextsByBlock, viewOf} from '../support/slack-form.js';
import {
  askedTypist,
  createTypist,
  elementsOf,
  keptOf,
  labelsOf,
  postedBy,
  type Typist,
} from './typing-scene.js';
import type {Id} from '../../src/domain/core/ids.js';
import {asId} from '../support/ids.js';

let scene: PromptScene;
beforeAll(async () => {
  scene = await startPromptScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  const tomorrow = new Date(scene.clock.now() + 24 * 60 * minute).toISOString().slice(0, 10);
  await scene.clock.set(Date.parse(`${tomorrow}T08:00:00Z`));
});
afterEach(() => {
  expect(scene.slack.slack.limitViolations).toEqual([]);
  scene.slack.slack.clear();
});

describe('a member who has been asked for a standup', () => {
  test('reads that they can type, answers question by question, and posts with a word', async () => {
    const ada = await askedTypist(scene);
    const [prompt] = await scene.messagesOf(ada.person);
    expect(prompt?.text).toContain('What are you working on today? Just reply here.');
    expect((await ada.type('Fix the importer')).reply.status).toBe(200);
    expect((await ada.last()).text).toMatch(/yesterday/i);
    await ada.type('Wrote tests');
    expect((await ada.last()).text).toMatch(/blocking you/);
    await ada.type('skip');
    const summary = await ada.last();
    expect(summary.text).toContain('Yesterday\nWrote tests\n\nToday\nFix the importer');
    expect(labelsOf(summary)).toEqual(['Post', 'Edit', 'Discard']);
    expect(await postedBy(scene, ada)).toEqual([]);
    await ada.type('Post');
    const [standup, ...others] = await postedBy(scene, ada);
    expect(others).toEqual([]);
    expect(standup?.update).toBe('Yesterday\nWrote tests\n\nToday\nFix the importer');
    expect((await ada.last()).text).toMatch(/^✅ Posted in <#C000000001>/);
    expect(labelsOf(await ada.last())).toEqual(['Edit', 'Undo']);
    expect(await ada.said()).toHaveLength(4);
    expect(await keptOf(scene, ada)).not.toMatch(/importer|tests/);
  });

  test('types in the thread of the reminder, and is answered there', async () => {
    const ada = await askedTypist(scene);
    const [prompt] = await scene.messagesOf(ada.person);
    await ada.type('Fix it', {thread_ts: prompt?.ts});
    const post = scene.slack.slack.of('chat.postMessage').at(-1);
    expect(post?.body).toMatchObject({channel: ada.channel, thread_ts: prompt?.ts});
    expect(String(post?.body['text'])).toContain('What did you do yesterday?');
  });

  test('is not asked for Yesterday when they have an earlier standup, whose Today is shown instead', async () => {
    const ada = await askedTypist(scene);
    await answerAll(ada);
    await scene.clock.advance(24 * 60 * minute);
    const closesAt = scene.clock.now() + 60 * minute;
    const run = await scene.openRun(closesAt);
    await scene.remind(ada.person, run, closesAt);
    await scene.clock.advance(1);
    await scene.work(ada.person);
    await ada.type('Write the docs');
    expect((await ada.last()).text).toContain('Is anything blocking you? (2 of 2)');
    await ada.type('No');
    expect((await ada.last()).text).toContain(
      'Yesterday\nFix the importer\n\nToday\nWrite the docs\n\nBlockers\nNo',
    );
  });

  test('begins again on the next day: unposted text of the day before is shown, and is not part of the new standup', async () => {
    const ada = await askedTypist(scene);
    await ada.type('Fix the importer');
    await scene.clock.advance(24 * 60 * minute);
    const closesAt = scene.clock.now() + 60 * minute;
    await scene.remind(ada.person, await scene.openRun(closesAt), closesAt);
    await scene.clock.advance(1);
    await scene.work(ada.person);
    await ada.type('Write the docs');
    const texts = (await ada.said()).map(({text}) => text);
    expect(texts.at(-2)).toMatch(/^Your standup for Platform, .*, was not posted.*Today\nFix the importer$/s);
    expect(texts.at(-1)).toMatch(/Got it. That answers “What are you working on today\?”/);
    await ada.type('post');
    expect((await postedBy(scene, ada)).map(({update}) => update)).toEqual(['Today\nWrite the docs']);
  });

  test('composes links, emoji, a list and a mention, and sees them as they were composed', async () => {
    const ada = await askedTypist(scene);
    const text = (value: string) => ({type: 'text', text: value});
    const section = (...elements: object[]) => ({type: 'rich_text_section', elements});
    await ada.type('• Merged <https://example.com/pr/7> :tada:\n• Asked <@U0>', {
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [
                section(text('Merged '), {type: 'link', url: 'https://example.com/pr/7'}, text(' '), {
                  type: 'emoji',
                  name: 'tada',
                }),
                section(text('Asked '), {type: 'user', user_id: ada.person.user}),
              ],
            },
          ],
        },
      ],
    });
    await ada.type('post');
    const [standup] = await postedBy(scene, ada);
    expect(standup?.update).toBe(
      `Today\n• Merged https://example.com/pr/7 :tada:\n• Asked @${ada.person.member.name}`,
    );
    expect(JSON.stringify((await ada.last()).blocks)).toContain('"url":"https://example.com/pr/7"');
  });

  test('reads what each command word does; a word is a command only as the whole message', async () => {
    const ada = await askedTypist(scene);
    await ada.type('later today I fix it');
    await ada.type('HELP');
    expect((await ada.last()).text).toMatch(/skip skips a question.*What did you do yesterday\?/s);
    await ada.type('later');
    expect((await ada.last()).text).toMatch(/^Saved for later\. To go on, .*What did you do yesterday\?/);
    await ada.type('Back.');
    expect((await ada.last()).text).toMatch(
      /What are you working on today\?.*Your answer so far: later today I fix it/s,
    );
    await ada.type('skip');
    await ada.type('post');
    expect((await postedBy(scene, ada)).map(({update}) => update)).toEqual(['Today\nlater today I fix it']);
  });

  test('can stop, which shows all the typed text, and continue with one word', async () => {
    const ada = await askedTypist(scene);
    await ada.type('Fix it');
    await ada.type('cancel');
    expect((await ada.last()).text).toMatch(/^Stopped\. Nothing was posted\..*Today\nFix it/s);
    expect(labelsOf(await ada.last())).toEqual(['Open the form']);
    await ada.type('Thanks for nothing');
    expect((await ada.last()).text).toMatch(/^Post this as your update/);
    await ada.type('continue');
    expect((await ada.last()).text).toContain('What did you do yesterday?');
  });

  test('edits and deletes messages before Post: the summary follows, and a required answer is requested again', async () => {
    const ada = await askedTypist(scene);
    const first = await ada.type('Fix the importr');
    await ada.type('skip');
    const third = await ada.type('none');
    const summary = await ada.last();
    await ada.edit(first.ts, 'Fix the importer', 'Fix the importr');
    const again = await ada.last();
    expect(again.ts).toBe(summary.ts);
    expect(again.text).toContain('Today\nFix the importer\n\nBlockers\nnone');
    await ada.remove(third.ts);
    expect((await ada.last()).text).toMatch(/^You deleted your message.*Today\nFix the importer$/s);
    await ada.remove(first.ts);
    expect((await ada.last()).text).toContain('What are you working on today?');
    await ada.type('post');
    expect((await ada.last()).text).toContain('needs an answer');
    expect(await postedBy(scene, ada)).toEqual([]);
    expect(await keptOf(scene, ada)).not.toContain('importer');
    await ada.type('Fix all');
    await ada.type('post');
    expect((await postedBy(scene, ada)).map(({update}) => update)).toEqual(['Today\nFix all']);
  });

  test('edits a message after Post: the answer in the standup changes; deleting the message removes nothing', async () => {
    const ada = await askedTypist(scene);
    const [today] = await answerAll(ada);
    await ada.edit(today ?? '', 'Fix the exporter', 'Fix the importer');
    const [standup] = await postedBy(scene, ada);
    expect(standup?.update).toBe('Yesterday\nWrote tests\n\nToday\nFix the exporter');
    expect(standup?.revision).toBe(2);
    expect((await ada.last()).text).toMatch(/^✅ Changed in <#C000000001>/);
    await ada.remove(today ?? '');
    expect((await ada.last()).text).toMatch(/^Your posted standup stays/);
    expect(labelsOf(await ada.last())).toEqual(['Edit', 'Delete']);
    expect(await postedBy(scene, ada)).toHaveLength(1);
  });

  test('presses Edit under the summary after typing Post: the standup is edited, and no second one is made', async () => {
    const ada = await askedTypist(scene);
    for (const text of ['Fix it', 'skip', 'skip']) await ada.type(text);
    const {blocks} = await ada.last();
    await ada.type('post');
    const before = scene.slack.slack.of('views.open').length;
    const edit = elementsOf(blocks).find(({text}) => text?.text === 'Edit');
    const user = {id: ada.person.user, name: 'ada'};
    await scene.slack.action(
      {action_id: edit.action_id, value: edit.value},
      {},
      {user, channel: ada.channel},
    );
    const form = viewOf((await calls(scene.slack, 'views.open', before + 1))[before]);
    await scene.slack.submit(fillForm(form, 'VAFTER', {'today.1': 'Fix it well'}), {user});
    expect((await postedBy(scene, ada)).map(({update}) => update)).toEqual(['Today\nFix it well']);
  });

  test('presses Post twice and has one standup; the summary says what happened to it', async () => {
    const ada = await askedTypist(scene);
    for (const text of ['Fix it', 'skip', 'skip']) await ada.type(text);
    const summary = await ada.last();
    await Promise.all([ada.press('Post'), ada.press('Post')]);
    expect(await postedBy(scene, ada)).toHaveLength(1);
    const [shown] = (await ada.said()).filter(({ts}) => ts === summary.ts);
    expect(shown?.text).toMatch(/^✅ Posted in <#C000000001>/);
  });

  test('presses Edit: the form has all the answers, and Post then posts nothing more', async () => {
    const ada = await askedTypist(scene);
    for (const text of ['Fix it', 'Wrote tests', 'Printer']) await ada.type(text);
    const user = {id: ada.person.user, name: 'ada'};
    const before = scene.slack.slack.of('views.open').length;
    await ada.press('Edit');
    const form = viewOf((await calls(scene.slack, 'views.open', before + 1))[before]);
    expect(initialTextsByBlock(form)).toMatchObject({
      yesterday: 'Wrote tests',
      today: 'Fix it',
      blockers: 'Printer',
    });
    await scene.slack.submit(fillForm(form, 'VTYPED', {today: 'Fix it well'}), {user});
    await ada.press('Post');
    await ada.type('post');
    expect((await postedBy(scene, ada)).map(({update}) => update)).toEqual([
      'Yesterday\nWrote tests\n\nToday\nFix it well\n\nBlockers\nPrinter',
    ]);
    expect(await keptOf(scene, ada)).not.toContain('Printer');
  });

  test.each<[string, (ada: Typist & {runs: Id[]}) => Promise<unknown>, RegExp]>([
    [
      'the run closes',
      async ({runs}) => {
        await scene.slack.core.services.teams.changeTeam(scene.slack.operator(), scene.slack.team, {
          late_policy: {accept: 'never'},
        });
        await scene.clock.advance(61 * minute);
        await scene.endRun(asId(runs[0] ?? ''), 'closed');
      },
      /^The standup of Platform has closed/,
    ],
    [
      'they have posted by other means',
      (ada) => scene.slack.command('post: By command', {user: {id: ada.person.user, name: 'ada'}}),
      /^You already posted for Platform/,
    ],
    [
      'they are away',
      (ada) => scene.slack.command('ooo', {user: {id: ada.person.user, name: 'ada'}}),
      /^You’re away/,
    ],
    [
      'they leave the team',
      (ada) =>
        scene.slack.core.services.teamMembers.removeTeamMember(
          scene.slack.operator(),
          scene.slack.team,
          ada.person.member.id,
        ),
      /^You left Platform/,
    ],
  ])(
    'the conversation ends with a sentence and all the text when %s in the meantime',
    async (_, happens, sentence) => {
      const ada = await askedTypist(scene);
      await ada.type('Fix the importer');
      await happens(ada);
      await ada.type('Wrote tests');
      const {text, ...last} = await ada.last();
      expect(text).toMatch(sentence);
      expect(text).toContain('Yesterday\nWrote tests\n\nToday\nFix the importer');
      expect(labelsOf({text, ...last})).toContain('Open the form');
      expect((await postedBy(scene, ada)).filter(({update}) => update.includes('importer'))).toEqual([]);
      await scene.slack.core.services.teams.changeTeam(scene.slack.operator(), scene.slack.team, {
        late_policy: {accept: 'always'},
      });
    },
  );
});

/** Answers all questions and posts the standup. Returns the `ts` of the messages. */
async function answerAll(ada: Typist): Promise<string[]> {
  const sent: string[] = [];
  for (const text of ['Fix the importer', 'Wrote tests', 'skip', 'post'])
    sent.push((await ada.type(text)).ts);
  expect(await postedBy(scene, ada)).toHaveLength(1);
  return sent;
}

test('text typed when no question is open is posted only when its author says so', async () => {
  const person = await scene.addPerson();
  const grace = await createTypist(scene, person);
  await grace.type('Shipped it');
  const offer = await grace.last();
  expect(offer.text).toMatch(/^Post this as your update for Platform, .*\?/);
  expect(labelsOf(offer)).toEqual(['Post', 'Open the form', 'No']);
  expect(await postedBy(scene, grace)).toEqual([]);
  await grace.press('Post');
  expect((await postedBy(scene, grace)).map(({update}) => update)).toEqual(['Shipped it']);
});

describe('text typed when no question is open', () => {
  test('is never published when it looks like a command: the command runs, or the bot asks', async () => {
    const grace = await createTypist(scene, await scene.addPerson());
    await grace.type('today');
    expect((await grace.last()).text).toMatch(/Platform/);
    const {ts, reply} = await grace.type('ooo until friday');
    expect(reply.status).toBe(200);
    expect((await grace.last()).text).toMatch(/away/i);
    await grace.send({type: 'message', user: grace.person.user, text: 'ooo until friday', ts});
    await grace.type('tody');
    expect((await grace.last()).text).toMatch(/Did you mean/);
    await grace.type('post');
    expect((await grace.last()).text).toMatch(/^Press the button to go on/);
    await grace.type('edit');
    expect(labelsOf(await grace.last())).toEqual(['Edit']);
    expect(await postedBy(scene, grace)).toEqual([]);
    const absences = await scene.slack.core.services.absences.listAbsences(scene.slack.operator(), {
      member: grace.person.member.id,
      limit: 10,
    });
    expect(absences.rows).toHaveLength(1);
  });

  test('is answered with what the bot does there when it only greets, also in a direct message without a team', async () => {
    const grace = await createTypist(scene, await scene.addPerson());
    await grace.type('Hello!');
    expect((await grace.last()).text).toMatch(
      /^Hi! Once a day I ask .* press the button, or type it here\.$/,
    );
    expect(labelsOf(await grace.last())).toEqual(['Post my update', 'See what I can do']);
    const alan = await createTypist(scene, await scene.addPerson({teams: []}));
    await alan.type('hi');
    expect((await alan.last()).text).toMatch(/^Hi! Once a day I ask .* You’re not in a team yet\./);
    expect(labelsOf(await alan.last())).toEqual(['Set up a standup', 'See what I can do']);
    expect([await postedBy(scene, grace), await postedBy(scene, alan)]).toEqual([[], []]);
  });

  test('is posted once, as last edited; No discards it, and a second post is announced as another standup', async () => {
    const grace = await createTypist(scene, await scene.addPerson());
    const {ts} = await grace.type('Shipped t');
    await grace.edit(ts, 'Shipped it', 'Shipped t');
    await grace.press('Post');
    await grace.press('Post');
    expect((await postedBy(scene, grace)).map(({update}) => update)).toEqual(['Shipped it']);
    await grace.edit(ts, 'Shipped all of it', 'Shipped it');
    expect((await postedBy(scene, grace)).map(({update}) => update)).toEqual(['Shipped all of it']);
    await grace.type('And more');
    expect((await grace.last()).text).toMatch(/You already posted for Platform/);
    await grace.press('No');
    expect(await postedBy(scene, grace)).toHaveLength(1);
    expect(await keptOf(scene, grace)).not.toMatch(/more|Shipped/);
  });

  test('gets a button for each of several teams', async () => {
    const other = await scene.addTeam('Data & <Science>');
    const grace = await createTypist(scene, await scene.addPerson({teams: [scene.slack.team, other]}));
    await grace.type('Shipped it');
    expect(labelsOf(await grace.last())).toEqual([
      'Post for Platform',
      'Post for Data & <Science>',
      'Open the form',
      'No',
    ]);
    await grace.press('Post for Data & <Science>');
    expect((await postedBy(scene, grace)).map(({team_id}) => team_id)).toEqual([other]);
  });

  test.each([
    [
      'a file alone',
      {text: '', subtype: 'file_share', files: [{id: 'F1'}]},
      /^I can’t attach files\. Type your answer, with a link/,
    ],
    ['nothing', {text: '  '}, /^There is no text/],
    ['an emoji', {text: ':tada: 🎉'}, /^Not posted\. Type your update/],
    ['far too much', {text: 'x'.repeat(4_001)}, /^That’s longer than 4,000 characters/],
  ])('is answered clearly when it is %s', async (_, event, sentence) => {
    const grace = await createTypist(scene, await scene.addPerson());
    await grace.type('', event);
    expect((await grace.last()).text).toMatch(sentence);
    expect(await postedBy(scene, grace)).toEqual([]);
  });
});

describe('regression: a typed message', () => {
  test.each([
    ['`/me …`', {subtype: 'me_message'}],
    ['an answer in a thread that is also sent as a message', {subtype: 'thread_broadcast', thread_ts: '1.1'}],
    ['a kind of message that Slack adds later', {subtype: 'spoken_message'}],
  ])('is accepted when it is %s', async (_, event) => {
    const grace = await createTypist(scene, await scene.addPerson());
    const before = scene.slack.slack.of('chat.postMessage').length;
    await grace.type('Shipped the importer', event);
    const offers = await calls(scene.slack, 'chat.postMessage', before + 1);
    expect(offers.at(-1)?.body['text']).toContain('Shipped the importer');
  });

  test('is accepted with a file, and its author reads that the file is not posted', async () => {
    const grace = await createTypist(scene, await scene.addPerson());
    await grace.type('Shipped the importer', {subtype: 'file_share', files: [{id: 'F1'}]});
    const [offer, note] = (await grace.said()).slice(-2);
    expect(offer?.text).toContain('Shipped the importer');
    expect(note?.text).toBe('Got your text. I can’t attach files; add a link.');
    await grace.press('Post');
    expect((await postedBy(scene, grace)).map(({update}) => update)).toEqual(['Shipped the importer']);
  });

  test.each(['reminder_add', 'pinned_item', 'huddle_thread', 'channel_join'])(
    'is distinguished from a note of Slack (%s)',
    async (subtype) => {
      const grace = await createTypist(scene, await scene.addPerson());
      const before = (await grace.said()).length;
      await grace.type('set up a reminder', {subtype});
      expect(await grace.said()).toHaveLength(before);
    },
  );
});

describe('several teams that have asked', () => {
  test('get the same standup, all of them or none, when they have no questions of their own', async () => {
    const other = await scene.addTeam('Data');
    const ada = await askedTypist(scene, {teams: [scene.slack.team, other]});
    await ada.type('Fix it');
    expect((await ada.last()).text).toContain('Your standup for Platform, Data, ');
    await ada.type('skip');
    await ada.type('skip');
    await ada.type('post');
    expect((await postedBy(scene, ada)).map(({team_id}) => team_id).toSorted()).toEqual(
      [scene.slack.team, other].toSorted(),
    );
  });

  test('get answers one after the other, first the team that closes first, when they have questions of their own', async () => {
    const {core, operator} = scene.slack;
    const answer = await core.services.teams.createTeam(operator(), {
      name: 'Lab',
      slug: 'lab',
      questions: [
        {key: 'mood', label: 'How do you feel?', type: 'mood', required: true},
        {key: 'where', label: 'Where are you?', type: 'choice', options: ['Office', 'Home'], multiple: false},
        {key: 'days', label: 'Days left?', type: 'number', min: 1, max: 9},
        {key: 'ok', label: 'All well?', type: 'yes_no'},
      ],
    });
    const ada = await askedTypist(scene, {teams: [answer.id ?? asId(''), scene.slack.team]});
    await ada.type('4');
    expect((await ada.last()).text).toMatch(/Where are you\? \(2 of 4\).*1 Office, 2 Home/s);
    expect(labelsOf(await ada.last())).toEqual(['Office', 'Home', 'Skip']);
    await ada.type('Moon');
    expect((await ada.last()).text).toMatch(/^That’s not one of the choices\..*1 Office, 2 Home/s);
    await ada.press('Home');
    expect((await ada.last()).text).toMatch(/Days left\?.*from 1 to 9/s);
    await ada.type('12');
    expect((await ada.last()).text).toMatch(/^That is not a valid number/);
    await ada.type('3');
    await ada.press('Yes');
    await ada.type('post');
    const texts = (await ada.said()).map(({text}) => text);
    expect(texts.at(-2)).toMatch(/^✅ Posted in Lab/);
    expect(texts.at(-1)).toMatch(/^Next: your standup for Platform.*What are you working on today\?/s);
    await ada.type('Fix it');
    await ada.type('post');
    const all = await postedBy(scene, ada);
    expect(all.map(({team_id}) => team_id).toSorted()).toEqual([answer.id, scene.slack.team].toSorted());
    expect(all.find(({team_id}) => team_id === answer.id)?.answers.map(({value}) => value)).toEqual([
      4,
      ['Home'],
      3,
      true,
    ]);
  });
});

test('messages of bots, in channels, and link events of Slack are not read as typed answers', async () => {
  const grace = await createTypist(scene, await scene.addPerson());
  const ts = grace.nextTs();
  const own = {type: 'message', user: grace.person.user, text: 'Shipped it', ts};
  await grace.send({...own, bot_id: 'B1'});
  await grace.send({...own, channel_type: 'channel', channel: 'C000000001'});
  await grace.send({...own, subtype: 'channel_join'});
  await grace.send({subtype: 'message_changed', message: own, previous_message: own, ts});
  expect(scene.slack.slack.of('chat.postMessage')).toEqual([]);
  expect(await keptOf(scene, grace)).toBe('');
});

test('a guest is refused with the reason, and nothing of theirs is stored', async () => {
  const guest = {id: 'U0000GUEST', name: 'guest'};
  scene.slack.slack.failAlways('users.info', {
    kind: 'replied',
    reply: {ok: true, user: {id: guest.id, team_id: 'T000000001', is_restricted: true}},
  });
  const reply = await scene.slack.event({
    type: 'message',
    channel: 'D0GUEST',
    channel_type: 'im',
    user: guest.id,
    text: 'Shipped it',
    ts: '1800000000.000100',
  });
  expect(reply.status).toBe(200);
  const refusal = scene.slack.slack.of('chat.postMessage').at(-1);
  expect(refusal?.body).toMatchObject({channel: 'D0GUEST'});
  expect(String(refusal?.body['text'])).toMatch(/Guests can’t post/);
});

test('a member who types very fast is asked once to slow down, and all of it is stored', async () => {
  const ada = await askedTypist(scene);
  for (let i = 0; i < 25; i++) await ada.type(`help`);
  const texts = (await ada.said()).map(({text}) => text);
  expect(texts.filter((text) => text.startsWith('That was a lot at once'))).toHaveLength(1);
  expect(texts.length).toBe(21);
  await scene.clock.advance(2 * minute);
  await ada.type('Fix it');
  expect((await ada.last()).text).toContain('What did you do yesterday?');
});

test('typed messages count as writes of their author, who reads how long to wait when those are used up', async () => {
  const slack = await startSlack({rateLimits: {all: 0, writes: 2}});
  try {
    const name = {name: 'Ada', slack_user_id: admin.id};
    await slack.core.services.members.createMember(slack.operator(), name);
    const opened = (await slack.api('conversations.open', {users: admin.id}, lookingToken)) as {
      channel: {id: string};
    };
    const message = {type: 'message', channel_type: 'im', channel: opened.channel.id, user: admin.id};
    for (const n of [1, 2, 3, 4])
      expect((await slack.event({...message, text: `Shipped ${n}`, ts: `17.00000${n}`})).status).toBe(200);
    const said = slack.slack.of('chat.postMessage').map(({body}) => String(body['text']));
    expect(said).toMatchObject([
      expect.stringMatching(/^You’re not in a team/),
      expect.stringMatching(/^You’re not in a team/),
      expect.stringMatching(/^Too many changes at once.*Wait \d+ s/),
      expect.stringMatching(/^Too many changes at once/),
    ]);
    const kept = await slack.core.store.typedRecords.find(
      slack.workspace,
      admin.id,
      performance.now() + 2_000,
    );
    expect(kept?.json).not.toMatch(/Shipped [34]/);
  } finally {
    await slack.close();
  }
});
