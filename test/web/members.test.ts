import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openMembers, row, stage, tab} from './support/members-page.js';

beforeAll(openMembers);
afterAll(() => stage.close());

it('each member is listed with role, teams, clock, Slack and last use, from one request, with filters in the address', async () => {
  const {page} = tab;
  await row('Ada Lovelace').getByRole('link', {name: 'platform', exact: false}).waitFor();
  await row('Ada Lovelace').getByText('London', {exact: false}).waitFor();
  await row('Grace Hopper').getByText('Admin').waitFor();
  await row('Grace Hopper').getByText('In Slack', {exact: false}).waitFor();
  await row('Olga Owner').getByText('seen', {exact: false}).waitFor();
  await row('Margaret Hamilton').getByText('Not in a team').waitFor();
  // One request reads all people with their teams.
  const asked = tab.requests.filter(
    ({operation, path}) => operation === 'listMembers' || path.includes('member='),
  );
  expect(asked.map(({path}) => path)).toEqual(['/v1/members?include=teams&limit=50']);
  await look(tab, 'members');
  await page.getByRole('searchbox', {name: 'Search'}).fill('lov');
  await row('Grace Hopper').waitFor({state: 'detached'});
  await page.waitForURL(/\?q=lov$/);
});

it('adding a member shows a confirmation and offers a sign-in link for them', async () => {
  const {page} = tab;
  const sheet = page.getByRole('dialog', {name: 'Add person'});
  await page.getByRole('button', {name: 'Add person'}).click();
  await sheet.getByText('Optional. They sign in with a link that you create.').waitFor();
  await sheet.getByLabel('Name').fill('Barbara Lovely');
  await sheet.getByRole('button', {name: 'Add', exact: true}).click();
  const notice = page.getByRole('listitem').filter({hasText: 'Barbara Lovely added.'});
  await notice.getByRole('button', {name: 'Create sign-in link'}).click();
  await page.getByRole('dialog', {name: 'Sign-in link for Barbara Lovely'}).waitFor();
  await expectInnocent(tab);
});
