import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {AppError} from '../../src/domain/core/errors.js';
import {presentSavedStandup} from '../../src/bot/slack/answers/standup-answers.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import type {Standup} from '../../src/domain/standups/standup.js';
import {
  calls,
  fillForm,
  initialTextsByBlock,
  openStandupForm,
  openFormByButton,
  viewOf,
} from '../support/slack-form.js';
import {admin, otherChannel, type BotReply, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {asId} from '../support/ids.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
  await slack.command('to be a member');
  slack.slack.clear();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

interface Button {
  readonly action_id: string;
  readonly value: string;
  readonly text: {readonly text: string};
}

type Message = Record<string, unknown>;

const buttonsOf = (message: Message): Button[] =>
  ((message['blocks'] ?? []) as {elements?: Button[]; type: string}[]).flatMap(({type, elements = []}) =>
    type === 'actions' ? elements : [],
  );

/** The button of an answer with this label. */
function button(message: Message, label: string): Button {
  const found = buttonsOf(message).find(({text}) => text.text === label);
  if (found === undefined) throw new Error(`no button "${label}" in ${JSON.stringify(message)}`);
  return found;
}

/** Presses a button and returns the private answer. */
async function press(
  {action_id, value}: Button,
  options: {user?: typeof admin; channel?: string; harness?: SlackHarness} = {},
): Promise<Message> {
  const {harness = slack} = options;
  const before = harness.slack.of('respond').length;
  expect((await harness.action({action_id, value}, {}, options)).status).toBe(200);
  return (await calls(harness, 'respond', before + 1))[before]!.body;
}

const every = () => slack.standups();
const find = async (id: string) => (await every()).find((standup) => standup.id === id);
const latest = async () => (await every())[0]!;
const said = ({body}: BotReply) => body as Message;

/** Adds a person to a second team, which has no channel. */
async function inTwoTeams(user: typeof admin, harness = slack): Promise<{mobile: string}> {
  const slug = `m-${user.id.toLowerCase()}`;
  const made = await harness.core.services.teams.createTeam(harness.operator(), {slug, name: 'Mobile'});
  await harness.command('to be a member', {user});
  const {author} = (await harness.standups())[0]!;
  await harness.core.services.people.joinTeam(harness.operator(), {id: made.id!, slug}, asId(author.id));
  return {mobile: made.id!};
}

describe('a text that is close to a command', () => {
  test('is not posted before the person confirms it, and then only once', async () => {
    const user = {id: 'U_NEAR', name: 'near'};
    const before = (await every()).length;
    const answer = said(await slack.command('hlep', {user}));
    expect(answer['text']).toContain('Did you mean /standup help?');
    expect(await every()).toHaveLength(before);
    const post = button(answer, 'Post “hlep” as my update');
    expect(await press(post, {user})).toMatchObject({
      replace_original: true,
      text: expect.stringMatching(/^✅ Posted in <#C000000001>, .*\. hlep\n/),
    });
    await press(post, {user});
    expect(await every()).toHaveLength(before + 1);
  });

  test('runs as the command that was meant', async () => {
    const answer = said(await slack.command('hlep'));
    expect(await press(button(answer, 'Run it'))).toMatchObject({
      replace_original: true,
      text: expect.stringContaining('Here’s what you can do'),
    });
  });

  test('runs as the command that was meant when that opens a form', async () => {
    await slack.command('something to edit');
    const {action_id, value} = button(said(await slack.command('eidt')), 'Run it');
    await slack.action({action_id, value});
    const [call] = await calls(slack, 'views.open');
    expect(Object.values(initialTextsByBlock(viewOf(call)))).toEqual(['something to edit']);
  });

  test('is answered with the reason when the command cannot run, and remains as it is', async () => {
    const broken = await startSlack({
      services: (services) => ({
        ...services,
        standups: {
          ...services.standups,
          listStandups: async () => {
            throw new TypeError('a bug');
          },
        },
      }),
    });
    const answer = said(await broken.command('tday'));
    expect(await press(button(answer, 'Run it'), {harness: broken})).toMatchObject({
      response_type: 'ephemeral',
      replace_original: false,
      text: expect.stringMatching(/Reference: [0-9a-f]{8}/),
    });
    await broken.close();
  });
});

describe('Edit and Undo', () => {
  test('Undo deletes what was posted and gives its text back', async () => {
    const answer = said(await slack.command('a &lt;wrong&gt; number'));
    const {id} = await latest();
    expect(await press(button(answer, 'Undo'))).toMatchObject({
      response_type: 'ephemeral',
      replace_original: true,
      text: 'Undone. Your text: a &lt;wrong&gt; number',
    });
    expect(await find(id)).toBeUndefined();
  });

  test('a second Undo says that the standup is deleted already, and still shows the text', async () => {
    const undo = button(said(await slack.command('post: twice')), 'Undo');
    await press(undo);
    expect(await press(undo)).toMatchObject({
      replace_original: true,
      text: 'This standup was already deleted. Your text: twice',
    });
  });

  test('two simultaneous presses of Undo are both answered with the text', async () => {
    const undo = button(said(await slack.command('post: at once')), 'Undo');
    await Promise.all([slack.action(undo), slack.action(undo)]);
    for (const {body} of await calls(slack, 'respond', 2)) expect(body['text']).toContain('at once');
  });

  test('Undo after a change elsewhere gives back the latest text of the standup', async () => {
    const undo = button(said(await slack.command('post: first words')), 'Undo');
    const mine = await latest();
    const call = {...slack.operator(), principal: mine.author};
    await slack.core.services.standups.editStandup(call, mine.id, {update: 'last words'});
    await slack.core.services.standups.deleteStandup(call, mine.id);
    expect((await press(undo))['text']).toContain('last words');
  });

  test('"Post it again" opens the form with the whole text, which makes a new standup', async () => {
    const update = '😀'.repeat(3_999);
    const undone = await press(button(said(await slack.command(update)), 'Undo'));
    const again = button(undone, 'Post it again');
    const view = await openFormByButton(slack, JSON.parse(again.value) as object);
    expect(Object.values(initialTextsByBlock(view)).join('')).toBe(update);
    await slack.submit(fillForm(view, 'V_AGAIN'));
    expect(await latest()).toMatchObject({update, team: 'platform', revision: 1});
  });

  test('Undo by another person is refused, even if they may change the standups of others', async () => {
    const user = {id: 'U_AUTHOR', name: 'author'};
    const undo = button(said(await slack.command('not yours to take', {user})), 'Undo');
    const {id} = await latest();
    await slack.command('to be a member');
    const lead = (await latest()).author;
    await slack.core.services.teamMembers.setTeamMember(slack.operator(), 'platform', lead.id, 'lead');
    const answer = await press(undo);
    expect(answer).toMatchObject({
      replace_original: false,
      text: expect.stringMatching(/^Not undone\. Only/),
    });
    expect(JSON.stringify(answer)).not.toContain('not yours');
    expect(await find(id)).toBeDefined();
  });

  test('Edit opens the form, and the saved standup replaces the answer', async () => {
    const edit = button(said(await slack.command('as it was')), 'Edit');
    const view = await openFormByButton(slack, JSON.parse(edit.value) as object);
    const [input] = Object.keys(initialTextsByBlock(view));
    await slack.submit(fillForm(view, 'V_CHANGE', {[input!]: 'as it is'}));
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body).toMatchObject({
      replace_original: true,
      text: expect.stringMatching(/^✅ Changed in <#C000000001>, .*\. as it is$/),
    });
    expect(buttonsOf(answer!.body).map(({text}) => text.text)).toEqual(['Edit', 'Delete']);
  });

  test('a submitted form is answered like a command: with what was posted, and the same buttons', async () => {
    const view = await openFormByButton(slack, {mode: 'new'});
    await slack.submit(fillForm(view, 'V_ANSWER', {yesterday: '', today: 'by form'}));
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body).toMatchObject({
      replace_original: false,
      text: expect.stringMatching(/^✅ Posted in <#C000000001>, .*\. Today\nby form$/),
    });
    expect(buttonsOf(answer!.body).map(({text}) => text.text)).toEqual(['Edit', 'Undo']);
  });

  test('a form that was opened outside a conversation ends with a note', async () => {
    const view = await openFormByButton(slack, {mode: 'new'});
    const {answer: _answer, ...metadata} = JSON.parse(view.private_metadata) as Record<string, unknown>;
    const {body} = await slack.submit(
      fillForm({...view, private_metadata: JSON.stringify(metadata)}, 'V_NOTE', {today: 'noted'}),
    );
    expect(body.response_action).toBe('update');
    expect(JSON.stringify(body.view)).toContain('✅ Posted in ');
  });

  test('a failed Undo leaves the answer and its text as they are, and says why', async () => {
    const broken = await startSlack({
      services: (services) => ({
        ...services,
        standups: {
          ...services.standups,
          retractStandup: async () => {
            throw new AppError('service_unavailable', 'away');
          },
        },
      }),
    });
    const undo = button(said(await broken.command('post: precious')), 'Undo');
    expect(await press(undo, {harness: broken})).toMatchObject({
      replace_original: false,
      text: expect.stringMatching(/^Not undone\. .*Reference: [0-9a-f]{8}/),
    });
    await broken.close();
  });
});

describe('a member of several teams in a channel of no team', () => {
  const channel = otherChannel;

  test('posts once by pressing the button of a team, whatever they press afterwards', async () => {
    const user = {id: 'U_TWO', name: 'two'};
    const {mobile} = await inTwoTeams(user);
    const before = (await every()).length;
    const answer = said(await slack.command('for one of &lt;them&gt;', {user, channel}));
    expect(answer['text']).toBe(
      'Not posted yet. Which team is this for: Platform in <#C000000001>, Mobile? for one of &lt;them&gt;',
    );
    expect(await every()).toHaveLength(before);
    const posted = await press(button(answer, 'Mobile'), {user, channel});
    expect(posted).toMatchObject({
      replace_original: true,
      text: expect.stringContaining('✅ Posted in Mobile'),
    });
    const second = await press(button(answer, 'Platform'), {user, channel});
    expect(second['text']).toContain('✅ Posted in Mobile');
    expect(await every()).toHaveLength(before + 1);
    expect(await latest()).toMatchObject({team_id: mobile, update: 'for one of <them>'});
  });

  test('chooses the team in the form when the text does not fit into buttons', async () => {
    const user = {id: 'U_LONG', name: 'long'};
    const {mobile} = await inTwoTeams(user);
    const update = '漢'.repeat(4_000);
    const reply = await slack.command(update, {user, channel, trigger: await slack.trigger()});
    const answer = said(reply);
    expect(answer['text']).toMatch(/^Not posted yet\. Choose the team in the form\. Your text: .?漢漢/);
    expect(JSON.stringify(answer['blocks'])).toContain('漢漢');
    const view = viewOf((await calls(slack, 'views.open'))[0]);
    expect(Object.values(initialTextsByBlock(view)).join('')).toBe(update);
    await slack.submit(fillForm(view, 'V_PICK', {}, mobile), {user});
    expect(await latest()).toMatchObject({team_id: mobile, update});
  });

  test('gets the text back when the form opens late and cannot be filled', async () => {
    const user = {id: 'U_LATE', name: 'late'};
    let loads = false;
    const broken: SlackHarness = await startSlack({
      services: (services) => ({
        ...services,
        people: {
          ...services.people,
          listTeamsOf: async (...args) => {
            if (!loads) return services.people.listTeamsOf(...args);
            await calls(broken, 'views.open');
            throw new AppError('service_unavailable', 'away');
          },
        },
      }),
    });
    await inTwoTeams(user, broken);
    loads = true;
    const value = JSON.stringify({mode: 'new', begins: {with: 'text', text: 'kept words'}});
    await broken.action({action_id: 'open-form', value}, {}, {user, channel});
    expect(JSON.stringify(viewOf((await calls(broken, 'views.update'))[0]))).toContain('Reference');
    const [answer] = await calls(broken, 'respond');
    expect(answer?.body['text']).toContain('could not be filled. Your text: kept words');
    await broken.close();
  });

  test('gets the text back when the form cannot be opened', async () => {
    const user = {id: 'U_LOST', name: 'lost'};
    await inTwoTeams(user);
    slack.slack.fail('views.open', {kind: 'refused', code: 'expired_trigger_id'});
    await slack.command(`not lost ${'x'.repeat(3_000)}`, {user, channel});
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body['text']).toContain('Your text: not lost xxx');
  });
});

describe('a member of other teams in a channel of no team', () => {
  const channel = otherChannel;
  const label = 'Set up a standup here';

  test('can choose to post to their own team, or to set up a team in the channel', async () => {
    const user = {id: 'U_ELSEWHERE', name: 'elsewhere'};
    await slack.command('to be a member', {user});
    expect(buttonsOf(said(await slack.command('in the channel', {user})))).toHaveLength(2);
    const asked = said(await slack.command('post: from elsewhere', {user, channel}));
    expect(button(asked, label)).toMatchObject({value: JSON.stringify({text: 'from elsewhere'})});
    expect(
      buttonsOf(said(await slack.command('post: directly', {user, channel: 'D000000001'}))),
    ).toHaveLength(1);
    await inTwoTeams(user);
    const chosen = said(await slack.command('post: which one', {user, channel}));
    expect(button(chosen, label)).toMatchObject({
      action_id: 'open-setup',
      value: JSON.stringify({text: 'which one'}),
    });
  });

  test('can open the set-up of a team from the form for a standup, with the channel filled in', async () => {
    const user = {id: 'U_BELOW', name: 'below'};
    const profile = {name: user.name, timezone: 'Europe/Berlin'};
    await slack.core.services.people.ensureSlackMember(slack.operator(), user.id, profile);
    await slack.command('to be a member', {user});
    const view = await openStandupForm(slack, {user, channel});
    const found = button(view as unknown as Message, label);
    expect(found).toMatchObject({confirm: {text: {text: expect.stringContaining('will be lost')}}});
    const within = {...view, id: 'V_BELOW', hash: 'h', type: 'modal'};
    await slack.action(found, {view: within, channel: undefined, response_url: undefined}, {user});
    const [update] = await calls(slack, 'views.update');
    expect(update?.body['view_id']).toBe('V_BELOW');
    expect(JSON.stringify(update?.body['view'])).toContain(`"initial_conversation":"${channel}"`);
  });
});

describe('the limits of a private answer', () => {
  test.each([
    ['ascii', 'x'.repeat(10_000)],
    ['emoji', '😀'.repeat(5_000)],
    ['characters that Slack encodes', '&amp;'.repeat(4_001)],
  ])('cut a text of too many %s, and the answer says so', async (_, text) => {
    const before = (await every()).length;
    const answer = said(await slack.command(text));
    expect(answer['text']).toMatch(/^Not posted\. Your update is \d+ characters long\. The limit is 4000\./);
    expect(await every()).toHaveLength(before);
  });

  test('show the part of a too long text that fits, and say that there is more', async () => {
    const answer = said(await slack.command('漢'.repeat(10_000)));
    expect(JSON.stringify(answer['blocks'])).toContain('too long to show in full');
  });
});

describe('/standup edit', () => {
  test('opens the latest standup of today', async () => {
    await slack.command('to be edited');
    await slack.command('edit', {trigger: await slack.trigger()});
    const view = viewOf((await calls(slack, 'views.open'))[0]);
    expect(Object.values(initialTextsByBlock(view))).toEqual(['to be edited']);
  });

  test('says when there is no standup of today, with a button to the form', async () => {
    const user = {id: 'U_NONE', name: 'none'};
    await slack.command('edit', {user});
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body['text']).toContain('posted today');
    const open = button(answer!.body, 'Open the form');
    const view = await openFormByButton(slack, JSON.parse(open.value) as object);
    expect(view.title.text).toBe('Post a standup');
  });
});

describe('/standup today', () => {
  const today = async (harness: SlackHarness, user = admin, channel?: string) =>
    said(await harness.command('today', {user, ...(channel !== undefined && {channel})}));

  test('shows who has posted, what they wrote, and how many have not posted yet', async () => {
    const own = await startSlack();
    const call = own.operator();
    const people = own.core.services.people;
    const silent = await people.ensureSlackMember(call, 'U_SILENT', {name: 'Silent', timezone: null});
    await people.joinTeam(call, {id: own.team, slug: 'platform'}, silent.id);
    const nonePosted = await today(own);
    expect(nonePosted['text']).toMatch(/^Platform · .* · 0 posted, 1 not yet$/);
    expect(buttonsOf(nonePosted).map(({text}) => text.text)).toEqual(['Post']);
    await own.command('fixed &lt;!channel&gt;');
    const answer = await today(own);
    expect(answer).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringMatching(/^Platform · .* · 1 posted, 1 not yet\nadmin: fixed &lt;!channel&gt;$/),
    });
    expect(buttonsOf(answer).map(({text}) => text.text)).toEqual(['Edit', 'New update']);
    await own.close();
  });

  test('counts only members of the team, even when others have posted', async () => {
    const own = await startSlack();
    const leaver = {id: 'U_LEAVER', name: 'leaver'};
    await own.command('post: here', {user: admin});
    await own.command('my last one', {user: leaver});
    const {author} = (await own.standups()).find(({update}) => update === 'my last one')!;
    await own.core.services.teamMembers.removeTeamMember(own.operator(), own.team, author.id);
    const answer = await today(own);
    expect(answer['text']).toMatch(/^Platform · .* · 1 posted, 0 not yet\n/);
    expect(answer['text']).toContain('my last one');
    await own.close();
  });

  test('shows as much of a full day as fits, and how many more standups there are', async () => {
    const full = await startSlack();
    await full.command('to be a member');
    const author = (await full.standups())[0]!.author;
    const {standups} = full.core.services;
    for (let i = 0; i < 40; i++) {
      const call = {...full.operator(), principal: author};
      await standups.postStandup(call, {team: 'platform', update: '漢'.repeat(4_000), source: 'api'});
    }
    const answer = await today(full);
    const shown = (answer['blocks'] as {type: string}[]).filter(({type}) => type === 'rich_text').length - 1;
    expect(shown).toBeGreaterThan(5);
    expect(answer['text']).toContain(`and ${41 - shown} more`);
    await full.close();
  });

  test('shows a member’s own teams outside a channel of a team', async () => {
    const user = {id: 'U_TEAMS', name: 'teams'};
    await inTwoTeams(user);
    const answer = await today(slack, user, otherChannel);
    expect(answer['text']).toContain('Platform ·');
    expect(answer['text']).toContain('Mobile ·');
  });

  test('says how to begin when there is no team to show', async () => {
    const answer = await today(slack, {id: 'U_NO_TEAM', name: 'no team'}, otherChannel);
    expect(answer['text']).toContain('no standup in this channel');
  });
});

test('only the author of a deleted standup sees its text', async () => {
  await slack.command('for me alone');
  const mine: Standup = await latest();
  const {standups} = slack.core.services;
  const access = {...slack.operator(), principal: mine.author};
  await expect(standups.findDeleted(access, mine)).resolves.toBeUndefined();
  // regression: an id with another first half found an existing standup as deleted, with its earlier text.
  const like = {...mine, id: mine.id.replace(/_.{10}/, '_01jd000000')};
  await standups.editStandup(access, mine.id, {update: 'for me alone now'});
  await expect(standups.findDeleted(access, like)).resolves.toBeUndefined();
  await standups.retractStandup(access, mine.id);
  await expect(standups.findDeleted(access, mine)).resolves.toMatchObject({update: 'for me alone now'});
  await expect(standups.findDeleted(slack.operator(), mine)).resolves.toBeUndefined();
});

test('regression: the answer to a late standup says that it is late', () => {
  const standup: Partial<Standup> = {
    id: asId('std_1'),
    revision: 1,
    date: '2026-11-24',
    update: 'x',
    answers: [],
  };
  const say = (late: boolean) =>
    presentSavedStandup(translationFor(), {...standup, late, edited: false} as Standup, {
      name: 'Platform',
      slack_channel_id: 'C000000001',
    }).text;
  expect(say(true)).toMatch(/^✅ Posted late in <#C000000001>, Tuesday 24 November\. /);
  expect(say(false)).toMatch(/^✅ Posted in <#C000000001>, /);
});
