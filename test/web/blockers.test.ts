import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {ada, ask, grace, openBlockers, raise, row, stage} from './support/blockers-page.js';
import type {Tab} from './support/stage.js';

let tab: Tab;

beforeAll(openBlockers);
afterAll(() => stage.close());

describe('the page of blockers', () => {
  test('lists the longest open blockers first, red from the third day on, live, and shows an empty list as good news', async () => {
    tab = await stage.signIn(ada, {path: '/blockers'});
    const {page} = tab;
    await page.getByRole('heading', {name: 'No open blockers'}).waitFor();
    if (deep) await look(tab, 'blockers-empty');
    await ask(ada, 'POST', '/v1/standups', {
      team: 'platform',
      answers: [
        {
          question: 'stuck',
          value: 'No access to the staging database.\nTicket: https://tickets.example/OPS-1734',
        },
      ],
    });
    await stage.moveTo('2030-11-20T08:00:00Z');
    await raise(grace, 'The vendor has not answered since Monday');
    await stage.moveTo('2030-11-21T08:00:00Z');
    await raise(ada, 'Two designs, and nobody decides', 'design');
    await tab.go('/blockers');
    const rows = page.locator('[data-blocker]');
    await rows.nth(2).waitFor();
    await expectEventually(() => rows.locator('[title^="Open"], [title^="Raised"]').allInnerTexts()).toEqual([
      '3 days',
      '1 day',
      'today',
    ]);
    await expectEventually(() => rows.nth(0).locator('[data-long]').count()).toBe(1);
    await expectEventually(() => rows.nth(1).locator('[data-long]').count()).toBe(0);
    await page.getByText('3 open blockers, 1 for three days or more').waitFor();
    await look(tab, 'blockers-full', {also: deep ? ['zoomed'] : []});
    const link = row(page, 'No access').getByRole('link', {name: 'from a standup of Ada Lovelace'});
    expect(await link.getAttribute('href')).toMatch(/\/app\/history\?standup=std_/);
    await expectInnocent(tab);
  });

  test('a blocker of the viewer’s teams is counted in the menu as long as it is open', async () => {
    const entry = tab.page.getByRole('navigation', {name: 'Main'}).getByRole('link', {name: /^Blockers/});
    await entry.getByText('3 open').waitFor({state: 'attached'});
    const id = await raise(ada, 'No tape left');
    await entry.getByText('4 open').waitFor({state: 'attached'});
    await ask(ada, 'PATCH', `/v1/blockers/${id}`, {state: 'resolved'});
    await entry.getByText('3 open').waitFor({state: 'attached'});
  });

  test('shows all viewers at once that a blocker is acknowledged, resolved or raised again, and one press undoes that', async () => {
    const {page} = tab;
    const vendor = row(page, 'The vendor has not answered');
    await expectEventually(() => vendor.getByRole('button', {name: 'Resolve'}).count()).toBe(0);
    await vendor.getByRole('button', {name: 'Acknowledge'}).click();
    await vendor.getByText('You’re on it').waitFor();
    await page.getByRole('button', {name: 'Undo'}).click();
    await vendor.getByText('Unassigned').waitFor();
    const own = row(page, 'Two designs');
    await own.getByRole('button', {name: 'Resolve'}).click();
    await own.waitFor({state: 'detached'});
    await page.getByRole('button', {name: 'Undo'}).last().click();
    await own.getByRole('button', {name: 'Resolve'}).waitFor();
    const id = await raise(grace, 'The build machine is full');
    const added = row(page, 'The build machine is full');
    await added.waitFor();
    await ask(grace, 'PATCH', `/v1/blockers/${id}`, {state: 'resolved'});
    await added.waitFor({state: 'detached'});
    await page.getByText('Resolved', {exact: true}).last().click();
    await row(page, 'The build machine is full').getByText('Resolved by Grace Hopper').waitFor();
  });
});
