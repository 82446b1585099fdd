import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {look} from './support/look.js';
import {
  as,
  choose,
  clearWriting,
  field,
  monday,
  notice,
  open,
  openBlockers,
  openNew,
  openWriting,
  page,
  panel,
  posted,
  press,
  stage,
  undo,
  dashboard,
} from './support/write-panel.js';

beforeAll(openWriting, 60_000);
beforeEach(clearWriting);
afterAll(() => stage.close());

/** Holds all posts until the returned function is called. */
async function holdPosts(): Promise<() => void> {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/v1/standups', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  return answer;
}

it('a team without questions gets the same fields as in Slack, the standup is on the board at once, and undo reverts everything', async () => {
  await as('POST', '/v1/blockers', {team: 'platform', text: 'No access to the staging database.'});
  await openNew();
  await panel.getByText('Due 11:00 your time · in 34 min').waitFor();
  await expectEventually(() => field('Since Friday 20 Nov').inputValue()).toBe(
    'The retry page, and its tests.',
  );
  await expectEventually(() =>
    page.evaluate('document.activeElement.closest("[data-field]").dataset.field'),
  ).toBe('today');
  await field('Today').fill('The export.');
  await field('Blockers').fill('CI is red.');
  await choose('No access to the staging database.');
  const answer = await holdPosts();
  await press('Post');
  await panel.waitFor({state: 'detached'});
  await page.getByRole('article').getByText('The export.').waitFor();
  expect(await posted()).toEqual([]);
  answer();
  await notice('Posted to Platform.').waitFor();
  const [made] = await posted();
  expect(made).toMatchObject({
    update: 'Yesterday\nThe retry page, and its tests.\n\nToday\nThe export.\n\nBlockers\nCI is red.',
    source: 'dashboard',
    late: false,
    date: monday,
  });
  expect(await openBlockers()).toEqual(['CI is red.']);

  await undo('Posted to Platform.');
  await panel.waitFor();
  await expectEventually(() => field('Today').inputValue()).toBe('The export.');
  await until(async () => (await posted()).length === 0);
  await until(async () => (await openBlockers()).join() === 'No access to the staging database.');
});

it('each type of question has its own field, and the service gets the answers as typed', async () => {
  await openNew('mobile');
  await field('What is next?').fill('The export.');
  await choose('Web');
  await choose('Pen');
  await choose('Paper');
  await field('How many hours?').fill('2,5');
  await choose('No');
  await choose('Good');
  await field('What is in your way?').fill('CI is red.');
  await look(dashboard, 'write-filled');
  await press('Post');
  await notice('Posted to Mobile.').waitFor();
  const [made] = await posted();
  const values = ((made?.['answers'] ?? []) as Json[]).map(({question, value}) => [question, value]);
  expect(values).toEqual([
    ['today', 'The export.'],
    ['focus', ['Web']],
    ['tools', ['Pen', 'Paper']],
    ['hours', 2.5],
    ['office', false],
    ['mood', 4],
    ['stuck', 'CI is red.'],
  ]);
  expect(await openBlockers()).toEqual(['CI is red.']);
});

it('the draft of a standup survives closing and a reload', async () => {
  await openNew();
  await field('Today').fill('Half a thought');
  await press('Close');
  await notice('Draft saved.').waitFor();
  await page.reload();
  await open('write=platform');
  await expectEventually(() => field('Today').inputValue()).toBe('Half a thought');
});

it('a standup is written with the key n, typing and Ctrl+Enter alone, and an edit can be undone', async () => {
  await page.keyboard.press('n');
  await panel.getByRole('textbox').first().waitFor();
  await until(() => page.evaluate('document.activeElement.tagName === "TEXTAREA"'));
  await page.keyboard.type('By hand.');
  await page.keyboard.press('Control+Enter');
  await notice('Posted to').waitFor();
  const [made] = await posted();
  expect(made?.['update']).toContain('By hand.');
  const now = async (): Promise<string> => (await as('GET', `/v1/standups/${made?.['id']}`))['update'];
  await open(`edit=${made?.['id']}`);
  await field('Today').fill('By machine.');
  await press('Save');
  await notice('Saved.').waitFor();
  expect(await now()).toContain('By machine.');
  await undo('Saved.');
  await until(async () => (await now()).includes('By hand.'));
});

it('a draft that programs have prepared is offered above an empty form, and never replaces what was typed', async () => {
  const links = [
    {url: 'https://github.com/acme/importer/pull/42', title: 'Show retries'},
    {url: 'https://example.com/\u202egpj.exe', title: 'javascript:alert(1)'},
  ];
  const part = {team: 'platform', date: monday};
  await as('PUT', '/v1/drafts/me', {...part, source: 'github', update: 'Merged <b>#42</b>.', links});
  await as('PUT', '/v1/drafts/me', {...part, source: 'git', update: 'Fixed a bug.'});
  await openNew();
  const offer = panel.getByRole('region', {name: 'Prepared draft'});
  await offer.getByText('Merged <b>#42</b>.').waitFor();
  const shown = offer.getByRole('link');
  expect(await shown.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
    links[0]?.url,
  ]);
  await look(dashboard, 'write-draft');
  await field('Today').fill('Typed.');
  await offer.waitFor({state: 'detached'});
  await field('Today').fill('');
  await press('Insert draft from git and github');
  await expectEventually(() => field('Since Friday 20 Nov').inputValue()).toBe(
    `The retry page, and its tests.\n\nFixed a bug.\n\nMerged <b>#42</b>.\nShow retries ${links[0]?.url}\njavascript:alert(1) ${links[1]?.url}`,
  );
  await offer.waitFor({state: 'detached'});
  await field('Today').fill('The export.');
  await press('Post');
  await notice('Posted to Platform.').waitFor();
  expect((await as('GET', `/v1/drafts/me?team=platform&date=${monday}`)).parts).toEqual([]);
});

it('a prepared draft is gone once its person discards it', async () => {
  const links = [{url: `https://example.com/${'x'.repeat(900)}`, title: 'T'.repeat(200)}];
  for (const source of ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)])
    await as('PUT', '/v1/drafts/me', {
      team: 'platform',
      date: monday,
      source,
      update: 'W'.repeat(2_000),
      links,
    });
  await openNew();
  await panel.getByRole('region', {name: 'Prepared draft'}).waitFor();
  await look(dashboard, 'write-draft-long');
  await press('Discard');
  await panel.getByRole('region', {name: 'Prepared draft'}).waitFor({state: 'detached'});
  expect((await as('GET', `/v1/drafts/me?team=platform&date=${monday}`)).parts).toEqual([]);
});
