import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {standardTimeouts} from '../../src/bot/slack/core/timeouts.js';
import {AppError} from '../../src/domain/core/errors.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {addDays} from '../../src/domain/core/dates.js';
import {findLastWorkingDay} from '../../src/domain/schedules/working-days.js';
import {admin, channel, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {
  findBlock,
  calls,
  initialTextsByBlock,
  type View,
  fillForm,
  readInitialText,
  buildFormMetadata,
  openStandupForm,
  openFormByButton,
  viewOf,
} from '../support/slack-form.js';
import {measureTime} from '../support/stopwatch.js';
import {asId} from '../support/ids.js';
import {until} from '../support/until.js';
import type {NewDraftPart} from '../../src/domain/drafts/draft.js';
import {startLateSlack} from './late-services.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

describe('/standup alone', () => {
  test('opens the form: Yesterday and Blockers optional, Today required, no team to choose in a team channel', async () => {
    const view = await openStandupForm(slack, {user: {id: 'U_FIRST', name: 'first'}});
    expect(view.callback_id).toBe('standup-form');
    expect(view.blocks.map(({block_id, optional}) => [block_id, optional])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ['yesterday', true],
      ['today', false],
      ['blockers', true],
    ]);
    expect(JSON.parse(view.private_metadata)).toMatchObject({team: slack.team, by: 'channel'});
  });

  test('makes no call to Slack before the one that opens the form, except to identify a new person', async () => {
    const user = {id: 'U_STRANGER', name: 'stranger'};
    await openStandupForm(slack, {user});
    expect(slack.slack.calls.map(({method}) => method)).toEqual(['users.info', 'views.open']);
    await slack.command('to be a member', {user});
    slack.slack.clear();
    await openStandupForm(slack, {user});
    expect(slack.slack.calls.map(({method}) => method)).toEqual(['views.open']);
  });

  test('opens in time for a new person, although Slack does not return their profile', async () => {
    const own = await startSlack({timeouts: standardTimeouts});
    own.slack.failAlways('users.info', {kind: 'hang'});
    const [view, ms] = await measureTime(() =>
      openStandupForm(own, {user: {id: 'U_UNKNOWN', name: 'unknown'}}),
    );
    await own.close();
    expect(ms).toBeLessThan(2_500);
    expect(view.title.text).toBe('Post a standup');
  });

  test('fills Yesterday with the Today of the last standup before today', async () => {
    await slack.command('to be a member');
    const [mine] = await slack.standups();
    const call = {...slack.operator(), principal: mine!.author};
    const yesterday = addDays(mine!.date, -1);
    const post = (update: string, date: string) =>
      slack.core.services.standups.postStandup(call, {team: 'platform', update, date, source: 'slack'});
    await post('Yesterday\nold\n\nToday\nwrite <tests>\nand more\n\nBlockers\nnone', yesterday);
    await post('Today\nthis is of today', mine!.date);
    const view = await openFormByButton(slack, {mode: 'new'});
    expect(readInitialText(findBlock(view, 'yesterday')?.element)).toBe('write <tests>\nand more');
  });

  test('asks for the last working day by name when that was not yesterday', async () => {
    const person = {id: 'U0HOLIDAY', name: 'holiday'};
    const {services} = slack.core;
    const profile = {name: 'Holiday', timezone: null};
    const principal = await services.people.ensureSlackMember(slack.operator(), person.id, profile);
    const today = new Date().toISOString().slice(0, 10);
    const label = async () =>
      findBlock(await openStandupForm(slack, {user: person}), 'yesterday')?.label?.text;
    const expected = (date: string) =>
      date === addDays(today, -1) ? 'Yesterday' : `Since ${translationFor().day(date)}`;
    expect(await label()).toBe(expected(findLastWorkingDay(null, today, () => false)));
    const away = {from: addDays(today, -10), until: addDays(today, -1)};
    await services.absences.enterAbsence({...slack.operator(), principal}, away);
    slack.slack.clear();
    const last = findLastWorkingDay(null, today, (date) => date >= away.from);
    expect(await label()).toBe(expected(last));
    expect(last < away.from).toBe(true);
  });

  test('offers a member of several teams a choice of team in a channel of no team', async () => {
    const other = await slack.core.services.teams.createTeam(slack.operator(), {
      slug: 'mobile',
      name: 'Mobile',
    });
    await slack.command('to be a member');
    const member = (await slack.standups())[0]!.author;
    await slack.core.services.people.joinTeam(
      slack.operator(),
      {id: other.id!, slug: 'mobile'},
      asId(member.id),
    );
    const view = await openFormByButton(slack, {mode: 'new'}, otherChannel);
    expect(findBlock(view, 'team')?.element?.options?.map(({text}) => text.text)).toEqual([
      'Platform',
      'Mobile',
    ]);
    const reply = await slack.submit(
      fillForm(view, 'V_TEAM', {yesterday: '', today: 'for mobile'}, other.id),
    );
    expect(reply).toMatchObject({status: 200, text: ''});
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body['text']).toMatch(/^✅ Posted in Mobile, .*\. Today\nfor mobile$/);
    expect((await slack.standups())[0]).toMatchObject({team: 'mobile', update: 'Today\nfor mobile'});
  });

  test('shows a new person in a channel without a team how to begin', async () => {
    await slack.command('', {channel: otherChannel, user: {id: 'U8', name: 'new'}});
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('no standup in this channel'),
    });
    expect(slack.slack.of('views.open')).toHaveLength(0);
  });
});

describe('a form whose data is late', () => {
  test('opens at once as a loading view, which is then filled', async () => {
    const {slow, release} = await startLateSlack();
    const trigger = await slow.trigger();
    const answered = slow.command('', {trigger});
    const [[first], ms] = await measureTime(() => calls(slow, 'views.open'));
    expect(ms).toBeLessThan(1_500);
    expect(viewOf(first).submit).toBeUndefined();
    release();
    const [update] = await calls(slow, 'views.update');
    expect(viewOf(update).callback_id).toBe('standup-form');
    expect(update?.body['hash']).toEqual(expect.stringMatching(/./));
    expect((await answered).status).toBe(200);
    expect(slow.slack.limitViolations).toEqual([]);
    await slow.close();
  });

  test('shows an error with a reference when the data cannot be read at all', async () => {
    const broken: SlackHarness = await startSlack({
      services: (services) => ({
        ...services,
        workspaces: {
          ...services.workspaces,
          chooseWorkspace: async () => {
            await calls(broken, 'views.open');
            throw new AppError('service_unavailable', 'away');
          },
        },
      }),
    });
    await broken.command('', {trigger: await broken.trigger()});
    const [update] = await calls(broken, 'views.update');
    expect(JSON.stringify(viewOf(update))).toMatch(/Reference: [0-9a-f]{8}/);
    await broken.close();
  });
});

describe('a form that cannot be opened', () => {
  test.each([
    ['its trigger has expired', {kind: 'refused', code: 'expired_trigger_id'}],
    ['Slack limits the call', {kind: 'limited', seconds: 30}],
    ['Slack is out of order', {kind: 'status', status: 503}],
    ['the reply is lost', {kind: 'lost'}],
    ['no answer comes', {kind: 'hang'}],
  ] as const)('leaves a button to try again because %s', async (_, failure) => {
    slack.slack.fail('views.open', failure);
    await slack.command('', {trigger: await slack.trigger()});
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body).toMatchObject({response_type: 'ephemeral'});
    expect(JSON.stringify(answer?.body)).toContain('"action_id":"open-form"');
    expect(slack.slack.of('views.open')).toHaveLength(1);
  });

  test('opens when that button is pressed', async () => {
    const payload = {
      type: 'block_actions',
      actions: [{action_id: 'open-form', block_id: 'b', type: 'button'}],
      trigger_id: await slack.trigger(),
      team: {id: 'T000000001'},
      user: {id: admin.id, username: admin.name},
      channel: {id: 'C000000001'},
      response_url: `${slack.slack.url}/respond`,
    };
    expect((await slack.send({payload: JSON.stringify(payload)})).status).toBe(200);
    const [call] = await calls(slack, 'views.open');
    expect(viewOf(call).callback_id).toBe('standup-form');
  });
});

describe('a submitted form', () => {
  test('is saved before it is answered, and closes', async () => {
    const view = await openFormByButton(slack, {mode: 'new'});
    const values = {yesterday: 'a &amp; b', today: ' ship it ', blockers: ''};
    const reply = await slack.submit(fillForm(view, 'V1', values));
    expect(reply).toMatchObject({status: 200, text: ''});
    expect((await slack.standups())[0]?.update).toBe('Yesterday\na & b\n\nToday\nship it');
  });

  test.each([
    ['Today is blank', {yesterday: 'x', today: ' \n '}, 'today', /Say what/],
    [
      'together it is too long',
      {yesterday: 'x'.repeat(2_500), today: 'y'.repeat(2_000)},
      'yesterday',
      /The limit is 4000/,
    ],
    [
      'a field has control characters',
      {today: 'fine', blockers: 'be\u0007ep'},
      'blockers',
      /control characters/,
    ],
    [
      'a field has a control character of Latin-1',
      {today: 'two\u0085lines'},
      'today',
      /^This text must not contain control characters/,
    ],
  ])('is answered with the invalid field when %s', async (_, values, field, reason) => {
    const view = await openFormByButton(slack, {mode: 'new'});
    const before = (await slack.standups()).length;
    const {body} = await slack.submit(fillForm(view, 'V2', {yesterday: '', ...values}));
    expect(body).toEqual({response_action: 'errors', errors: {[field]: expect.stringMatching(reason)}});
    expect(await slack.standups()).toHaveLength(before);
  });

  test('makes one standup when it is submitted twice, and the second submission edits the standup if the text differs', async () => {
    const view = await openFormByButton(slack, {mode: 'new'});
    const before = (await slack.standups()).length;
    await slack.submit(fillForm(view, 'V3', {yesterday: '', today: 'first'}));
    await slack.submit(fillForm(view, 'V3', {yesterday: '', today: 'first'}), {
      timestamp: Math.floor(Date.now() / 1_000) - 1,
    });
    expect(await slack.standups()).toHaveLength(before + 1);
    const [made] = await slack.standups();
    expect(made).toMatchObject({update: 'Today\nfirst', revision: 1});
    const edit = await slack.submit(fillForm(view, 'V3', {yesterday: '', today: 'second'}));
    expect(edit).toMatchObject({status: 200, text: ''});
    expect(await slack.standups()).toHaveLength(before + 1);
    expect((await slack.standups())[0]).toMatchObject({id: made?.id, update: 'Today\nsecond', revision: 2});
  });

  test('remains open with the reason when it cannot be saved, and is saved once when sent again', async () => {
    let away = true;
    const flaky = await startSlack({
      services: (services) => ({
        ...services,
        standups: {
          ...services.standups,
          // The standup is saved, but the answer is lost: only the view's id shows that.
          postFromChannel: async (...args) => {
            const answer = await services.standups.postFromChannel(...args);
            if (away) throw new AppError('service_unavailable', 'The store did not answer in time.');
            return answer;
          },
        },
      }),
    });
    const view = await openStandupForm(flaky);
    const first = await flaky.submit(fillForm(view, 'V4', {today: 'keep me'}));
    expect(first.body).toEqual({
      response_action: 'errors',
      errors: {today: expect.stringMatching(/^Not saved\. .*Reference: [0-9a-f]{8}/)},
    });
    away = false;
    const again = await flaky.submit(fillForm(view, 'V4', {today: 'keep me, please'}));
    expect(again).toMatchObject({status: 200, text: ''});
    expect((await flaky.standups()).map(({update}) => update)).toEqual(['Today\nkeep me, please']);
    await flaky.close();
  });

  test('is refused with a reference when its metadata are malformed, and remains open', async () => {
    const view = await openFormByButton(slack, {mode: 'new'});
    const before = await slack.standups();
    const mixed = {...JSON.parse(view.private_metadata), revision: 1};
    const {body} = await slack.submit(
      fillForm({...view, private_metadata: JSON.stringify(mixed)}, 'V_MIXED', {today: 'x'}),
    );
    expect(body).toMatchObject({
      response_action: 'errors',
      errors: {today: expect.stringMatching(/^Not saved\. .*Reference: [0-9a-f]{8}/)},
    });
    expect(await slack.standups()).toEqual(before);
  });

  test('has an error at the field of the team when the team has been deleted', async () => {
    const view = await openFormByButton(slack, {mode: 'new'});
    const gone = {
      ...view,
      private_metadata: buildFormMetadata({form: 'choose', dates: {}}),
      blocks: [{type: 'input', block_id: 'team'}, ...view.blocks],
    };
    const {body} = await slack.submit(fillForm(gone, 'V5', {today: 'x'}, 'team_none'));
    expect(body).toMatchObject({
      response_action: 'errors',
      errors: {team: expect.stringContaining('was deleted')},
    });
  });
});

describe('a draft that programs have prepared', () => {
  const links = [{url: 'https://github.com/acme/importer/pull/42', title: 'Show retries'}];
  const question = {key: 'yesterday', label: 'What did you do?', type: 'text', required: false} as const;

  /** A member with a draft, as they ask in Slack. */
  async function addDrafted(id: string, part: Partial<NewDraftPart> = {}) {
    const user = {id, name: id.toLowerCase()};
    const {people, drafts} = slack.core.services;
    const profile = {name: user.name, timezone: null};
    const principal = await people.ensureSlackMember(slack.operator(), user.id, profile);
    await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, principal.id);
    const call = {...slack.operator(), principal};
    const given = {team: 'platform', source: 'github', update: 'Merged <#42>.', links, ...part};
    await drafts.setDraftPart(call, 'me', given);
    const read = async () => (await drafts.findDraft(call, 'me', {team: 'platform'})).parts;
    return {user, read};
  }

  async function insert(view: View, user: typeof admin, texts: Record<string, string>): Promise<View> {
    const whole = {...fillForm(view, 'V_DRAFT', texts), type: 'modal', hash: 'h1'};
    const before = slack.slack.of('views.update').length;
    const more = {view: whole, channel: undefined, response_url: undefined};
    await slack.action({action_id: 'insert-draft'}, more, {user});
    return viewOf((await calls(slack, 'views.update', before + 1))[before]);
  }

  const buttonsOf = ({blocks}: View) =>
    blocks.flatMap(({elements = []}) => elements.map(({action_id}) => action_id));

  test('is shown above the form, and its button adds it after the typed text', async () => {
    const {user, read} = await addDrafted('U0DRAFT');
    const view = await openStandupForm(slack, {user});
    expect(JSON.stringify(view.blocks)).toContain('Insert draft from github');
    expect(JSON.stringify(view.blocks)).toContain('Merged <#42>.');
    const updated = await insert(view, user, {yesterday: 'Mine.', today: 'Typed.'});
    expect(initialTextsByBlock(updated)).toEqual({
      'yesterday.drafted': `Mine.\n\nMerged <#42>.\nShow retries ${links[0]?.url}`,
      'today.drafted': 'Typed.',
      'blockers.drafted': '',
    });
    expect(buttonsOf(updated)).not.toContain('insert-draft');
    expect(await read()).toHaveLength(1);
    const reply = await slack.submit(fillForm(updated, 'V_DRAFT'), {user});
    expect(reply).toMatchObject({status: 200, text: ''});
    await until(async () => (await read()).length === 0);
    const made = (await slack.standups()).find(({author}) => author.name === user.name);
    expect(made?.update).toContain('Mine.\n\nMerged <#42>.');
  });

  test('is shown and inserted within the limits of Slack, also at its largest size', async () => {
    const url = `https://a.example/${'x'.repeat(500)}`;
    const many = Array.from({length: 20}, (_, i) => ({url: `${url}${i}`, title: 'T'.repeat(200)}));
    const {user, read} = await addDrafted('U0LARGE', {update: '<'.repeat(4_000), links: many});
    const {services} = slack.core;
    const profile = {name: user.name, timezone: null};
    const principal = await services.people.ensureSlackMember(slack.operator(), user.id, profile);
    for (let i = 1; i < 10; i += 1) {
      const part = {
        team: 'platform',
        source: `${'s'.repeat(39)}${i}`,
        update: '&'.repeat(4_000),
        links: many,
      };
      await services.drafts.setDraftPart({...slack.operator(), principal}, 'me', part);
    }
    expect(await read()).toHaveLength(10);
    const view = await openStandupForm(slack, {user});
    const updated = await insert(view, user, {today: 'Typed.'});
    expect(JSON.stringify(updated.blocks)).toContain('It is shortened below.');
    const reply = await slack.submit(fillForm(updated, 'V_DRAFT'), {user});
    expect(reply).toMatchObject({status: 200, text: ''});
    const made = await until(async () =>
      (await slack.standups()).find(({author}) => author.name === user.name),
    );
    expect(made?.update).toContain('Today\nTyped.');
  });

  test('is not offered to anyone else, nor after it was inserted or posted', async () => {
    const {user} = await addDrafted('U0OTHERDRAFT');
    const theirs = await openStandupForm(slack, {user: {id: 'U0NODRAFT', name: 'nodraft'}});
    expect(buttonsOf(theirs)).not.toContain('insert-draft');
    const german = await openStandupForm(slack, {user});
    expect(buttonsOf(german)).toContain('insert-draft');
    const updated = await insert(german, user, {});
    expect(buttonsOf(updated)).not.toContain('insert-draft');
  });

  test('answers the questions of the team, and keeps typed answers', async () => {
    const {services} = slack.core;
    const mood = {key: 'mood', label: 'Mood?', type: 'mood', required: false} as const;
    await services.teams.changeTeam(slack.operator(), 'platform', {questions: [question, mood]});
    const answers = [
      {question: 'yesterday', value: 'The importer.'},
      {question: 'mood', value: 4},
    ];
    const {user} = await addDrafted('U0ASKED', {answers});
    const view = await openStandupForm(slack, {user});
    const id = view.blocks.find(({block_id = ''}) => block_id.startsWith('question:text'))?.block_id ?? '';
    const updated = await insert(view, user, {[id]: 'Mine.'});
    expect(initialTextsByBlock(updated)).toEqual({
      [`${id}.drafted`]: `Mine.\n\nThe importer.\n\nMerged <#42>.\nShow retries ${links[0]?.url}`,
    });
    expect(JSON.stringify(updated.blocks)).toContain('"initial_option":{"text":');
    await services.teams.changeTeam(slack.operator(), 'platform', {questions: []});
  });
});

describe('someone who has left a private team', () => {
  let own: SlackHarness;
  const user = {id: 'U0LEFT', name: 'left'};
  beforeAll(async () => {
    own = await startSlack({findChannelKind: async () => 'private'});
    await own.command('to be a member', {user});
    await own.core.services.teams.changeTeam(own.operator(), 'platform', {visibility: 'private'});
  });
  afterAll(() => own.close());

  /** Opens a form for a new update in the team's channel. */
  const openNew = async (): Promise<View> => {
    own.slack.clear();
    await own.action({action_id: 'open-form', value: JSON.stringify({mode: 'new'})}, {}, {user, channel});
    const view = viewOf((await calls(own, 'views.open', 1))[0]);
    if (!JSON.stringify(view.blocks).includes('Loading')) return view;
    return viewOf((await calls(own, 'views.update', 1))[0]);
  };

  const leave = async () => {
    const member = (await own.standups()).find(({author}) => author.name === user.name)?.author.id ?? '';
    await own.core.services.teamMembers.removeTeamMember(own.operator(), 'platform', member);
  };

  test('posts nothing by a form that they opened before, and is shown nothing by old buttons', async () => {
    const view = await openNew();
    await leave();
    own.slack.clear();
    const reply = await own.submit(fillForm(view, 'V_LEFT', {today: 'Still here.'}), {user});
    expect(JSON.stringify(reply.body)).toContain('This team was deleted');
    expect(JSON.stringify(await own.standups())).not.toContain('Still here.');
    for (const [action_id, value] of [
      ['open-form', JSON.stringify({mode: 'new', team: own.team})],
      ['open-settings', own.team],
      ['show-missing', JSON.stringify({team: own.team})],
      ['leave-team', JSON.stringify({team: own.team})],
    ] as const) {
      own.slack.clear();
      await own.action({action_id, value}, {}, {user, channel: 'D0LEFT'});
      const said = () => own.slack.calls.filter(({method}) => /^(?:views\.|respond)/.test(method));
      await until(() => said().length > 0, {what: `an answer to ${action_id}`});
      expect([action_id, JSON.stringify(said()).includes('Platform')]).toEqual([action_id, false]);
    }
  });

  test('joins by no form that they opened while they observed the team', async () => {
    await own.command('Came back to observe.', {user});
    const member = (await own.standups()).find(({author}) => author.name === user.name)?.author.id ?? '';
    await own.core.services.teamMembers.setTeamMember(own.operator(), 'platform', member, 'observer');
    const view = await openNew();
    await leave();
    const reply = await own.submit(fillForm(view, 'V_WATCHED', {today: 'I am gone.'}), {user});
    expect(JSON.stringify(reply.body)).toContain('This team was deleted');
    expect(JSON.stringify(await own.standups())).not.toContain('I am gone.');
  });

  test('joins again by a form that they open in the channel later, as everyone in it does', async () => {
    const view = await openNew();
    const reply = await own.submit(fillForm(view, 'V_BACK', {today: 'Back again.'}), {user});
    expect(reply).toMatchObject({status: 200, text: ''});
    expect(JSON.stringify(await own.standups())).toContain('Back again.');
    const posted = await own.command('From the channel.', {user: {id: 'U0OTHER', name: 'other'}});
    expect(String(posted.body.text)).toMatch(/^✅ Posted/);
  });
});
