import type {Person} from '../../api/people.js';
import {type Json, sendRequest} from '../../support/service.js';
import {openDashboard, type BrowserStage, type Tab} from './stage.js';

// An owner on the list of four people, for both test files about it.
export let stage: BrowserStage;
export let owner: Person;
export let ada: Person;
export let tab: Tab;

export async function openMembers(): Promise<void> {
  stage = await openDashboard();
  [owner, ada] = await Promise.all([
    stage.addPerson({name: 'Olga Owner', role: 'owner', email: 'olga@example.com'}),
    stage.addPerson({
      name: 'Ada Lovelace',
      team: 'platform',
      email: 'ada@example.com',
      timezone: 'Europe/London',
    }),
    stage.addPerson({name: 'Grace Hopper', role: 'admin', team: 'platform', slack_user_id: 'U0GRACE'}),
    stage.addPerson({name: 'Margaret Hamilton'}),
  ]);
  for (const update of ['one', 'two']) {
    await ask(ada.token, 'POST', '/v1/standups', {team: 'platform', update});
  }
  tab = await stage.signIn(owner, {path: '/people'});
}

export const ask = (token: string, method: string, path: string, body?: unknown) =>
  sendRequest(stage.service.url, method, path, {token, body});
export const row = (name: string) => tab.page.getByRole('listitem', {name, exact: true});

export async function act(name: string, what: string): Promise<void> {
  await row(name)
    .getByRole('button', {name: `Actions for ${name}`})
    .click();
  await tab.page.getByRole('menuitem', {name: what}).click();
}

export async function find(q: string): Promise<Json[]> {
  return (await ask(owner.token, 'GET', `/v1/members?q=${q}`)).body.data;
}
