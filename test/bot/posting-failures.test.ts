import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';

import {suffixOf} from '../../src/domain/core/ids.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {deep} from '../support/deep.js';
import {channel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import type {SlackFailure} from '../support/slack-failure-server.js';
import {until} from '../support/until.js';
import {asSuffix} from '../support/ids.js';

let slack: SlackHarness;
beforeEach(async () => {
  slack = await startSlack();
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const quick = {unanswered: [20, 20, 20, 20, 20, 20], closed: [50, 50, 50], leaseMs: 1_000};

async function post(update: string): Promise<Standup> {
  const answer = await slack.core.services.standups.postStandup(slack.operator(), {
    team: 'platform',
    update,
    source: 'api',
  });
  return standupsOfPostResult(answer.body)[0];
}

async function thread(): Promise<string[]> {
  const texts: string[] = [];
  for (const parent of await slack.parents())
    texts.push(...(await slack.replies(parent.ts)).map(({text}) => text));
  return texts;
}

const stateOf = ({id}: Standup) => slack.posts.find(slack.workspace, suffixOf(id), performance.now() + 1_000);

function pendingItems(): Promise<string[]> {
  const pending = ['ZRANGE', `{${slack.workspace}}:c:${channel}:pending`, '0', '-1'] as const;
  return slack.core.store.connection.call<string[]>(performance.now() + 1_000, pending);
}

/** Works until all work for standups is done. */
async function finish(): Promise<void> {
  await until(async () => {
    await slack.work({waits: quick});
    return (await pendingItems()).every((item) => item.startsWith('day/'));
  });
}

/** The texts of the thread once all work is done. */
async function shown(): Promise<string[]> {
  await finish();
  return thread();
}

const failureCases: [string, SlackFailure][] = [
  ['Slack answers 500', {kind: 'status', status: 500}],
  ['Slack answers 503', {kind: 'status', status: 503}],
  ['the reply is lost', {kind: 'lost'}],
  ['Slack reports an error of its own', {kind: 'refused', code: 'internal_error'}],
];
const passing = deep ? failureCases : failureCases.slice(1, 3);

describe('every standup', () => {
  test.each(passing)('is shown once when %s to the parent message', async (_, failure) => {
    slack.slack.fail('chat.postMessage', failure);
    await post('steady');
    expect(await shown()).toEqual(['operator: steady']);
    expect(await slack.parents()).toHaveLength(1);
  });

  test.each(passing)('is shown once when %s to the standup itself', async (_, failure) => {
    await post('before');
    await slack.work();
    slack.slack.fail('chat.postMessage', failure);
    await post('steady');
    expect(await shown()).toEqual(['operator: before', 'operator: steady']);
  });

  test('is shown once when replies are lost again and again', async () => {
    slack.slack.fail('chat.postMessage', {kind: 'lost'}, {kind: 'lost'}, {kind: 'lost'});
    await post('one');
    await post('two');
    await finish();
    expect((await thread()).toSorted()).toEqual(['operator: one', 'operator: two']);
    expect(await slack.parents()).toHaveLength(1);
  });

  test('is shown once when Slack limits the search for it', async () => {
    await post('before');
    await slack.work();
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    slack.slack.fail('conversations.replies', {kind: 'limited', seconds: 1});
    await post('steady');
    expect(await shown()).toEqual(['operator: before', 'operator: steady']);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(3);
  });

  test('is shown once in its latest version after an edit has failed', async () => {
    const made = await post('first');
    await slack.work();
    slack.slack.fail('chat.update', {kind: 'status', status: 502}, {kind: 'lost'});
    await slack.core.services.standups.editStandup({...slack.operator(), principal: made.author}, made.id, {
      update: 'second',
    });
    expect(await shown()).toEqual(['operator: second']);
  });

  test('is removed after a removal has failed', async () => {
    const made = await post('first');
    await slack.work();
    slack.slack.fail('chat.delete', {kind: 'lost'});
    await slack.core.services.standups.deleteStandup({...slack.operator(), principal: made.author}, made.id);
    expect(await shown()).toEqual([]);
  });

  test('is removed when it is deleted before its posting was answered', async () => {
    await post('before');
    await slack.work();
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    const made = await post('fleeting');
    await slack.work({waits: quick});
    await slack.core.services.standups.deleteStandup({...slack.operator(), principal: made.author}, made.id);
    expect(await shown()).toEqual(['operator: before']);
  });

  test('is shown once when the parent message has been removed by hand', async () => {
    await post('before');
    await slack.work();
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'thread_not_found'});
    await post('after');
    expect(await shown()).toEqual(['operator: before', 'operator: after']);
    expect(await slack.parents()).toHaveLength(2);
  });
});

describe('a job that dies', () => {
  test.each(['parent', 'standup'] as const)(
    'leaves neither a gap nor a duplicate while it posts a %s',
    async (what) => {
      if (what === 'standup') {
        await post('before');
        await slack.work();
      }
      await post('survives');
      await slack.read();
      // The call arrives at Slack, and its process dies before the reply.
      let release = () => {};
      const gate = new Promise<void>((resolve) => (release = resolve));
      slack.slack.fail('chat.postMessage', {kind: 'slow', until: gate});
      const dead = slack.postSlice({waits: {...quick, leaseMs: 300}});
      await until(() => slack.slack.of('chat.postMessage').length === (what === 'standup' ? 3 : 1));
      const lease = `{${slack.workspace}}:c:${channel}:lease`;
      const seize = () =>
        slack.core.store.connection.call(performance.now() + 1_000, ['SET', lease, 'another', 'PX', '300']);
      await seize();
      release();
      await dead;
      await until(async () => {
        await slack.work({waits: quick});
        return (await thread()).includes('operator: survives');
      });
      await slack.work({waits: quick});
      expect((await thread()).filter((text) => text === 'operator: survives')).toHaveLength(1);
      expect(await slack.parents()).toHaveLength(1);
    },
  );

  test.each([
    ['parent', 'slow'],
    ['parent', 'late'],
    ['standup', 'slow'],
    ['standup', 'late'],
  ] as const)(
    'leaves one message when it resumes after another job has posted the %s, and its own call was %s',
    async (what, kind) => {
      if (what === 'standup') {
        await post('before');
        await slack.work();
      }
      await post('once');
      await slack.read();
      let release = () => {};
      const gate = new Promise<void>((resolve) => (release = resolve));
      slack.slack.fail('chat.postMessage', {kind, until: gate});
      const sent = slack.slack.of('chat.postMessage').length;
      const frozen = slack.postSlice({waits: quick});
      await until(() => slack.slack.of('chat.postMessage').length > sent);
      const lease = workspaceKeys(slack.workspace).slackLease(channel);
      await slack.core.store.connection.call(performance.now() + 1_000, ['SET', lease, 'another', 'PX', '1']);
      await until(async () => {
        await slack.work({waits: quick});
        return (await thread()).includes('operator: once');
      });
      const parents = await slack.parents();
      release();
      await frozen;
      await slack.work({waits: quick});
      expect((await thread()).filter((text) => text === 'operator: once')).toHaveLength(1);
      expect(await slack.parents()).toMatchObject(parents.map(({ts}) => ({ts})));
    },
  );

  test('leaves a message that is found again if it dies after the answer of Slack and before that is recorded', async () => {
    await post('before');
    // The count of the day is shown too, so that the standup is due next.
    await until(async () => {
      await slack.work();
      return (await pendingItems()).length === 0;
    });
    const made = await post('adopted');
    await slack.read();
    const hold = {workspace: slack.workspace, channel, holder: 'dead'};
    const newDeadline = () => performance.now() + 1_000;
    expect(await slack.posts.claim(hold, 200, newDeadline())).toMatchObject({
      kind: 'due',
      item: {kind: 'standup', suffix: suffixOf(made.id)},
    });
    const [parent] = await slack.parents();
    const item = {kind: 'standup', suffix: suffixOf(made.id)} as const;
    expect(await slack.posts.begin(hold, item, `${Date.now()}:dead`, parent!.ts, 200, newDeadline())).toBe(
      true,
    );
    const metadata = {event_type: 'standup_posted', event_payload: {standup: made.id, revision: 1}};
    const body = {
      channel,
      thread_ts: parent!.ts,
      text: 'operator: adopted',
      metadata: JSON.stringify(metadata),
    };
    const posted = await slack.api('chat.postMessage', body, 'xoxb-test-bot');
    expect(await shown()).toEqual(['operator: before', 'operator: adopted']);
    expect((await stateOf(made))?.ts).toBe(posted['ts']);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(2);
  });

  test('leaves a standup that is posted later if it dies before its call', async () => {
    const made = await post('mine');
    await slack.read();
    const hold = {workspace: slack.workspace, channel, holder: 'dead'};
    const newDeadline = () => performance.now() + 1_000;
    await slack.posts.claim(hold, 200, newDeadline());
    const day = {kind: 'day', team: suffixOf(made.team_id), date: made.date} as const;
    await slack.posts.begin(hold, day, `${Date.now()}:dead`, undefined, 200, newDeadline());
    expect(await shown()).toEqual(['operator: mine']);
    expect(await slack.parents()).toHaveLength(1);
  });
});

describe('when Slack limits posting', () => {
  test('the channel waits as long as Slack asks, then continues', async () => {
    slack.slack.fail('chat.postMessage', {kind: 'limited', seconds: 1});
    await post('patient');
    const started = performance.now();
    await slack.work();
    await post('meanwhile');
    await slack.work();
    expect(slack.slack.of('chat.postMessage')).toHaveLength(1);
    expect(await shown()).toEqual(['operator: patient', 'operator: meanwhile']);
    expect(performance.now() - started).toBeGreaterThan(900);
  });
});

test('a post that Slack limits is not marked as sent', async () => {
  await post('before');
  await slack.work();
  await slack.posts.limit(slack.workspace, 'chat.postMessage', 700, performance.now() + 1_000);
  const made = await post('patient');
  await slack.work();
  expect(await stateOf(made)).toMatchObject({sending: undefined, parent: undefined, failures: 0});
  expect(await shown()).toEqual(['operator: before', 'operator: patient']);
  expect(slack.slack.of('conversations.replies')).toEqual([]);
});

/** Makes Slack refuse to let the bot join, as for a private channel. */
const refuseJoins = () =>
  slack.slack.failAlways('conversations.join', {
    kind: 'refused',
    code: 'method_not_supported_for_channel_type',
  });

describe('a channel that needs a person to act', () => {
  const refusals = ['not_in_channel', 'token_revoked', 'channel_not_found', 'is_archived', 'missing_scope'];
  test.each(deep ? refusals : refusals.slice(0, 2))(
    'causes one event because of %s, retains the standup, and is not retried endlessly',
    async (code) => {
      refuseJoins();
      slack.slack.failAlways('chat.postMessage', {kind: 'refused', code});
      const made = await post('saved all the same');
      await finish();
      expect(slack.slack.of('chat.postMessage')).toHaveLength(4);
      expect((await slack.events()).filter((type) => type === 'slack.post_failed')).toHaveLength(1);
      expect(await stateOf(made)).toMatchObject({failed: code});
      expect((await slack.standups())[0]).toMatchObject({id: made.id, update: 'saved all the same'});
      expect(JSON.stringify(slack.lines)).not.toContain('saved all the same');
    },
  );

  test('shows the standup once the person has acted', async () => {
    refuseJoins();
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'not_in_channel'});
    await post('late but here');
    expect(await shown()).toEqual(['operator: late but here']);
  });

  test('causes one notice for all its standups', async () => {
    refuseJoins();
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'not_in_channel'});
    for (let i = 0; i < 5; i++) await post(`number ${i}`);
    await slack.work({waits: {...quick, closed: [5_000]}});
    expect(slack.slack.of('chat.postMessage')).toHaveLength(1);
  });
});

describe('regression: a public channel that the bot is not in', () => {
  const notIn = {kind: 'refused', code: 'not_in_channel'} as const;

  test('is joined at once, shows the waiting standups once, and no one is notified', async () => {
    slack.slack.fail('chat.postMessage', notIn);
    await post('the first');
    await slack.work({waits: {...quick, closed: []}});
    expect(await thread()).toEqual(['operator: the first']);
    expect(slack.slack.of('conversations.join').map(({body}) => body['channel'])).toEqual([channel]);
    expect(await slack.events()).not.toContain('slack.post_failed');
  });

  test('is joined even when the bot was removed after it posted a message without an answer', async () => {
    await post('before');
    await slack.work();
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    slack.slack.fail('conversations.replies', notIn);
    await post('steady');
    expect(await shown()).toEqual(['operator: before', 'operator: steady']);
  });

  test.each([
    ['Slack limits joining', {kind: 'limited', seconds: 1}],
    ['the answer to joining is lost', {kind: 'lost'}],
    ['Slack is out of order', {kind: 'status', status: 503}],
  ] as const)('is joined later when %s', async (_, failure) => {
    slack.slack.fail('chat.postMessage', notIn);
    slack.slack.fail('conversations.join', failure);
    await post('patient');
    expect(await shown()).toEqual(['operator: patient']);
    expect(await slack.parents()).toHaveLength(1);
  });
});

describe('regression: a temporary refusal', () => {
  const codes = [
    'message_limit_exceeded',
    'restricted_action_thread_locked',
    'an_error_of_next_year',
    'restricted_action_read_only_channel',
    'no_permission',
    'access_denied',
    'org_login_required',
    'team_added_to_org',
  ];
  test.each(deep ? codes : codes.slice(0, 3))(
    'is reported once when it is %s, and the standup is shown when it has passed',
    async (code) => {
      const refused = {kind: 'refused', code} as const;
      slack.slack.fail('chat.postMessage', refused, refused, refused);
      await post('patient');
      expect(await shown()).toEqual(['operator: patient']);
      expect((await slack.events()).filter((type) => type === 'slack.post_failed')).toHaveLength(1);
    },
  );

  test('leads to another search, and not to a second message, when a search was refused', async () => {
    await post('before');
    await slack.work();
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    slack.slack.fail('conversations.replies', {kind: 'refused', code: 'team_added_to_org'});
    const made = await post('steady');
    expect(await shown()).toEqual(['operator: before', 'operator: steady']);
    expect(await stateOf(made)).toMatchObject({failed: undefined, posted: 1});
  });

  test('leads to a new try when an edit was refused', async () => {
    const made = await post('first');
    await slack.work();
    slack.slack.fail('chat.update', {kind: 'refused', code: 'org_login_required'});
    const author = {...slack.operator(), principal: made.author};
    await slack.core.services.standups.editStandup(author, made.id, {update: 'second'});
    expect(await shown()).toEqual(['operator: second']);
  });
});

test('a standup that the bot cannot check for is reported, not reposted', async () => {
  await post('before');
  await slack.work();
  slack.slack.fail('chat.postMessage', {kind: 'lost'});
  slack.slack.failAlways('conversations.replies', {kind: 'refused', code: 'missing_scope'});
  const made = await post('who knows');
  await finish();
  expect((await stateOf(made))?.failed).toBe('outcome_unknown');
  expect((await thread()).filter((text) => text === 'operator: who knows')).toHaveLength(1);
  expect(await slack.events()).toContain('slack.post_failed');
});

test.each([
  ['a standup', 'conversations.replies'],
  ['the message of its day', 'conversations.history'],
])('the search for %s ends and is reported when Slack limits it again and again', async (what, method) => {
  if (what === 'a standup') {
    await post('before');
    await slack.work();
  }
  slack.slack.fail('chat.postMessage', {kind: 'lost'});
  slack.slack.failAlways(method, {kind: 'limited', seconds: 1});
  const made = await post('who knows');
  const twice = {...quick, unanswered: [20, 20]};
  await until(async () => {
    await slack.work({waits: twice});
    return (await stateOf(made))?.failed !== undefined;
  });
  expect((await stateOf(made))?.failed).toBe('outcome_unknown');
  expect(slack.slack.of(method)).toHaveLength(2);
  expect(await slack.events()).toContain('slack.post_failed');
  await post('after');
  await until(async () => {
    await slack.work({waits: twice});
    return (await thread()).includes('operator: after');
  });
});

test('a lost message is searched for only around the time when it was sent', async () => {
  slack.slack.fail('chat.postMessage', {kind: 'lost'});
  const before = Date.now() / 1_000;
  await post('steady');
  expect(await shown()).toEqual(['operator: steady']);
  const [call] = slack.slack.of('conversations.history');
  const {oldest, latest} = call!.body as {oldest: string; latest: string};
  expect(Number(oldest)).toBeGreaterThan(before - 600);
  expect(Number(latest)).toBeGreaterThan(before + 300);
  expect(Number(latest)).toBeLessThan(before + 600);
});

test('a message that Slack refuses for the content of the message delays no other', async () => {
  await post('before');
  await slack.work();
  slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'invalid_blocks'});
  const refused = await post('refused');
  await post('after');
  expect(await shown()).toEqual(['operator: before', 'operator: after']);
  expect(await stateOf(refused)).toMatchObject({failed: 'invalid_blocks'});
  await slack.core.services.standups.editStandup(
    {...slack.operator(), principal: refused.author},
    refused.id,
    {update: 'better'},
  );
  expect(await shown()).toEqual(['operator: before', 'operator: after', 'operator: better']);
});

test('an edited standup that is refused again is reported again, and delays no other', async () => {
  await post('before');
  await slack.work();
  slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'invalid_blocks'});
  const refused = await post('refused');
  await finish();
  slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'invalid_blocks'});
  const author = {...slack.operator(), principal: refused.author};
  await slack.core.services.standups.editStandup(author, refused.id, {update: 'refused again'});
  await post('after');
  expect(await shown()).toEqual(['operator: before', 'operator: after']);
  expect(await stateOf(refused)).toMatchObject({failed: 'invalid_blocks', want: 2});
  const events = await slack.events();
  expect(events.filter((type) => type === 'slack.post_failed')).toHaveLength(2);
});

test('regression: an item of work on which our own code fails delays no other item, and in the end is given up and counted', async () => {
  const {connection} = slack.core.store;
  const broken = asSuffix<'standup'>('000000000000000b');
  const keys = workspaceKeys(slack.workspace);
  await connection.call(performance.now() + 1_000, ['SET', keys.slackPost(broken), 'no hash']);
  await connection.call(performance.now() + 1_000, ['ZADD', keys.slackPending(channel), '1', broken]);
  await post('behind it');
  await until(async () => {
    await slack.work({waits: quick}).catch(() => undefined);
    return (await thread()).includes('operator: behind it');
  });
  await until(async () => {
    await slack.work({waits: quick});
    return !(await pendingItems()).includes(broken);
  });
  expect(slack.unshown).toEqual(['item']);
  const logged = slack.lines.find(({level}) => level === 'error');
  expect(logged?.fields).toMatchObject({channel, item: broken});
});

test('regression: an event on which our own code fails is skipped after some tries, counted and reported, and later events are shown', async () => {
  const {connection} = slack.core.store;
  const broken = await post('broken');
  await post('behind it');
  const now = () => performance.now() + 1_000;
  await connection.call(now(), [
    'SET',
    workspaceKeys(slack.workspace).slackPost(suffixOf(broken.id)),
    'no hash',
  ]);
  let failed = 0;
  const waits = {...quick, eventMs: 50};
  await until(async () => {
    await slack.read({waits}).catch(() => (failed += 1));
    await slack.work({waits}).catch(() => undefined);
    return (await thread()).length > 0;
  });
  expect(await thread()).toEqual(['operator: behind it']);
  expect(failed).toBeGreaterThan(3);
  // The event is about the same failure, and finds the same record.
  expect(slack.unshown).toEqual(['event', 'event']);
  const logged = slack.lines.find(({level}) => level === 'error');
  expect(logged?.fields).toMatchObject({type: 'standup.created', workspace: slack.workspace});
  const {rows} = await slack.core.services.events.listEvents(slack.operator(), {limit: 100});
  const failures = rows.filter((row) => row.includes('slack.post_failed'));
  expect(failures).toEqual([expect.stringContaining('"reason":"internal_error"')]);
  expect(await slack.core.store.events.findCursor(slack.workspace, 'slack', now())).toBe(rows.length);
});
