import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {
  as,
  clearWriting,
  dashboard,
  field,
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
} from './support/write-panel.js';

beforeAll(openWriting, 60_000);
beforeEach(clearWriting);
afterAll(() => stage.close());

const value = (label: string) => field(label).inputValue();
/** Reads the elements that a preview or the board shows, such as `strong:done`. */
const shown = (selector: string) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((one) =>
      [...one.querySelectorAll('strong, em, li, blockquote, a[target], code')].map((part) =>
        part.tagName.toLowerCase() + ':' + part.textContent))`,
  );

const shownFields = async () =>
  (await panel.getByRole('region').allInnerTexts()).map((text) => text.replaceAll(/\n+/g, '\n'));

/** Presses keys one after another, once the field has its keys. */
async function keys(...all: readonly string[]): Promise<void> {
  for (const key of all) await page.keyboard.press(key);
}

/** Focuses a field, and waits until its keys are loaded: then Ctrl+I makes text italic. */
async function focus(label: string): Promise<void> {
  await field(label).fill('');
  await field(label).focus();
  await expectEventually(async () => {
    await page.keyboard.press('Control+i');
    return value(label);
  }).toBe('**');
  await keys('Control+i');
  await expectEventually(() => value(label)).toBe('');
}

const paste = (text: string) =>
  page.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData('text/plain', ${JSON.stringify(text)});
    const event = new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true});
    document.activeElement.dispatchEvent(event);
  })()`);

it('a standup is written with keys of formatting, previewed, posted, shown, edited, and undone, by the keyboard alone', async () => {
  await openNew();
  await focus('Today');
  await page.keyboard.type('Ship ');
  await keys('Control+b');
  await page.keyboard.type('the importer');
  await keys('ArrowRight', 'ArrowRight');
  await page.keyboard.type(' and PR');
  await keys('Shift+ArrowLeft', 'Shift+ArrowLeft');
  await paste('https://git.example/pull/42');
  await expectEventually(() => value('Today')).toBe(
    'Ship **the importer** and [PR](https://git.example/pull/42)',
  );
  await keys('Enter', 'Enter');
  await page.keyboard.type('retries');
  await keys('Control+Shift+Digit8', 'Enter');
  await page.keyboard.type('and tests');
  await keys('Enter', 'Enter');
  await page.keyboard.type('Later: the page.');
  const text =
    'Ship **the importer** and [PR](https://git.example/pull/42)\n\n- retries\n- and tests\n\nLater: the page.';
  await expectEventually(() => value('Today')).toBe(text);
  await keys('Control+k');
  expect(await page.getByRole('dialog').count()).toBe(1);
  await expectEventually(() => value('Today')).toBe(`${text}[]()`);
  await keys('Control+z');
  await expectEventually(() => value('Today')).toBe(text);

  const preview = panel.getByRole('button', {name: 'Preview'});
  await preview.focus();
  await keys('Enter');
  await expectEventually(() => shown('[role=dialog] section')).toEqual([
    'strong:the importer',
    'a:PR',
    'li:retries',
    'li:and tests',
  ]);
  expect(await preview.getAttribute('aria-pressed')).toBe('true');
  await look(dashboard, 'write-preview');
  await keys('Space');
  await expectEventually(() => value('Today')).toBe(text);
  await look(dashboard, 'write-formatted');
  await field('Today').focus();
  await keys('Control+Enter');
  await notice('Posted to Platform.').waitFor();
  const [made] = await posted();
  expect(made).toMatchObject({format: 'markdown'});
  expect(made?.['update']).toContain(text);
  await expectEventually(() => shown('article')).toContain('strong:the importer');

  const update = made?.['update'] as string;
  await open(`edit=${made?.['id']}`);
  expect(await value('Today')).toBe(text);
  await field('Today').fill('Ship *nothing*');
  await press('Save');
  await notice('Saved.').waitFor();
  await expectEventually(() => shown('article')).toContain('em:nothing');
  const now = async (): Promise<Json> => as('GET', `/v1/standups/${made?.['id']}`);
  expect(await now()).toMatchObject({format: 'markdown'});
  await undo('Saved.');
  await until(async () => (await now())['update'] === update);
  await expectInnocent(dashboard);
});

it('each key is one step that the browser undoes and redoes, and Enter goes on with a list and ends it', async () => {
  await openNew();
  await focus('Today');
  await page.keyboard.type('one');
  await keys('Control+Shift+Digit7', 'Enter');
  await page.keyboard.type('two');
  await keys('Enter');
  await expectEventually(() => value('Today')).toBe('1. one\n2. two\n3. ');
  await keys('Enter');
  await expectEventually(() => value('Today')).toBe('1. one\n2. two\n\n');
  await keys('Control+z');
  await expectEventually(() => value('Today')).toBe('1. one\n2. two\n3. ');
  await keys('Control+Shift+z');
  await expectEventually(() => value('Today')).toBe('1. one\n2. two\n\n');
  await page.keyboard.type('said');
  await keys('Control+Shift+Digit9');
  await expectEventually(() => value('Today')).toBe('1. one\n2. two\n\n> said');
  await keys('Control+z');
  await expectEventually(() => value('Today')).toBe('1. one\n2. two\n\nsaid');
  await keys('Control+a', 'Control+b');
  await expectEventually(() => value('Today')).toBe('1. **one**\n2. **two**\n\n**said**');
  await keys('Control+b');
  await expectEventually(() => value('Today')).toBe('1. one\n2. two\n\nsaid');
});

it('an edit of a plain standup stays plain until its author chooses formatting, and then looks the same', async () => {
  const update = 'Yesterday\n- *.log files\n\nToday\n__init__\n\nBlockers\n`make` fails';
  const made = await as('POST', '/v1/standups', {team: 'platform', update, blockers: '`make` fails'});
  const now = async (): Promise<Json> => as('GET', `/v1/standups/${made['id']}`);
  await open(`edit=${made['id']}`);
  await field('Today').fill('__init__ and main');
  await press('Save');
  await notice('Saved.').getByRole('button', {name: 'Dismiss'}).click();
  expect(await now()).toMatchObject({update: update.replace('__init__', '__init__ and main')});
  expect('format' in (await now())).toBe(false);

  await open(`edit=${made['id']}`);
  expect(await panel.getByRole('button', {name: 'Preview'}).count()).toBe(0);
  await press('Use formatting');
  await expectEventually(() => shownFields()).toEqual([
    'Yesterday\n- *.log files',
    'Today\n__init__ and main',
    'Blockers\n`make` fails',
  ]);
  expect(await shown('[role=dialog] section')).toEqual([]);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Preview');
  await look(dashboard, 'write-use-formatting');
  await press('Preview');
  expect(await value('Yesterday')).toBe('\\- \\*.log files');
  await press('Save');
  await notice('Saved.').waitFor();
  expect(await now()).toMatchObject({
    format: 'markdown',
    update: expect.stringContaining('\\- \\*.log files'),
  });
  expect(await openBlockers()).toEqual(['`make` fails']);
  await undo('Saved.');
  await until(async () => !('format' in (await now())));
  expect(await openBlockers()).toEqual(['`make` fails']);
});

it('hostile texts do nothing in a preview, and no address is requested', async () => {
  const hostile = [
    '<img src=x onerror=hurt()>',
    '<script>hurt()</script>',
    '[x](javascript:hurt())',
    '![x](https://evil.example/x.png)',
    '[bank.example](https://evil.example)',
    '**<b>bold</b>**',
    '<https://evil.example>',
  ];
  await openNew();
  await field('Today').fill(hostile.join('\n\n'));
  await press('Preview');
  await expectEventually(() => shown('[role=dialog] section')).toContain('strong:<b>bold</b>');
  const grown = await page.evaluate(
    `[...document.querySelectorAll('[role=dialog] :is(img, script, iframe, b, [onerror])')].length`,
  );
  const hrefs = await page.evaluate(
    `[...document.querySelectorAll('[role=dialog] section a')].map(({href}) => href)`,
  );
  expect([grown, hrefs]).toEqual([0, ['https://evil.example/', 'https://evil.example/']]);
  await panel.getByText('(evil.example)').waitFor();
  expect(dashboard.misdeeds.violations).toEqual([]);
  expect(dashboard.misdeeds.foreign).toEqual([]);
});

it('a person is mentioned by the keyboard: suggested by name, chosen with Enter, and shown with a link', async () => {
  const grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
  await stage.addPerson({name: 'Graham Bell'});
  await openNew();
  await focus('Today');
  await page.keyboard.type('Ask @gra');
  const list = panel.getByRole('listbox', {name: 'Mention someone'});
  await expectEventually(() => list.getByRole('option').allInnerTexts()).toEqual([
    expect.stringContaining('Grace Hopper'),
    expect.stringContaining('Graham Bell'),
  ]);
  await look(dashboard, 'write-mention');
  const active = () =>
    page.evaluate<string>(
      `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent ?? ''`,
    );
  expect(await active()).toContain('Grace');
  await keys('ArrowDown');
  await expectEventually(active).toContain('Graham');
  await keys('ArrowUp');
  await expectEventually(active).toContain('Grace');
  await keys('Escape');
  await list.waitFor({state: 'detached'});
  expect(await page.getByRole('dialog').count()).toBe(1);
  await keys('Backspace');
  await page.keyboard.type('a @gra');
  await list.getByText('Grace Hopper').waitFor();
  await keys('Enter');
  await expectEventually(() => value('Today')).toBe(`Ask @gra [@Grace Hopper](mention:${grace.id}) `);
  await list.waitFor({state: 'detached'});
  await keys('Control+z');
  await expectEventually(() => value('Today')).toBe('Ask @gra @gra');
  await keys('Control+Shift+z', 'Control+Enter');
  await notice('Posted to Platform.').waitFor();
  const link = page.getByRole('article').getByRole('link', {name: '@Grace Hopper'});
  await expectEventually(() => link.getAttribute('href')).toBe(`/app/people/${grace.id}`);
  await expectInnocent(dashboard);
});

it('the mention of a person who was erased has no link', async () => {
  const gone = await stage.addPerson({name: 'Gone Person', team: 'mobile'});
  const update = `Thanks, [@Gone Person](mention:${gone.id}).`;
  const made = await as('POST', '/v1/standups', {team: 'platform', update, format: 'markdown'});
  await as('DELETE', `/v1/members/${gone.id}`);
  await page.reload();
  await page.getByRole('article').getByText('Thanks, @Gone Person.').waitFor();
  expect(await page.getByRole('link', {name: '@Gone Person'}).count()).toBe(0);
  await as('DELETE', `/v1/standups/${made['id']}`);
  await expectInnocent(dashboard, {refusals: [404]});
});
