import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {presentBlockerButtons} from '../../src/bot/slack/blockers/standup-blockers.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import type {Blocker} from '../../src/domain/blockers/blocker.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {
  findBlock,
  calls,
  fillForm,
  readInitialText,
  openFormByButton,
  type View,
} from '../support/slack-form.js';
import {admin, channel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {asId} from '../support/ids.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
  await slack.command('The first, which makes admin a member.');
});
afterAll(() => slack.close());
beforeEach(() => slack.slack.clear());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
});

const {blockers: service} = {blockers: () => slack.core.services.blockers};
const list = async (): Promise<Blocker[]> => {
  const {rows} = await service().listBlockers(slack.operator(), {limit: 100});
  return rows.map((json) => JSON.parse(json) as Blocker);
};
const brief = async () => (await list()).map(({text, state}) => `${state}: ${text}`);
const resolveAll = async () => {
  for (const {id, state} of await list()) {
    if (state !== 'resolved') await service().changeBlocker(slack.operator(), id, {state: 'resolved'});
  }
};
const raise = async (text: string) => {
  const caller = await slack.core.services.people.findMember(slack.operator(), admin.id);
  const call = {...slack.operator(), principal: caller};
  return (await service().raiseBlocker(call, {team: 'platform', text})).id ?? '';
};
const find = async (id: string) => (await list()).find((one) => one.id === id);

/** A submitted form with ticked boxes. */
function ticked(view: View, id: string, values: Record<string, string>, boxes: string[]) {
  const form = fillForm(view, id, values);
  const name = view.blocks.find(({block_id}) => block_id?.startsWith('resolved'))?.block_id ?? '';
  const box = {value: {type: 'checkboxes', selected_options: boxes.map((value) => ({value}))}};
  return {...form, state: {values: {...form.state.values, [name]: box}}};
}

describe('the form', () => {
  test('raises the blockers typed under Blockers, does not ask for them again, and resolves the ticked blockers', async () => {
    await resolveAll();
    const first = await openFormByButton(slack, {mode: 'new'});
    expect(findBlock(first, 'resolved')).toBeUndefined();
    await slack.submit(fillForm(first, 'VB1', {today: 'work', blockers: 'No <access> & no key'}));
    const [raised] = await list();
    const [standup] = await slack.standups();
    expect(raised).toMatchObject({text: 'No <access> & no key', state: 'raised', standup: standup?.id});

    const second = await openFormByButton(slack, {mode: 'new'});
    expect(readInitialText(second.blocks.find(({block_id}) => block_id === 'blockers')?.element)).toBe('');
    expect(findBlock(second, 'resolved')?.element).toMatchObject({
      type: 'checkboxes',
      options: [{text: {type: 'plain_text', text: 'No <access> & no key'}, value: raised?.id}],
    });
    const before = (await slack.events()).length;
    await slack.submit(ticked(second, 'VB2', {today: 'more'}, [raised?.id ?? '']));
    expect((await slack.events()).slice(before)).toEqual(['standup.created', 'blocker.resolved']);
  });

  test('resolves a ticked blocker even when nothing else of the standup changes', async () => {
    await resolveAll();
    const id = await raise('In the way');
    const [standup] = await slack.standups();
    const form = await openFormByButton(slack, {mode: 'edit', standup: standup?.id});
    expect(await slack.submit(ticked(form, 'VB3', {}, [id]))).toMatchObject({status: 200, text: ''});
    expect(await find(id)).toMatchObject({state: 'resolved'});
    expect((await slack.standups())[0]?.revision).toBe(standup?.revision);
  });
});

describe('the buttons under a blocker', () => {
  const press = (name: string, id: string, user = admin) =>
    slack.action({action_id: name, value: JSON.stringify({blocker: id})}, {}, {user});
  const answered = async (n = 1) => (await calls(slack, 'respond', n))[n - 1]?.body;

  test('offer only the next possible steps', () => {
    const texts = (state: Blocker['state']) =>
      JSON.stringify(presentBlockerButtons(translationFor().texts, {id: asId('blk_1'), state})).match(
        /(?:Acknowledge|Resolve)"/g,
      )?.length ?? 0;
    expect([texts('raised'), texts('acknowledged'), texts('resolved')]).toEqual([2, 1, 0]);
  });

  test('acknowledge and resolve, answer only the person who pressed them, and say when that was already done', async () => {
    const id = await raise('Buttons');
    await press('acknowledge-blocker', id);
    expect(await find(id)).toMatchObject({state: 'acknowledged', acknowledged_by: {name: 'admin'}});
    expect(await answered()).toMatchObject({response_type: 'ephemeral', replace_original: false});
    await press('acknowledge-blocker', id);
    expect((await answered(2))?.['text']).toContain('already');
    await press('resolve-blocker', id);
    expect(await find(id)).toMatchObject({state: 'resolved'});
    await press('resolve-blocker', id);
    expect((await answered(4))?.['text']).toContain('already');
  });

  test('regression: say who may resolve the blocker to a member who may not, and say when the blocker is gone', async () => {
    const id = await raise('Not for all');
    const {people} = slack.core.services;
    const other = {id: 'U000000002', name: 'other'};
    await people.ensureSlackMember(slack.operator(), other.id, {name: 'Other', timezone: null});
    await press('resolve-blocker', id, other);
    expect((await answered())?.['text']).toMatch(
      /Nothing was changed\. Only the person who raised this blocker, the person on it, a team lead/,
    );
    expect(await find(id)).toMatchObject({state: 'raised'});
    await press('acknowledge-blocker', id, other);
    expect((await answered(2))?.['text']).toMatch(/Only team members, an owner or an admin can acknowledge/);
    expect(await find(id)).toMatchObject({state: 'raised'});
    await press('resolve-blocker', 'blk_01jd0000007000000000000000');
    expect((await answered(3))?.['text']).toBe('This blocker was deleted.');
  });
});

describe('the message of a standup', () => {
  const post = async (blockers: string, today = 'work') => {
    const form = await openFormByButton(slack, {mode: 'new'});
    await slack.submit(fillForm(form, `VB-${today}`, {today, blockers}));
    await slack.work();
    slack.slack.clear();
    const [standup] = await slack.standups();
    const raised = (await list()).filter((blocker) => blocker.standup === standup?.id);
    return {standup, ids: raised.map(({id}) => id)};
  };
  const messages = async (part: string) => {
    const parents = await slack.parents();
    const replies = await Promise.all(parents.map(({ts}) => slack.replies(ts)));
    return replies.flat().filter(({text}) => text.includes(part));
  };
  const message = async (part: string) => {
    const [found, ...more] = await messages(part);
    expect(more).toEqual([]);
    return {text: found?.text, buttons: JSON.stringify(found?.blocks).match(/[a-z]+-blocker"/g) ?? []};
  };
  const change = (id: string, state: Blocker['state']) =>
    service().changeBlocker(slack.operator(), id, {state});
  const both = ['acknowledge-blocker"', 'resolve-blocker"'];
  const newDeadline = () => performance.now() + 1_000;
  const edits = () => slack.slack.of('chat.update').filter(({body}) => body['text'] !== undefined);

  test('shows its blockers, follows each button and the API, and makes no call for what has not changed', async () => {
    await resolveAll();
    const {ids} = await post('No <!channel> & no *lab*', 'Lab day');
    expect(await message('Lab day')).toEqual({
      text: expect.stringMatching(/No &lt;!channel&gt; &amp; no \*lab\*\nBlocker, raised$/),
      buttons: both,
    });
    await slack.action({action_id: 'acknowledge-blocker', value: JSON.stringify({blocker: ids[0]})});
    await slack.work();
    expect(await message('Lab day')).toEqual({
      text: expect.stringMatching(/\nBlocker, acknowledged by admin$/),
      buttons: ['resolve-blocker"'],
    });
    await change(ids[0] ?? '', 'resolved');
    await slack.work();
    expect(await message('Lab day')).toEqual({
      text: expect.stringMatching(/\nBlocker, resolved$/),
      buttons: [],
    });
    slack.slack.clear();
    // A change that the message does not show, and one of a blocker that belongs to no standup.
    await slack.posts.refresh(
      slack.workspace,
      [
        {
          channel,
          item: {
            kind: 'standup',
            suffix: suffixOf((await find(ids[0] ?? ''))?.standup ?? asId<'standup'>('')),
          },
        },
      ],
      newDeadline(),
    );
    await raise('By itself');
    await slack.work();
    expect(edits().filter(({body}) => String(body['text']).includes('Lab day'))).toEqual([]);
    expect(slack.slack.of('chat.postMessage')).toEqual([]);
  });

  test('shows the result of the last of several changes, even if that comes during an edit', async () => {
    await resolveAll();
    const {ids} = await post('Two at once', 'Twice');
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    slack.slack.fail('chat.update', {kind: 'slow', until: gate});
    await change(ids[0] ?? '', 'resolved');
    await change(ids[0] ?? '', 'raised');
    await change(ids[0] ?? '', 'resolved');
    const working = slack.work();
    await until(() => slack.slack.of('chat.update')[0], {what: 'an edit'});
    await change(ids[0] ?? '', 'raised');
    await change(ids[0] ?? '', 'acknowledged');
    await slack.work();
    open();
    await working;
    await slack.work();
    expect((await message('Twice')).text).toMatch(/Two at once\nBlocker, acknowledged$/);
    expect(slack.slack.of('chat.update')).toHaveLength(2);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(0);
  });

  test('that Slack accepted without an answer is found with its blockers, and is not edited to add them', async () => {
    await resolveAll();
    const form = await openFormByButton(slack, {mode: 'new'});
    await slack.submit(fillForm(form, 'VB-Lost', {today: 'Lost', blockers: 'Unheard'}));
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    await until(
      async () => {
        await slack.work({waits: {unanswered: [1, 1, 1, 1]}});
        const [standup] = await slack.standups();
        return standup && (await slack.posts.find(slack.workspace, suffixOf(standup.id), newDeadline()))?.ts;
      },
      {what: 'the message'},
    );
    await slack.work();
    expect((await message('Lost')).buttons).toEqual(both);
    expect(edits().filter(({body}) => String(body['text']).includes('Lost'))).toEqual([]);
  });

  test('no longer shows a blocker once an edit of the standup has removed it', async () => {
    await resolveAll();
    const {standup} = await post('Gone soon', 'Edited');
    const {update = '', author, id = ''} = standup ?? {};
    const call = {...slack.operator(), ...(author && {principal: author})};
    const said = {update: update.replace('Gone soon', 'nothing'), blockers: ''};
    await slack.core.services.standups.editStandup(call, id, said);
    await slack.work();
    expect(await list()).not.toContainEqual(expect.objectContaining({text: 'Gone soon'}));
    expect(await message('Edited')).toMatchObject({text: expect.not.stringContaining('Gone'), buttons: []});
  });

  test('regression: shows a blocker that an earlier standup raised once that standup is deleted', async () => {
    await resolveAll();
    const first = await post('No key to the lab', 'Earlier');
    await post('No key to the lab', 'Younger');
    expect((await message('Younger')).text).not.toContain('Blocker, raised');
    const {author, id = ''} = first.standup ?? {};
    const call = {...slack.operator(), ...(author && {principal: author})};
    await slack.core.services.standups.deleteStandup(call, id);
    await slack.work();
    expect(await message('Younger')).toEqual({
      text: expect.stringMatching(/No key to the lab\nBlocker, raised$/),
      buttons: both,
    });
    await change(first.ids[0] ?? '', 'resolved');
    await slack.work();
    expect((await message('Younger')).text).toMatch(/No key to the lab\nBlocker, resolved$/);
  });

  test('is edited at the next change when it was posted before messages showed blockers', async () => {
    await resolveAll();
    const {standup, ids} = await post('From before', 'Old');
    const key = workspaceKeys(slack.workspace).slackPost(suffixOf(standup?.id ?? asId<'standup'>('')));
    const {connection} = slack.core.store;
    await connection.call(newDeadline(), ['HDEL', key, 'blockers']);
    await slack.work();
    expect(slack.slack.of('chat.update')).toEqual([]);
    await change(ids[0] ?? '', 'resolved');
    await slack.work();
    expect((await message('Old')).text).toMatch(/From before\nBlocker, resolved$/);
  });

  test('is not reported as missing when Slack no longer lets it be edited', async () => {
    await resolveAll();
    const {ids} = await post('Too late', 'Closed');
    slack.slack.fail('chat.update', {kind: 'refused', code: 'edit_window_closed'});
    await change(ids[0] ?? '', 'acknowledged');
    await slack.work();
    expect(await slack.events()).not.toContain('slack.post_failed');
  });

  test('does not name a member who has been erased', async () => {
    await resolveAll();
    const {ids} = await post('Looked after', 'Erased');
    const other = {id: 'U000000004', name: 'helper'};
    const {people, members, teams} = slack.core.services;
    const helper = await people.ensureSlackMember(slack.operator(), other.id, {
      name: 'Helper',
      timezone: null,
    });
    const team = (await teams.findDirectory(slack.operator())).byReference('platform');
    if (team === undefined) throw new Error('no team');
    await people.joinTeam(slack.operator(), team, helper.id, 'member');
    const press = {action_id: 'acknowledge-blocker', value: JSON.stringify({blocker: ids[0]})};
    await slack.action(press, {}, {user: other});
    await slack.work();
    expect((await message('Erased')).text).toMatch(/Looked after\nBlocker, acknowledged by Helper$/);
    await members.deleteMember(slack.operator(), helper.id, {erase: true});
    await slack.work();
    expect((await message('Erased')).text).toMatch(/Looked after\nBlocker, acknowledged$/);
  });
});

describe('the Home', () => {
  const homes = () => slack.slack.of('views.publish').map(({body}) => JSON.stringify(body['view']));
  const home = async (n: number) => until(() => homes()[n - 1], {what: `${n} Homes`});

  test('shows a member’s blockers as they were typed, resolves them, and says that it did', async () => {
    await resolveAll();
    const id = await raise('<!channel> *CI* & <@U1>');
    await slack.event({type: 'app_home_opened', user: admin.id, channel, tab: 'home', event_ts: '1'});
    const shown = await home(1);
    expect(shown).toContain('{"type":"plain_text","text":"You, Platform, since');
    expect(shown).toContain('<!channel> *CI* & <@U1>');
    await slack.action(
      {action_id: 'home-resolve', value: id},
      {channel: undefined, response_url: undefined, container: {type: 'view'}, view: {type: 'home'}},
    );
    const after = await home(2);
    expect(after).toContain('Blocker resolved.');
    expect(after).not.toContain('home-resolve');
    expect(await brief()).toContain('resolved: <!channel> *CI* & <@U1>');
  });

  test('shows the leads of a team what blocks its other members', async () => {
    await resolveAll();
    const id = await raise('Of admin');
    const lead = {id: 'U000000003', name: 'lead'};
    const {people, teams} = slack.core.services;
    const member = await people.ensureSlackMember(slack.operator(), lead.id, {name: 'Lea', timezone: null});
    const team = (await teams.findDirectory(slack.operator())).byReference('platform');
    if (team === undefined) throw new Error('no team');
    await people.joinTeam(slack.operator(), team, member.id, 'lead');
    await slack.event({type: 'app_home_opened', user: lead.id, channel, tab: 'home', event_ts: '2'});
    const shown = await home(1);
    expect(shown).toContain('admin, Platform, since');
    expect(shown).toContain(id);
  });
});
