import {afterAll, beforeAll, it} from '@jest/globals';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage} from './support/stage.js';

let stage: BrowserStage;
let owner: Person;

beforeAll(async () => {
  stage = await openDashboard();
  owner = await stage.addPerson({name: 'Olga Owner', role: 'owner'});
});

afterAll(() => stage.close());

it('a member sees where they are signed in, and ends another session from the same page', async () => {
  const there = await stage.signIn(owner, {path: '/sessions'});
  const tab = await stage.signIn(owner, {path: '/sessions'});
  const {page} = tab;
  await page.getByText('This browser').waitFor();
  const sessions = page.getByRole('main').getByRole('listitem');
  await expectEventually(() => sessions.count()).toBe(2);
  await look(tab, 'sessions');
  const other = sessions.filter({hasNotText: 'This browser'});
  await other.getByRole('button', {name: 'Sign out'}).click();
  await page.getByText(/Signed out of/).waitFor();
  await other.waitFor({state: 'hidden'});
  await there.page.reload();
  await there.page.getByRole('heading', {name: 'Sign in'}).waitFor();
  await expectInnocent(tab);
  await there.close();
});
