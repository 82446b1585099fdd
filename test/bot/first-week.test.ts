import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {channel} from '../support/slack-harness.js';
import {type SlackStory, startStory} from '../support/slack-story.js';

let story: SlackStory;
beforeAll(async () => {
  // A Monday, 08:30 in Berlin.
  story = await startStory('.cache/pictures/first-week', Date.parse('2026-11-23T07:30:00Z'), {
    LOG_LEVEL: 'warn',
  });
});
afterAll(async () => {
  if (process.env['PRINT_TRANSCRIPT'] === '1') process.stderr.write(`\n${story.transcript()}\n`);
  await story.close();
});

const at = (day: string, time: string) => Date.parse(`2026-11-${day}T${time}:00+01:00`);

/** Rich text as Slack's composer delivers it. */
const section = (...elements: object[]) => ({type: 'rich_text_section', elements});
const text = (content: string, style?: object) => ({type: 'text', text: content, ...(style && {style})});
const richText = (...elements: object[]) => ({type: 'rich_text', elements});

test('a team completes its first week in Slack', async () => {
  const {services} = story.service.core;
  await services.workspaces.createWorkspace('acme', performance.now() + 5_000);
  const ada = story.person('ada', 'Ada Lovelace');
  const grace = story.person('grace', 'Grace Hopper');
  const linus = story.person('person1', 'Linus');
  const inChannel = async (content: string) =>
    (await story.channelMessages()).some((message) => message.text.includes(content));
  const hasReceived = async (person: typeof ada, content: string) =>
    (await story.direct(person)).some((message) => message.text.includes(content));
  const lastOf = async (person: typeof ada, label: string) => {
    const all = await story.direct(person);
    const found = all.findLast(({blocks}) => JSON.stringify(blocks).includes(label));
    if (found === undefined) throw new Error(`Nothing says ${label} to ${person.name}.`);
    return found;
  };

  story.page('1-set-up', 'Monday, 08:30: Ada sets up the team');
  const offer = await story.privateAnswer(() => story.command(ada, ''));
  const form = await story.view(() =>
    story.press(ada, 'Set up a standup here', offer.blocks, {channel: {id: channel, name: 'privategroup'}}),
  );
  const updates = story.slack.of('views.update').length;
  await story.handIn(ada, form, {
    'Team name': 'Platform',
    'Time zone': 'Europe/Berlin',
  });
  const made = await story.seeUpdate(updates);
  await story.handIn(ada, {...made, id: form.id}, {'Add people': [grace.id, linus.id]});
  await story.seeUpdate(updates + 1);
  await story.wait('the channel is told', () => inChannel('Platform'));
  await story.showChannel();
  await story.wait('Grace is told', async () => (await story.direct(grace)).length > 0);
  story.page('2-added', 'Monday: Grace is told that she is in it');
  await story.showDirect(grace);

  story.page('3-opening', 'Monday, 09:00: the standup opens');
  await story.leap(at('23', '09:00'));
  await story.wait('Grace is asked', () => hasReceived(grace, 'Time for your standup'));
  await story.wait('Linus is asked', () => hasReceived(linus, 'Time for your standup'));
  await story.showDirect(grace);

  story.page('4-typed', 'Monday: Grace answers by typing, with a meeting in between');
  const first = await story.write(grace, 'Reviewing <https://example.com/pr/7> and the *importer*');
  await story.wait('the next question', () => hasReceived(grace, 'yesterday'));
  await story.showDirect(grace);
  await story.write(grace, 'later');
  await story.wait('it is kept', () => hasReceived(grace, 'Saved for later.'));
  await story.showDirect(grace);
  await story.leap(at('23', '09:50'));
  story.say('Fifty minutes later, after the meeting');
  await story.write(grace, 'Fixed the flaky test :tada:');
  await story.wait('the last question', () => hasReceived(grace, 'blocking you'));
  await story.showDirect(grace);
  await story.rewrite(grace, first, 'Reviewing <https://example.com/pr/8> and the *importer*');
  await story.write(grace, 'skip');
  await story.wait('the summary', () => hasReceived(grace, 'Post it?'));
  await story.showDirect(grace);
  const summary = await lastOf(grace, '"Discard"');
  await story.press(grace, 'Post', summary.blocks, {
    channel: {id: await story.directOf(grace), name: 'directmessage'},
    message: summary,
  });
  await story.wait('the channel shows it', () => inChannel('pr/8'));

  story.page('5-form', 'Monday: Ada posts by the form, with links, emoji, a list and a mention');
  const empty = await story.view(() => story.command(ada, ''));
  const handed = await story.handIn(ada, empty, {
    Today: richText(
      section(text('Shipping '), {type: 'link', url: 'https://example.com/release'}, text(' '), {
        type: 'emoji',
        name: 'rocket',
      }),
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: [
          section(text('cut the release', {bold: true})),
          section(text('ask '), {type: 'user', user_id: grace.id}, text(' for a review')),
        ],
      },
    ),
    Blockers: richText(section(text('Waiting for the '), text('staging', {code: true}), text(' database'))),
  });
  expect(handed.status).toBe(200);
  await story.wait('the channel shows it', () => inChannel('example.com/release'));
  await story.wait('both are counted', () => inChannel('2 of 3 posted'));
  await story.showChannel();

  story.page('6-missing', 'Monday, 10:20: Ada looks who is missing, and reminds them');
  await story.leap(at('23', '10:20'));
  const missing = await story.command(ada, 'missing');
  const reminded = await story.privateAnswer(() => story.press(ada, 'Remind them', missing.blocks));
  expect(JSON.stringify(reminded)).toContain('person1');
  await story.wait('Linus is reminded', () => hasReceived(linus, 'Your standup is due'));
  await story.showDirect(linus);

  story.page('7-late', 'Monday: it closes, and Linus is late');
  await story.leap(at('23', '11:00'));
  await story.wait('the report stands there', () => inChannel('Report'));
  await story.leap(at('23', '11:20'));
  await story.command(linus, 'Paired on the importer, sorry for being late');
  await story.wait('the channel shows it', () => inChannel('Paired on'));
  await story.wait('the report has it', () => inChannel('3 of 3 posted'));
  await story.showChannel();

  story.page('8-delete', 'Tuesday: a slip of Linus is deleted where it stands');
  await story.leap(at('24', '09:00'));
  await story.wait('the day begins', () => inChannel('Tue 24 Nov'));
  await story.command(linus, 'Sent to the wrong window: lunch at twelve?');
  await story.wait('the channel shows it', () => inChannel('lunch at twelve'));
  await story.showChannel(2);
  const slip = (await story.channelMessages()).find((message) => message.text.includes('lunch at twelve'));
  const sure = await story.view(() => story.press(linus, 'Delete', slip?.blocks, {message: slip}));
  await story.handIn(linus, sure, {});
  await story.wait('it is gone', async () => !(await inChannel('lunch at twelve')));
  await story.command(linus, 'undo');
  await story.command(linus, 'sick until thursday');

  story.page('9-week', 'Friday: the week');
  for (const [weekday, day] of [
    ['Tue', '24'],
    ['Wed', '25'],
    ['Thu', '26'],
    ['Fri', '27'],
  ] as const) {
    if (day !== '24') await story.leap(at(day, '09:00'));
    await story.wait(`the day ${day} begins`, () => inChannel(`Standup · ${weekday} ${day} Nov`));
    await story.command(ada, `Day ${day}: the importer`);
    if (day !== '26') await story.command(grace, `Day ${day}: reviews`);
    await story.wait('it is shown', () => inChannel(`Day ${day}: the importer`));
    await story.leap(at(day, '11:00'));
    await story.wait(`the report of ${day}`, async () => {
      const reports = (await story.channelMessages()).filter((message) => message.text.startsWith('Report'));
      return reports.length > Number(day) - 23;
    });
  }
  await story.wait('the week is told', () => inChannel('The week · '));
  await story.showChannel(4);
  expect(story.slack.limitViolations).toEqual([]);
});
