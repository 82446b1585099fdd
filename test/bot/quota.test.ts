import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {buildFormMetadata} from '../support/slack-form.js';
import {admin, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';

const tooFast = /Too many changes at once\. Wait \d+ s, then try again\./;

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack({rateLimits: {all: 0, writes: 3}});
});
afterAll(() => slack.close());
afterEach(() => expect(slack.slack.limitViolations).toEqual([]));

let people = 0;
const newPerson = () => ({id: `U0QUOTA${++people}`, name: `q${people}`});

/** A person who has used up the quota of changes. */
async function spent() {
  const user = newPerson();
  const first = await slack.command('post: first', {user});
  for (const text of ['post: second', 'post: third']) {
    expect((await slack.command(text, {user})).body.text).toMatch(/^✅ Posted in <#C000000001>/);
  }
  const rows = first.body.blocks as {elements: {action_id?: string; value: string}[]}[];
  const {value} = rows.flatMap(({elements}) => elements).find(({action_id: id}) => id === 'undo-standup')!;
  return {user, undo: value};
}

const formOf = (id: string) => ({
  id,
  callback_id: 'standup-form',
  private_metadata: buildFormMetadata({form: 'new', team: slack.team, by: 'itself', dates: {}}),
  blocks: [],
  state: {values: {today: {value: {value: 'by the form'}}}},
});

describe('a member who has used up their changes of a minute', () => {
  test('is refused, with their text and the time when they can continue, and no other member is delayed', async () => {
    const {user} = await spent();
    const before = (await slack.standups()).length;
    const {body} = await slack.command('post: the fourth', {user});
    expect(body.text).toMatch(tooFast);
    expect(body.text).toContain('the fourth');
    expect(await slack.standups()).toHaveLength(before);
    expect((await slack.command('post: of another', {user: newPerson()})).body.text).toMatch(/^✅ Posted/);
  });

  test('gets the reason in the form, which remains open', async () => {
    const {user} = await spent();
    const {body} = await slack.submit(formOf('V_SPENT'), {user});
    expect(body).toMatchObject({response_action: 'errors', errors: {today: expect.stringMatching(tooFast)}});
  });

  test('can still read', async () => {
    const {user} = await spent();
    expect((await slack.command('today', {user})).body.text).toMatch(/third/);
  });

  test('cannot undo, set up a team or leave one', async () => {
    const {user, undo} = await spent();
    await slack.action({action_id: 'undo-standup', value: undo}, {}, {user});
    await slack.action({action_id: 'home-leave', value: slack.team}, {view: {type: 'home'}}, {user});
    const team = {
      name: {value: {value: 'Too many'}},
      zone: {value: {selected_option: {value: 'Europe/Berlin'}}},
      channel: {value: {selected_conversation: otherChannel}},
      opens: {value: {selected_time: '09:00'}},
    };
    const setup = {
      id: 'V_SETUP',
      callback_id: 'set-up-team',
      private_metadata: '{}',
      blocks: [],
      state: {values: team},
    };
    const {body} = await slack.submit(setup, {user});
    expect(body).toMatchObject({
      response_action: 'errors',
      errors: {channel: expect.stringMatching(tooFast)},
    });
    expect((await slack.standups()).filter(({update}) => update === 'first').length).toBeGreaterThan(0);
    const call = slack.operator();
    const member = await slack.core.services.people.findSlackMember(call, user.id);
    const {teams} = await slack.core.services.teams.findDirectory(call);
    expect(teams.map(({slug}) => slug)).toEqual(['platform']);
    expect(await slack.core.services.people.listTeamsOf(call, member!.id, teams)).toHaveLength(1);
  });

  test('has used up the quota of their tokens as well', async () => {
    const {user} = await spent();
    const {id} = (await slack.core.services.people.findSlackMember(slack.operator(), user.id))!;
    const quota = {principal: id, limits: {all: 0, writes: 3}, isWrite: true};
    const call = {...slack.operator(), principal: {type: 'member', id, name: user.name} as const, quota};
    const posting = slack.core.services.standups.postStandup(call, {
      team: 'platform',
      update: 'x',
      source: 'api',
    });
    await expect(posting).rejects.toMatchObject({code: 'rate_limited'});
    // After a refusal, the same claim is refused again.
    const again = slack.core.services.standups.postStandup(call, {
      team: 'platform',
      update: 'x',
      source: 'api',
    });
    await expect(again).rejects.toMatchObject({code: 'rate_limited'});
  });
});

test('one action in Slack counts as one change, with everything it causes', async () => {
  const user = {...admin, id: 'U0ONCE'};
  await slack.command('makes a member, who joins a team', {user});
  for (const id of ['V_1', 'V_2'])
    expect((await slack.submit(formOf(id), {user})).body.response_action).toBe('update');
});
