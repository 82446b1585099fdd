import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {createSlackClients} from '../../src/bot/slack/core/clients.js';
import {readPictureAddress} from '../../src/bot/slack/core/profiles.js';
import {createMemberProfileUpdater, createProfileReader} from '../../src/bot/slack/core/follow-profile.js';
import {createNewcomers, createSlackAdmins} from '../../src/bot/slack/core/newcomers.js';
import type {Standup} from '../../src/domain/standups/standup.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {calls, fillForm, initialTextsByBlock, viewOf} from '../support/slack-form.js';
import {
  botToken,
  channel,
  createRecordingLog,
  type SlackHarness,
  type SlackMessage,
  startSlack,
} from '../support/slack-harness.js';
import {asId} from '../support/ids.js';

let slack: SlackHarness;
beforeEach(async () => {
  slack = await startSlack();
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 2_000;
const ada = {id: 'U0ADA', name: 'ada'};
const grace = {id: 'U0GRACE', name: 'grace'};
const picture = 'https://avatars.slack-edge.com/2026-11-22/1_2_48.jpg';

interface StandupBlock {
  readonly type: string;
  readonly elements: {
    type: string;
    text?: string;
    image_url?: string;
    action_id?: string;
    options?: {value: string}[];
  }[];
}

const blocksOf = ({blocks}: Pick<SlackMessage, 'blocks'>) => blocks as StandupBlock[];

function profileIn(message: SlackMessage): (string | undefined)[] {
  const [first] = blocksOf(message);
  if (first?.type === 'context') return (first.elements ?? []).map(({image_url, text}) => image_url ?? text);
  // Without a picture the name begins the text.
  const [section] = (first?.elements ?? []) as {elements?: {text: string; style?: {bold: boolean}}[]}[];
  const [name] = section?.elements ?? [];
  expect(name?.style).toEqual({bold: true});
  return [name?.text];
}

/** Slack's answer about a user. */
const userReply = (user: string, profile: object = {}) => ({
  kind: 'replied' as const,
  reply: {ok: true, user: {id: user, team_id: 'T000000001', profile}},
});

async function messages(): Promise<SlackMessage[]> {
  const parents = await slack.parents();
  return (await Promise.all(parents.map(({ts}) => slack.replies(ts)))).flat();
}

async function post(user: typeof ada, text: string, image: string | undefined = picture): Promise<Standup> {
  slack.slack.failAlways('users.info', userReply(user.id, {display_name: user.name, image_48: image}));
  await slack.command(`post: ${text}`, {user});
  await slack.work();
  const standup = (await slack.standups()).find(({update}) => update === text);
  if (standup === undefined) throw new Error('not posted');
  return standup;
}

describe('the author of a standup', () => {
  test('is shown as a profile: with the picture from Slack, or the name alone when there is none', async () => {
    await post(ada, 'with a face');
    await post(grace, 'without', '');
    const [first, second] = await messages();
    expect(profileIn(first!)).toEqual([picture, 'ada']);
    expect(profileIn(second!)).toEqual(['grace']);
    // The name in the plain text is not repeated in the blocks.
    expect(JSON.stringify(first?.blocks).match(/"text":"ada"/g)).toHaveLength(1);
    expect(first?.text).toBe('ada: with a face');
  });

  test('is shown with their picture even when they post by the API, while a program has its name alone', async () => {
    await post(ada, 'by command');
    const {standups, people} = slack.core.services;
    const member = await people.findSlackMember(slack.operator(), ada.id);
    const principal = {type: 'member', id: asId(member?.id ?? ''), name: 'ada'} as const;
    const input = {team: 'platform', source: 'api'} as const;
    await standups.postStandup({...slack.operator(), principal}, {...input, update: 'by API'});
    const program = await people.ensureServiceAccount(slack.operator(), 'CI');
    await standups.postStandup({...slack.operator(), principal: program}, {...input, update: 'by a program'});
    await slack.work();
    const shown = await messages();
    expect(shown.map(profileIn)).toEqual([[picture, 'ada'], [picture, 'ada'], ['CI']]);
  });

  test('is shown without a picture if its URL is not Slack’s, is not https or is too long', () => {
    const of = (image_48: string) => readPictureAddress({profile: {image_48}});
    expect(of(picture)).toBe(picture);
    for (const address of [
      'http://avatars.slack-edge.com/a.png',
      'https://avatars.slack-edge.com.evil.example/a.png',
      'https://evil.example/slack-edge.com',
      'https://secure.gravatar.com/avatar/1.jpg',
      'https://me@avatars.slack-edge.com/a.png',
      'https://avatars.slack-edge.com:8443/a.png',
      `https://avatars.slack-edge.com/${'x'.repeat(300)}`,
      'javascript:alert(1)',
      'not an address',
      '',
    ])
      expect([address, of(address)]).toEqual([address, undefined]);
  });

  test('is shown without the picture where Slack refuses it, while the message and its edits are still shown', async () => {
    for (const code of ['invalid_blocks', 'downloading_file_failed']) {
      slack.slack.fail('chat.postMessage', {kind: 'refused', code});
      const before = (await messages()).length;
      if (before === 0) slack.slack.clear();
      const {id, author} = await post(ada, `refused with ${code}`);
      slack.slack.fail('chat.update', {kind: 'refused', code});
      const call = {...slack.operator(), principal: author};
      await slack.core.services.standups.editStandup(call, id, {update: `edited after ${code}`});
      await slack.work();
      const last = (await messages()).at(-1);
      expect(last?.text).toBe(`ada: edited after ${code}`);
      expect(profileIn(last!)).toEqual(['ada']);
    }
    expect(await slack.events()).not.toContain('slack.post_failed');
  });
});

describe('the menu of a standup', () => {
  /** Chooses an entry in the menu of a message. */
  async function choose(message: SlackMessage, act: 'edit' | 'delete', user: typeof ada) {
    const menu = blocksOf(message).at(-1)?.elements[0];
    expect(menu).toMatchObject({type: 'overflow', action_id: 'standup-menu'});
    const value = menu?.options?.map((option) => option.value).find((one) => one.includes(`"${act}"`));
    await slack.action(
      {action_id: 'standup-menu', type: 'overflow', selected_option: {value}} as never,
      {message: {ts: message.ts, thread_ts: '1.0'}},
      {user},
    );
  }
  const respond = async (n = 1) => (await calls(slack, 'respond', n))[n - 1]?.body ?? {};
  const asked = async () => viewOf((await calls(slack, 'views.open'))[0]);
  const confirm = async (user = ada) => {
    const view = await asked();
    return slack.submit({...view, id: 'V_DELETE', state: {values: {}}, hash: 'h'}, {user});
  };
  const leadBy = async (user: typeof ada) => {
    const member = await slack.core.services.people.findSlackMember(slack.operator(), user.id);
    await slack.core.services.teamMembers.setTeamMember(
      slack.operator(),
      'platform',
      member?.id ?? '',
      'lead',
    );
  };
  const only = async () => {
    const [message] = await messages();
    slack.slack.clear();
    return message!;
  };

  test('lets its author delete it after a confirmation, and post it again', async () => {
    await post(ada, 'mine <to> take back');
    await choose(await only(), 'delete', ada);
    const view = await asked();
    expect(JSON.stringify(view)).toMatch(/Delete your standup for Platform, .*mine <to> take back/);
    expect(await slack.standups()).toHaveLength(1);
    expect(await confirm()).toMatchObject({status: 200, text: ''});
    const answer = await respond();
    expect(answer['text']).toBe('Deleted. Your text: mine &lt;to&gt; take back');
    expect(answer).toMatchObject({response_type: 'ephemeral', replace_original: false, thread_ts: '1.0'});
    expect(JSON.stringify(answer['blocks'])).toContain('Post it again');
    await slack.work();
    expect(await messages()).toEqual([]);
    expect(await slack.standups()).toEqual([]);
  });

  test('lets its author edit it, even when it was edited since or is shown under another day', async () => {
    const {id, author} = await post(ada, 'as it was');
    const message = await only();
    const call = {...slack.operator(), principal: author};
    const date = new Date(slack.core.store.clock.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    await slack.core.services.standups.editStandup(call, id, {update: 'changed meanwhile', date});
    await choose(message, 'edit', ada);
    const view = await asked();
    expect(Object.values(initialTextsByBlock(view))).toContain('changed meanwhile');
    const [input = ''] = Object.keys(initialTextsByBlock(view));
    await slack.submit(fillForm(view, 'V_EDIT', {[input]: 'as it is'}), {user: ada});
    expect((await respond())['text']).toMatch(/^✅ Changed in <#C000000001>, .*\. as it is$/);
    await slack.work();
    expect((await messages()).map(({text}) => text)).toEqual(['ada: as it is']);
  });

  test('refuses another person with a private message in the thread, and changes nothing', async () => {
    await post(ada, 'not yours');
    await post(grace, 'a member');
    const message = await only();
    for (const [i, act] of (['edit', 'delete'] as const).entries()) {
      await choose(message, act, grace);
      const answer = await respond(i + 1);
      expect(answer).toMatchObject({
        response_type: 'ephemeral',
        text: expect.stringMatching(
          /^Only its author, a team lead, an owner or an admin can change or delete this standup\.$/,
        ),
      });
      if (act === 'delete') expect(answer['thread_ts']).toBe('1.0');
    }
    // A person who is no member yet is refused too.
    await choose(message, 'delete', {id: 'U0NEW', name: 'new'});
    expect((await respond(3))['text']).toMatch(/^(?:Nothing was deleted\. )?Only its author/);
    expect(slack.slack.of('views.open')).toEqual([]);
    expect(await slack.standups()).toHaveLength(2);
  });

  test('lets a lead of the team edit and delete another member’s standup, naming its author', async () => {
    await post(ada, 'of Ada');
    await post(grace, 'a lead');
    await leadBy(grace);
    const message = await only();
    await choose(message, 'edit', grace);
    const form = await asked();
    expect(JSON.stringify(form)).toContain('You’re editing ada’s standup.');
    const [input = ''] = Object.keys(initialTextsByBlock(form));
    await slack.submit(fillForm(form, 'V_LEAD', {[input]: 'tidied'}), {user: grace});
    expect((await respond())['text']).toBe('Changed ada’s standup. Its text: tidied');
    slack.slack.clear();
    await choose(message, 'delete', grace);
    expect(JSON.stringify(await asked())).toMatch(/Delete ada’s standup for Platform, /);
    await confirm(grace);
    const answer = await respond();
    expect(answer['text']).toBe('Deleted ada’s standup. Its text: tidied');
    expect(JSON.stringify(answer)).not.toContain('Post it again');
    expect(await slack.standups()).toHaveLength(1);
  });

  test('deletes once, and returns the text to its author when the standup is already deleted', async () => {
    const {id, author} = await post(ada, 'not for long');
    await post(grace, 'a member');
    const message = await only();
    await choose(message, 'delete', ada);
    await asked();
    const call = {...slack.operator(), principal: author};
    await slack.core.services.standups.deleteStandup(call, id);
    await confirm();
    expect((await respond())['text']).toBe('This standup was already deleted. Your text: not for long');
    slack.slack.clear();
    await choose(message, 'delete', ada);
    const view = JSON.stringify(await asked());
    expect(view).toMatch(/already deleted.*not for long.*Post it again/);
    slack.slack.clear();
    await choose(message, 'edit', ada);
    const form = await asked();
    expect(JSON.stringify(form)).toContain('This standup was deleted.');
    expect(Object.values(initialTextsByBlock(form))).toContain('not for long');
    slack.slack.clear();
    await choose(message, 'edit', grace);
    expect((await respond())['text']).toContain('deleted');
  });

  test('is on the first of several messages, on none in a digest, and added to an older message at its next edit', async () => {
    const {id, author} = await post(ada, 'x'.repeat(3_999));
    const all = await messages();
    expect(all).toHaveLength(2);
    expect(all.map(({blocks}) => JSON.stringify(blocks).includes('standup-menu'))).toEqual([true, false]);
    // A message from the time before menus.
    const plain = {channel, ts: all[0]?.ts ?? '', text: 'ada: old', blocks: '[]'};
    await slack.api('chat.update', plain, botToken);
    const call = {...slack.operator(), principal: author};
    await slack.core.services.standups.editStandup(call, id, {update: 'short'});
    await slack.work();
    expect(JSON.stringify((await messages()).map(({blocks}) => blocks))).toContain('standup-menu');
    await slack.core.services.teams.changeTeam(slack.operator(), 'platform', {slack_post_mode: 'digest'});
    await post(grace, 'in the digest');
    expect((await messages()).map(({text}) => text)).toEqual(['ada: short']);
  });

  test('shows a refusal in its own view when no private answer is possible', async () => {
    await post(ada, 'kept');
    await choose(await only(), 'delete', ada);
    const {standups} = slack.core.services;
    const view = await asked();
    const metadata = {...(JSON.parse(view.private_metadata) as object), answer: undefined};
    const stale = {...view, private_metadata: JSON.stringify(metadata), id: 'V', state: {values: {}}};
    const {body} = await slack.submit(stale, {user: grace});
    expect(body.response_action).toBe('update');
    expect(JSON.stringify(body.view)).toContain('Only its author');
    expect((await standups.listStandups(slack.operator(), {limit: 5})).rows).toHaveLength(1);
  });
});

test('the picture of a member is updated whenever the Slack profile is read, and is stored for at most 30 days', async () => {
  await post(ada, 'with a face');
  const kept = (user: string) =>
    slack.core.store.slackPeople.findPicture(slack.workspace, user, newDeadline());
  expect(await kept(ada.id)).toBe(picture);
  const clients = createSlackClients({apiUrl: `${slack.slack.url}/api/`, log: createRecordingLog([])});
  const installations = {find: async () => ({id: 'token', botToken, workspace: slack.workspace})};
  const {services} = slack.core;
  const newcomers = createNewcomers({slackAdmins: createSlackAdmins(false)});
  const followProfile = createMemberProfileUpdater({services, newcomers, log: createRecordingLog([])});
  const read = createProfileReader({installations, clients, followProfile});
  const readAs = async (user: string, image_48: string) => {
    slack.slack.fail('users.info', userReply(user, {image_48}));
    await read({team: 'T000000001', orgWide: false}, user);
    return kept(user);
  };
  expect(await readAs(ada.id, `${picture}?new`)).toBe(`${picture}?new`);
  const key = workspaceKeys(slack.workspace).slackPicture(ada.id);
  expect(await slack.core.store.connection.call<number>(newDeadline(), ['TTL', key])).toBeLessThanOrEqual(
    30 * 86_400,
  );
  expect(await readAs(ada.id, '')).toBeUndefined();
  expect(await readAs('U0NOBODY', picture)).toBeUndefined();
});
