import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {expectEventually} from '../support/expect-eventually.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {ada, ask, lead, openBlockers, raise, row, stage, stateOf} from './support/blockers-page.js';
import type {Tab} from './support/stage.js';

let tab: Tab;

beforeAll(async () => {
  await openBlockers();
  await raise(ada, 'The build machine is full');
  tab = await stage.signIn(ada, {path: '/blockers'});
});
afterAll(() => stage.close());

describe('blockers in rare cases', () => {
  test('a refused change of a blocker is undone on the page with the reason, and a retry uses the current version', async () => {
    const {page} = tab;
    const id = await raise(ada, 'The licence has run out');
    const own = row(page, 'The licence has run out');
    await own.waitFor();
    // Another member edits the blocker first, and this browser does not get the change.
    await page.route('**/v1/blockers?**', (route) => route.abort());
    await ask(lead, 'PATCH', `/v1/blockers/${id}`, {text: 'The licence has run out on Friday'});
    await own.getByRole('button', {name: 'Resolve'}).click();
    await own.getByRole('alert').waitFor();
    await expectEventually(() => own.getByRole('alert').innerText()).toContain('Request');
    expect(await stateOf(id)).toBe('raised');
    await page.unroute('**/v1/blockers?**');
    await tab.go('/blockers?team=*');
    await row(page, 'on Friday').getByRole('button', {name: 'Resolve'}).click();
    await page.getByText('Resolved', {exact: true}).last().click();
    const licence = row(page, 'The licence has run out on Friday');
    await licence.getByText('Resolved by you').waitFor();
    await licence.getByRole('button', {name: 'Reopen'}).click();
    await licence.getByRole('button', {name: 'Resolve'}).waitFor();
  });

  test('a blocker is raised by keyboard alone, a draft survives a reload, and a lost answer raises nothing twice', async () => {
    const {page} = tab;
    await page.getByRole('button', {name: 'Raise a blocker'}).focus();
    await page.keyboard.press('Enter');
    const text = page.getByRole('textbox', {name: 'What is blocking you?'});
    await text.waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Describe the blocker.').waitFor();
    await look(tab, 'blockers-raise-missing');
    await text.focus();
    await page.keyboard.type('Nobody has the key of the lab');
    await page.reload();
    await expectEventually(() => text.inputValue()).toBe('Nobody has the key of the lab');
    const keys: (string | undefined)[] = [];
    // The service executes the first request, and its answer is lost.
    await page.route('**/v1/blockers', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await text.focus();
    await page.keyboard.press('Control+Enter');
    await row(page, 'Nobody has the key of the lab').waitFor();
    // The change stream may show the blocker before the request is repeated.
    await until(() => keys.length > 1, {what: 'it is asked again'});
    await page.unroute('**/v1/blockers');
    expect(keys).toEqual([keys[0], keys[0]]);
    const {body} = await ask(ada, 'GET', '/v1/blockers?state=open');
    const same = body.data.filter((one: {text: string}) => one.text === 'Nobody has the key of the lab');
    expect(same).toHaveLength(1);
  });

  test('regression: the keys j and k move between blockers, a and r change the focused one in its current version, and all can be switched off', async () => {
    const {page} = tab;
    const id = await raise(ada, 'The badge reader is dark');
    const own = row(page, 'The badge reader is dark');
    await own.waitFor();
    const statuses: number[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/v1/blockers/${id}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      const response = await route.fetch();
      statuses.push(response.status());
      if (statuses.length === 1) await held;
      return route.fulfill({response});
    });
    const inFocus = () => page.evaluate<string>('document.activeElement?.getAttribute("aria-label") ?? ""');
    await page.locator('[data-blocker]').first().focus();
    const first = await inFocus();
    await page.keyboard.press('j');
    expect(await inFocus()).not.toBe(first);
    await page.keyboard.press('k');
    expect(await inFocus()).toBe(first);
    await own.focus();
    await page.evaluate(`localStorage.setItem('standup:keys', 'off')`);
    await page.keyboard.press('r');
    await page.evaluate(`localStorage.removeItem('standup:keys')`);
    await page.keyboard.press('a');
    await own.getByText('You’re on it').waitFor();
    await until(() => statuses.length === 1, {what: 'the first change is made, and not answered'});
    await page.keyboard.press('r');
    await own.waitFor({state: 'detached'});
    release();
    await until(async () => (await stateOf(id)) === 'resolved', {what: 'it is resolved'});
    await until(() => statuses.length === 2, {what: 'the second change is answered'});
    await page.unroute(`**/v1/blockers/${id}`);
    expect(statuses).toEqual([200, 200]);
    await expectInnocent(tab, {refusals: [412], errors: /ERR_(FAILED|CONNECTION_RESET)/});
  });

  test('a link opens one blocker in any state for editing and resolving, and says when it no longer exists', async () => {
    const id = await raise(ada, 'The badge has run out');
    await tab.go(`/blockers?blocker=${id}`);
    const {page} = tab;
    await page.getByRole('heading', {name: 'Blocker of Ada Lovelace'}).waitFor();
    await expectEventually(() =>
      page.getByRole('list', {name: 'Blockers'}).getByRole('listitem').count(),
    ).toBe(1);
    const own = row(page, 'The badge has run out');
    await own.focus();
    await page.keyboard.press('e');
    await page.getByRole('textbox', {name: 'What is blocking you?'}).waitFor();
    await page.keyboard.type(' today');
    await page.keyboard.press('Control+Enter');
    await row(page, 'The badge has run out today').getByRole('button', {name: 'Resolve'}).click();
    await until(async () => (await stateOf(id)) === 'resolved', {what: 'it is resolved'});
    await row(page, 'The badge has run out').getByText('Resolved by you').waitFor();
    await tab.go('/blockers?blocker=blk_01jd0000007000000000000000');
    await page.getByRole('heading', {name: 'Blocker not found'}).waitFor();
    await page.getByRole('main').getByRole('link', {name: 'All blockers'}).click();
    await page.getByRole('heading', {name: 'Blockers', level: 1}).waitFor();
    await expectInnocent(tab, {refusals: [404, 412], errors: /ERR_(FAILED|CONNECTION_RESET)/});
  });

  test('long words, right-to-left text and German texts fit into the page', async () => {
    const {services} = stage.service.core;
    await services.teams.createTeam(stage.workspace.operator(), {slug: 'quiet', name: 'Quiet'});
    const long = await stage.addPerson({
      name: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh the Younger of Llanfairpwllgwyngyll',
      team: 'quiet',
    });
    for (let i = 0; i < 12; i += 1) {
      await raise(
        long,
        `${'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk '.repeat(i + 1)}${i}`,
        'quiet',
      );
    }
    const turned = await stage.signIn(long, {path: '/blockers', language: 'x-long'});
    await turned.page.locator('[data-blocker]').last().waitFor();
    await look(turned, 'blockers-long-rtl');
    await turned.close();
    const german = await stage.signIn(ada, {path: '/blockers', locale: 'de-DE', language: 'de'});
    await german.page.getByText('Noch niemand dran').first().waitFor();
    await look(german, 'blockers-german');
    await german.close();
  });
});
