import {expect, it} from '@jest/globals';
import {createCallByService} from '../../../src/domain/core/access.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {limits} from '../../../src/domain/core/limits.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {asId} from '../../support/ids.js';
import {setMailingStage} from '../../support/mailing-stage.js';
import {sendNotices} from '../../support/mails.js';
import {type Json, sendRequest} from '../../support/service.js';
import type {Person} from '../people.js';

const stage = setMailingStage();
const {add, send} = stage;

const ask = async ({token}: Person, path: string, body?: Json, method = 'POST'): Promise<Json> => {
  const answer = await sendRequest(stage.sending.url, method, path, {
    token,
    ...(body !== undefined && {body}),
  });
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};
const addAda = (more: Json = {}) => add({name: 'Ada', email: 'ada@example.com', team: 'platform', ...more});
const addGrace = () => add({name: 'Grace', team: 'platform'});
const post = (author: Person, more: Json = {}): Promise<Json> =>
  ask(author, '/v1/standups', {team: 'platform', update: 'Shipped.', ...more});
const say = (author: Person, {id: standup}: Json, text: string): Promise<Json> =>
  ask(author, '/v1/comments', {standup, text});

it('an unread comment is mailed once, with its text and a link to the standup', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  const standup = await post(ada);
  await say(grace, standup, 'First *as typed*');
  await say(grace, standup, 'Second');
  const [mail, ...others] = await send();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    to: 'ada@example.com',
    subject: 'Grace commented on your standup',
    content: {reason: 'reply', by: 'Grace', author: null, excerpt: 'Second', unread: 2},
  });
  expect(mail?.text).toContain(`/app/history?standup=${standup['id']}`);
  expect(mail?.text).toContain('There is 1 more.');
  await say(grace, standup, 'Third');
  expect(await send()).toEqual([]);
});

it('a mail about the inbox waits two minutes, and is dropped if the item has been read', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  const standup = await post(ada);
  await say(grace, standup, 'Seen at once');
  const {store, services} = stage.sending.core;
  const workspace = stage.workspace.id;
  const call = () => createCallByService({workspace, deadline: performance.now() + 5_000});
  expect(await services.sendNotice(call())).toBe(false);
  const due = await store.connection.call<string>(performance.now() + 5_000, [
    'ZSCORE',
    workspaceKeys(workspace).noticesDue(),
    `${suffixOf(asId(ada.id))}/${suffixOf(asId(standup['id']))}`,
  ]);
  const created = (await ask(ada, '/v1/inbox', undefined, 'GET'))['data'][0].latest.at;
  expect(Number(due) - Date.parse(created)).toBe(limits.noticeDelayMs);
  await ask(ada, '/v1/inbox/read', {standups: [standup['id']]});
  expect(await send()).toEqual([]);
});

it('a member who wants no news by mail gets none about the inbox', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  await ask(ada, '/v1/members/me', {reports: {notices: false}}, 'PATCH');
  await say(grace, await post(ada), 'No mail');
  expect(await send()).toEqual([]);
});

it('a reason that a member keeps in the inbox brings no mail, and one that they choose does', async () => {
  const [ada, grace, lin] = [await addAda(), await addGrace(), await add({name: 'Lin', team: 'platform'})];
  const standup = await post(lin);
  await say(ada, standup, 'I was here first');
  await say(grace, standup, 'After Ada');
  expect(await send()).toEqual([]);
  await ask(ada, '/v1/members/me', {notify: {thread: 'now', reply: 'inbox'}}, 'PATCH');
  await say(grace, standup, 'After Ada again');
  expect(await send()).toMatchObject([{to: 'ada@example.com', content: {reason: 'thread'}}]);
  await say(grace, await post(ada), 'For the inbox alone');
  expect(await send()).toEqual([]);
});

it('a reaction is never mailed', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  const {id: subject} = await post(ada);
  await ask(grace, '/v1/reactions', {subject, add: ['👍']});
  expect(await send()).toEqual([]);
});

it('at most ten mails about the inbox go to one address in a day', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  const standups = [];
  for (let n = 0; n <= limits.noticesPerDay; n++) standups.push(await post(ada));
  for (const standup of standups) await say(grace, standup, 'One of many');
  expect(await send()).toHaveLength(limits.noticesPerDay);
});

it('a mail about the inbox is dropped if its member may not see the team when it is sent', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  await say(grace, await post(ada), 'Only for the team');
  const {sending, workspace, owner} = stage;
  await sendNotices(sending.core, workspace.id);
  await sendRequest(sending.url, 'DELETE', `/v1/teams/platform/members/${ada.id}`, {token: owner.token});
  await ask(owner, '/v1/teams/platform', {visibility: 'private'}, 'PATCH');
  expect(await send()).toEqual([]);
});

it('a mail about the inbox says nothing of a standup that was deleted since', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  const standup = await post(ada);
  await say(grace, standup, 'Too late');
  await sendRequest(stage.sending.url, 'DELETE', `/v1/standups/${standup['id']}`, {token: ada.token});
  expect(await send()).toEqual([]);
});

const inboxOf = async (person: Person): Promise<Json[]> =>
  (await ask(person, '/v1/inbox', undefined, 'GET'))['data'];
const change = (person: Person, {id}: Json, state: string) =>
  ask(person, `/v1/blockers/${id}`, {state}, 'PATCH');

/** Raises a blocker of Ada, by a standup. */
async function raise(ada: Person, text = 'No access to the ledger'): Promise<Json> {
  await ask(ada, '/v1/standups', {team: 'platform', update: 'Waiting.', blockers: text});
  return (await ask(ada, '/v1/blockers?team=platform', undefined, 'GET'))['data'][0];
}

it('the author of a blocker is notified when another person takes it on, and when they resolve it', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  const blocker = await raise(ada);
  await change(grace, blocker, 'acknowledged');
  const item = {standup: blocker['standup'], reasons: ['blocker'], unread: 1};
  const latest = {
    reason: 'blocker',
    by: {name: 'Grace'},
    comment: null,
    excerpt: 'No access to the ledger',
    blocker: {id: blocker['id'], state: 'acknowledged'},
  };
  expect(await inboxOf(ada)).toMatchObject([{...item, latest}]);
  await change(grace, blocker, 'resolved');
  expect(await inboxOf(ada)).toMatchObject([{unread: 2, latest: {blocker: {state: 'resolved'}}}]);
  expect(await inboxOf(grace)).toEqual([]);
  expect(await send()).toMatchObject([{to: 'ada@example.com', subject: 'Grace resolved your blocker'}]);
});

it('the author of a blocker is not notified of their own change, of its reopening, or of an edit', async () => {
  const ada = await addAda();
  await addGrace();
  const blocker = await raise(ada);
  await change(ada, blocker, 'acknowledged');
  await ask(stage.owner, `/v1/blockers/${blocker['id']}`, {text: 'Other words'}, 'PATCH');
  await change(ada, blocker, 'resolved');
  await change(stage.owner, blocker, 'raised');
  expect(await inboxOf(ada)).toEqual([]);
});

it('a blocker that no standup raised is in no inbox', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  const blocker = await ask(ada, '/v1/blockers', {team: 'platform', text: 'Alone'});
  await change(grace, blocker, 'acknowledged');
  expect(await inboxOf(ada)).toEqual([]);
});

it('news of a blocker stays in the inbox of a member who chose that', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  await ask(ada, '/v1/members/me', {notify: {blocker: 'inbox'}}, 'PATCH');
  await change(grace, await raise(ada), 'acknowledged');
  expect(await inboxOf(ada)).toHaveLength(1);
  expect(await send()).toEqual([]);
});

it('a comment brings a message for the reason that its member chose, also if it mentions them, who want none of that', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  await ask(ada, '/v1/members/me', {notify: {mention: 'inbox'}}, 'PATCH');
  const {id: standup} = await post(ada);
  const text = `[@Ada](mention:${ada.id}) look`;
  await ask(grace, '/v1/comments', {standup, text, format: 'markdown'});
  expect(await send()).toMatchObject([{content: {reason: 'reply', excerpt: '@Ada look'}}]);
});

it('a mail about the inbox quotes the last that its member wants a mail about, whatever came after it', async () => {
  const [ada, grace] = [await addAda(), await addGrace()];
  const standup = await post(ada);
  await say(grace, standup, 'Words');
  await ask(grace, '/v1/reactions', {subject: standup['id'], add: ['👍']});
  expect(await inboxOf(ada)).toMatchObject([{latest: {reason: 'reaction'}}]);
  expect(await send()).toMatchObject([{content: {reason: 'reply', excerpt: 'Words', unread: 2}}]);
});
