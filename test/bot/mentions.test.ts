import {buildMentionIndex} from '../../src/bot/slack/rich-text/mentions.js';
import {toRichText} from '../../src/bot/slack/rich-text/show-text.js';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import type {SlackMentions} from '../../src/domain/teams/team.js';
import type {Standup} from '../../src/domain/standups/standup.js';
import type {SlackCall} from '../support/slack-failure-server.js';
import {channel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
  await join('UADA', 'Ada Lovelace');
  await join('UADA2', 'Ada');
  await join('UOUTSIDE', 'Grace Hopper', false);
  await join('UTWIN1', 'Sam', false);
  await join('UTWIN2', 'sam', true);
});
afterAll(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});
beforeEach(async () => {
  await allow('team');
  slack.slack.clear();
});

const allow = (slack_mentions: SlackMentions) =>
  slack.core.services.teams.changeTeam(slack.operator(), 'platform', {slack_mentions});

/** Adds a member to the workspace, and to the team. */
async function join(user: string, name: string, toTeam = true): Promise<void> {
  const {people} = slack.core.services;
  const member = await people.ensureSlackMember(slack.operator(), user, {name, timezone: null});
  if (toTeam) await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member.id);
}

async function post(update: string): Promise<Standup> {
  const given = {team: 'platform', update, source: 'api'} as const;
  return JSON.parse((await slack.core.services.standups.postStandup(slack.operator(), given)).body ?? '');
}

const usersIn = (call: SlackCall | undefined): string[] =>
  [...JSON.stringify(call?.body ?? '').matchAll(/"user_id\\*":\\*"(\w+)/g)].map(([, user]) => user ?? '');

/** The message in the channel that shows a text. */
const messageWith = (text: string): Promise<SlackCall> =>
  until(
    async () => {
      await slack.work();
      return slack.slack.of('chat.postMessage').find(({body}) => String(body['text']).includes(text));
    },
    {what: text},
  );

describe('a mention of a member', () => {
  test('regression: notifies the member when it is typed after /standup, and is stored by name', async () => {
    await slack.command('paired with <@UADA|ada.l> and <@UADA2> on <#C9|releases>');
    const [standup] = await slack.standups();
    expect(standup?.update).toBe('paired with @Ada Lovelace and @Ada on #releases');
    const message = await messageWith('paired with');
    expect(usersIn(message)).toEqual(['UADA', 'UADA2']);
    expect(message.body['text']).toBe('admin: paired with @Ada Lovelace and @Ada on #releases');
  });

  test('notifies the member when it is posted by API: in upper or lower case, the longest name first, never inside a word or an address', async () => {
    await post('API: @ada lovelace @ADA @Adam x@ada @Ada_');
    expect(usersIn(await messageWith('API: '))).toEqual(['UADA', 'UADA2']);
  });

  test('notifies only members of the team, unless the team allows anyone in the workspace', async () => {
    await post('outside: @Grace Hopper');
    expect(usersIn(await messageWith('outside: '))).toEqual([]);
    await allow('workspace');
    await post('everywhere: @Grace Hopper');
    expect(usersIn(await messageWith('everywhere: '))).toEqual(['UOUTSIDE']);
  });

  test('notifies no one when the team wants no mentions', async () => {
    await allow('none');
    await post('quiet: @Ada Lovelace');
    const message = await messageWith('quiet: ');
    expect(usersIn(message)).toEqual([]);
    expect(JSON.stringify(message.body['blocks'])).toContain('@Ada Lovelace');
  });

  test('notifies no one when two members have the same name, even if one is in upper case', async () => {
    await post('twins: @Sam');
    expect(usersIn(await messageWith('twins: '))).toEqual([]);
  });

  test('notifies no one within code, and never notifies a channel, a group or everyone', async () => {
    await slack.command(
      'code: `@Ada` <!channel> <!here|here> <!subteam^S1|@admins> <!subteam^S2> &lt;!everyone&gt; @everyone',
    );
    const [standup] = await slack.standups();
    expect(standup?.update).toBe('code: `@Ada` @channel @here @admins @a-group <!everyone> @everyone');
    const message = await messageWith('code: ');
    expect(usersIn(message)).toEqual([]);
    expect(JSON.stringify(message.body)).not.toMatch(/"type":"(?:broadcast|usergroup)"/);
  });
});

test('an edit still mentions members, and a standup posted again under another day names them as text', async () => {
  const standup = await post('moving: @Ada');
  await messageWith('moving: ');
  const change = (more: {update?: string; date?: string}) =>
    slack.core.services.standups.editStandup(
      {...slack.operator(), principal: standup.author},
      standup.id,
      more,
    );
  await change({update: 'moving on: @Ada'});
  const edited = await until(async () => {
    await slack.work();
    return slack.slack.of('chat.update').find(({body}) => String(body['text']).includes('moving on'));
  });
  expect(usersIn(edited)).toEqual(['UADA2']);
  slack.slack.clear();
  const [year = '', month = '', day = ''] = standup.date.split('-');
  const before = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) - 1));
  await change({date: before.toISOString().slice(0, 10)});
  expect(usersIn(await messageWith('moving on'))).toEqual([]);
});

test('private answers, Home and forms mention no member', async () => {
  const user = {id: 'UADA2', name: 'ada'};
  const {body} = await slack.command('post: privately: <@UADA>', {user});
  expect(JSON.stringify(body)).not.toContain('"user"');
  await slack.event({type: 'app_home_opened', user: user.id, channel: 'D1', tab: 'home', event_ts: '1'});
  await until(() => JSON.stringify(slack.slack.of('views.publish')).includes('privately'));
  await slack.command('', {user, trigger: await slack.trigger()});
  await until(() => slack.slack.of('views.open').length > 0);
  const today = await slack.command('today', {user});
  expect(JSON.stringify(today.body)).toContain('privately');
  const shown = [...slack.slack.of('views.publish'), ...slack.slack.of('views.open')];
  const views = shown.map(({body}) => body['view']);
  expect(JSON.stringify([views, today.body])).not.toMatch(/"type":"user"/);
});

test('a mentioned person who is no member is stored by their profile name, or else as Slack named them', async () => {
  const {members} = (await slack.api('users.list', {})) as {members: {id: string; name: string}[]};
  const grace = members.find(({name}) => name === 'grace')!.id;
  await slack.command(`with <@${grace}> and <@UNOBODY|kim> and <@UNOBODY2>`, {channel});
  expect((await slack.standups())[0]?.update).toBe('with @grace and @kim and @someone');
});

test('a text of 4,000 characters full of @ is searched for 500 names without delay', () => {
  const people = Array.from({length: 500}, (_, i) => ({name: `${'@a '.repeat(25)}${i}`, user: `U${i}`}));
  const began = process.threadCpuUsage();
  toRichText('@'.repeat(4_000), buildMentionIndex(people));
  toRichText('@@a '.repeat(1_000), buildMentionIndex(people));
  expect(process.threadCpuUsage(began).user / 1_000).toBeLessThan(1_000);
});
