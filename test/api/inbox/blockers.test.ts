import {beforeEach, expect, it} from '@jest/globals';
import {setMailingStage} from '../../support/mailing-stage.js';
import {type Json, sendRequest} from '../../support/service.js';
import type {Person} from '../people.js';

const stage = setMailingStage();
const {add, send} = stage;
let ada: Person;
let grace: Person;

beforeEach(async () => {
  ada = await add({name: 'Ada', email: 'ada@example.com', team: 'platform'});
  grace = await add({name: 'Grace', team: 'platform'});
});

const ask = async ({token}: Person, method: string, path: string, body?: Json): Promise<Json> => {
  const answer = await sendRequest(stage.sending.url, method, path, {token, ...(body && {body})});
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};
const inboxOf = async (person: Person): Promise<Json[]> => (await ask(person, 'GET', '/v1/inbox'))['data'];
const change = (person: Person, {id}: Json, state: string) =>
  ask(person, 'PATCH', `/v1/blockers/${id}`, {state});

/** Raises a blocker of Ada, by a standup. */
async function raise(text = 'No access to the ledger'): Promise<Json> {
  await ask(ada, 'POST', '/v1/standups', {team: 'platform', update: 'Waiting.', blockers: text});
  return (await ask(ada, 'GET', '/v1/blockers?team=platform'))['data'][0];
}

it('the author of a blocker is notified when another person takes it on, and when they resolve it', async () => {
  const blocker = await raise();
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
  const blocker = await raise();
  await change(ada, blocker, 'acknowledged');
  await ask(stage.owner, 'PATCH', `/v1/blockers/${blocker['id']}`, {text: 'Other words'});
  await change(ada, blocker, 'resolved');
  await change(stage.owner, blocker, 'raised');
  expect(await inboxOf(ada)).toEqual([]);
});

it('a blocker that no standup raised is in no inbox', async () => {
  const blocker = await ask(ada, 'POST', '/v1/blockers', {team: 'platform', text: 'Alone'});
  await change(grace, blocker, 'acknowledged');
  expect(await inboxOf(ada)).toEqual([]);
});

it('news of a blocker stays in the inbox of a member who chose that', async () => {
  await ask(ada, 'PATCH', '/v1/members/me', {notify: {blocker: 'inbox'}});
  await change(grace, await raise(), 'acknowledged');
  expect(await inboxOf(ada)).toHaveLength(1);
  expect(await send()).toEqual([]);
});
