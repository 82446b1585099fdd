import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';

import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import type {EventType} from '../../src/domain/events/event.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {addDays} from '../../src/domain/core/dates.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {admin, channel, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeEach(async () => {
  slack = await startSlack();
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const standups = () => slack.core.services.standups;

async function post(update: string, options: {date?: string; team?: string} = {}): Promise<Standup> {
  const answer = await standups().postStandup(slack.operator(), {
    team: options.team ?? 'platform',
    update,
    date: options.date,
    source: 'api',
  });
  return standupsOfPostResult(answer.body)[0];
}

/** Works until the pending counts are shown too. */
async function workUntilShown(): Promise<void> {
  await until(async () => {
    await slack.work();
    const [parent] = await slack.parents();
    return parent === undefined || (await slack.replies(parent.ts)).length === 0 || !(await dayPending());
  });
}

async function dayPending(): Promise<boolean> {
  const pending = workspaceKeys(slack.workspace).slackPending(channel);
  return (await slack.core.store.connection.call<number>(performance.now() + 1_000, ['ZCARD', pending])) > 0;
}

async function thread(): Promise<string[]> {
  const [parent] = await slack.parents();
  return parent === undefined ? [] : (await slack.replies(parent.ts)).map(({text}) => text);
}

describe('a standup from any source', () => {
  test('names the person who posted it for its author, in the channel and in the event', async () => {
    const {people, events} = slack.core.services;
    await slack.command('so that there is a member');
    const member = await people.findSlackMember(slack.operator(), admin.id);
    const {body} = await standups().postStandup(
      {...slack.operator(), principal: await people.ensureServiceAccount(slack.operator(), 'importer')},
      {team: 'platform', update: 'brought in', author: member?.id, source: 'api'},
    );
    await slack.work();
    expect(await thread()).toContainEqual('admin (posted by importer): brought in');
    const {posted_by} = standupsOfPostResult(body)[0];
    const {rows} = await events.listEvents(slack.operator(), {limit: 100});
    const created = rows.map((row) => JSON.parse(row)).filter(({type}) => type === 'standup.created');
    expect(created.map(({actor}) => [actor.type, actor.id, actor.source])).toEqual([
      ['member', member?.id, 'slack'],
      ['service_account', posted_by?.id, 'cli'],
    ]);
  });

  test('is shown after an event of a type that only a newer version knows', async () => {
    const {id} = await post('before');
    for (const type of ['moon.landed', 'standup.pinned'])
      await slack.core.store.commits.run(
        {workspace: slack.workspace, deadline: performance.now() + 5_000},
        {
          guards: [],
          writes: [],
          events: [{type: type as EventType, about: suffixOf(id), revision: 1}],
          reply: {kind: 'empty'},
        },
      );
    await post('after');
    await workUntilShown();
    expect(await thread()).toEqual([expect.stringMatching(/: before$/), expect.stringMatching(/: after$/)]);
  });

  test('is shown once in the channel of its team, in the thread of its day', async () => {
    await post('by API');
    await slack.command('post: by Slack');
    await slack.work();
    const parents = await slack.parents();
    expect(parents).toHaveLength(1);
    expect(parents[0]?.text).toMatch(/^Standup · \w{3} \d{1,2} \w{3} · [01] of 1 posted$/);
    expect(await thread()).toEqual(['operator: by API', 'admin: by Slack']);
    await slack.work();
    expect(slack.slack.of('chat.postMessage')).toHaveLength(3);
  });

  test('has its id and revision in the message, shows no previews of links, and can ping no one', async () => {
    const made = await post('<!channel> <@U1> https://example.com @here <http://evil|click>');
    await slack.work();
    const [, call] = slack.slack.of('chat.postMessage');
    expect(call?.body).toMatchObject({
      text: 'operator: &lt;!channel&gt; &lt;@U1&gt; https://example.com @here &lt;http://evil|click&gt;',
      parse: 'none',
      link_names: 'false',
      unfurl_links: 'false',
      unfurl_media: 'false',
      metadata: {event_type: 'standup_posted', event_payload: {standup: made.id, revision: 1}},
    });
    expect(JSON.stringify(call?.body['blocks'])).not.toMatch(
      /"type":"(user|broadcast|channel|usergroup|mrkdwn)"/,
    );
  });

  test('is updated in place when it is edited, and removed when it is deleted', async () => {
    const first = await post('first');
    await post('second');
    await slack.work();
    await standups()
      .editStandup(slack.operator(), first.id, {update: 'first, better'})
      .catch(() => undefined);
    const author = {...slack.operator(), principal: first.author};
    await standups().editStandup(author, first.id, {update: 'first, better'});
    await slack.work();
    expect(await thread()).toEqual(['operator: first, better', 'operator: second']);
    await standups().deleteStandup(author, first.id);
    await slack.work();
    expect(await thread()).toEqual(['operator: second']);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(3);
  });

  test('is never shown when it is edited and deleted before anything was posted', async () => {
    const made = await post('a slip');
    const author = {...slack.operator(), principal: made.author};
    await standups().editStandup(author, made.id, {update: 'still a slip'});
    await standups().deleteStandup(author, made.id);
    await slack.work();
    expect(slack.slack.calls).toEqual([]);
  });

  test('is shown once, in its latest version, when it is edited before it was posted', async () => {
    const made = await post('draft');
    await standups().editStandup({...slack.operator(), principal: made.author}, made.id, {update: 'final'});
    await slack.work();
    expect(await thread()).toEqual(['operator: final']);
    expect(slack.slack.of('chat.update')).toHaveLength(0);
  });

  test('is shown under a parent message of its own when it is of another day', async () => {
    const {date} = await post('of today');
    await post('of yesterday', {date: addDays(date, -1)});
    await slack.work();
    expect(await slack.parents()).toHaveLength(2);
  });

  test('is not shown when it was imported, also after it was moved to today and edited', async () => {
    const {imports} = slack.core.services;
    const {id = ''} = await imports.createImport(slack.operator(), {source: 'csv'});
    const row = {
      external_id: '1',
      team: 'platform',
      date: '2024-03-14',
      author: {name: 'Ada'},
      update: 'old',
    };
    await imports.addRows(slack.operator(), id, [{row}], (one) => one);
    await imports.finishImport(slack.operator(), id);
    const {rows} = await standups().listStandups(slack.operator(), {limit: 10});
    const made = JSON.parse(rows[0] ?? '') as Standup;
    await standups().editStandup(slack.operator(), made.id, {update: 'edited'});
    const today = new Date().toISOString().slice(0, 10);
    await standups().editStandup(slack.operator(), made.id, {date: today});
    await slack.work();
    expect(slack.slack.of('chat.postMessage')).toEqual([]);
    expect(slack.slack.of('chat.update')).toEqual([]);
    await post('posted');
    await workUntilShown();
    expect(await thread()).toEqual(['operator: posted']);
  });

  test('is not shown when its team has no channel', async () => {
    await slack.core.services.teams.createTeam(slack.operator(), {slug: 'quiet'});
    await post('hush', {team: 'quiet'});
    await slack.work();
    await slack.work({channel: otherChannel});
    expect(slack.slack.calls).toEqual([]);
  });

  test('remains in the channel it was posted in when its team moves to another', async () => {
    const made = await post('before');
    await slack.work();
    await slack.core.services.teams.changeTeam(slack.operator(), 'platform', {
      slack_channel_id: otherChannel,
    });
    await standups().editStandup({...slack.operator(), principal: made.author}, made.id, {update: 'edited'});
    await post('after');
    await slack.work();
    await slack.work({channel: otherChannel});
    expect(await thread()).toEqual(['operator: edited']);
    expect(await slack.parents(otherChannel)).toHaveLength(1);
  });
});

test('an edit does not repost a message that a person removed by hand', async () => {
  const made = await post('unwanted');
  await slack.work();
  const [parent] = await slack.parents();
  const [reply] = await slack.replies(parent!.ts);
  await slack.api('chat.delete', {channel, ts: reply!.ts}, 'xoxb-test-bot');
  await standups().editStandup({...slack.operator(), principal: made.author}, made.id, {update: 'edited'});
  await slack.work();
  expect(await thread()).toEqual([]);
});

test('reading the log twice at once records every event once', async () => {
  for (let i = 0; i < 20; i++) await post(`number ${i}`);
  await Promise.all([slack.read(), slack.read(), slack.read()]);
  await slack.work();
  await workUntilShown();
  expect(await thread()).toHaveLength(20);
});

test('one job at a time works on a channel, and nothing is posted twice', async () => {
  for (let i = 0; i < 10; i++) await post(`number ${i}`);
  await slack.read();
  await Promise.all([slack.postSlice(), slack.postSlice(), slack.postSlice(), slack.postSlice()]);
  await slack.work();
  expect(await thread()).toHaveLength(10);
  expect(await slack.parents()).toHaveLength(1);
  expect(slack.slack.of('chat.postMessage')).toHaveLength(11);
});

test('the set of channels with work includes those not due yet, and no longer includes a channel whose work is done', async () => {
  await post('one');
  await slack.read();
  const {connection} = slack.core.store;
  const ready = () =>
    connection.call<string[]>(performance.now() + 1_000, [
      'ZRANGE',
      `{${slack.workspace}}:ready:slack`,
      '0',
      '-1',
    ]);
  expect(await ready()).toContain(`post-slack/${channel}`);
  expect(await ready()).not.toContain('read-slack');
  await until(async () => {
    await slack.work();
    return !(await ready()).includes(`post-slack/${channel}`);
  });
  expect(await thread()).toHaveLength(1);
});
