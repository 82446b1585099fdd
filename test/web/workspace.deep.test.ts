import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {expectEventually} from '../support/expect-eventually.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {untilQuiet} from './support/stage.js';
import {
  asked,
  channel,
  closeWorkspace,
  openWorkspace,
  slack,
  newDeadline,
  stage,
  tab,
} from './support/workspace-page.js';

beforeAll(openWorkspace);
afterAll(closeWorkspace);

describe('the workspace in rare cases', () => {
  test('an erasure is shown with its progress, and without a name', async () => {
    const section = tab.page.getByRole('region', {name: 'Erasures'});
    await section.getByText('Waiting').waitFor();
    await expectEventually(() => section.getByRole('progressbar').count()).toBe(1);
    await expectEventually(() => section.innerText()).not.toContain('Alan');
  });

  test('“Try again” retries failed posts to a channel, and says so', async () => {
    const {page} = tab;
    await page.getByRole('listitem', {name: 'platform'}).getByRole('button', {name: 'Try again'}).click();
    await page.getByText('Trying again in platform …').waitFor();
    const {store} = stage.service.core;
    const key = store.slackTroubles.find(stage.workspace.id, channel, newDeadline());
    expect((await key)?.state).toBe('open');
  });

  test('a setting that another member has changed meanwhile is shown beside the typed one, and either can be chosen', async () => {
    const {page} = tab;
    const change = (body: object) => stage.workspace.request('PATCH', '/v1/workspace', {body});
    const name = page.getByRole('textbox', {name: 'Name'});
    await name.fill('Acme Ltd');
    await change({retention_days: 120});
    const note = page.getByRole('alert').filter({hasText: 'Someone else changed the workspace'});
    await note.getByText('kept for 120 days').first().waitFor();
    await look(tab, 'workspace-conflict');
    await expectEventually(() => page.getByRole('button', {name: 'Save'}).isDisabled()).toBe(true);
    await tab.go('/workspace');
    await note.getByText('Acme Ltd').waitFor();
    await note.getByRole('button', {name: 'Keep mine'}).click();
    await page.getByRole('button', {name: 'Save'}).click();
    await page.getByText('Workspace saved.').waitFor();
    expect(await asked()).toMatchObject({name: 'Acme Ltd', retention_days: 120});
  });

  test('regression: text typed while the settings are being saved is not lost', async () => {
    const {page} = tab;
    const name = page.getByRole('textbox', {name: 'Name'});
    let answer = (): void => undefined;
    const isFree = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/v1/workspace', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      const response = await route.fetch();
      await isFree;
      await route.fulfill({response});
    });
    await name.fill('Acme one');
    await page.getByRole('button', {name: 'Save'}).click();
    await until(async () => (await asked()).name === 'Acme one');
    await name.fill('Acme Ltd');
    answer();
    await untilQuiet(tab);
    await expectEventually(() => name.inputValue()).toBe('Acme Ltd');
    await page.getByRole('button', {name: 'Save'}).click();
    await until(async () => (await asked()).name === 'Acme Ltd');
    await page.unroute('**/v1/workspace');
  });

  test('standups, absences and participation are exported as files', async () => {
    const {page} = tab;
    await page.evaluate('delete globalThis.showSaveFilePicker');
    const section = page.getByRole('region', {name: 'Export data'});
    const choose = async (field: RegExp, option: string) => {
      await section.getByRole('combobox', {name: field}).selectOption({label: option});
    };
    const save = async () => {
      const download = page.waitForEvent('download');
      await section.getByRole('button', {name: 'Download'}).click();
      return (await download).suggestedFilename();
    };
    expect(await save()).toMatch(/^standups-.*\.csv$/);
    await choose(/Data/, 'Absences');
    expect(await save()).toMatch(/^absences-.*\.csv$/);
    await choose(/Data/, 'Participation');
    await section.getByText('Choose one team.').waitFor();
    await expectEventually(() => section.getByRole('button', {name: 'Download'}).isDisabled()).toBe(true);
    await choose(/Team/, 'Platform');
    expect(await save()).toMatch(/^participation-.*\.csv$/);
  });

  test('disconnecting Slack explains the effect on posts and people, and asks for the name', async () => {
    const {page} = tab;
    await page.getByRole('button', {name: 'Disconnect Slack'}).click();
    const dialog = page.getByRole('alertdialog', {name: 'Disconnect Slack?'});
    await dialog.getByText('Messages in channels stay.').waitFor();
    await dialog.getByRole('textbox').fill('Acme');
    await dialog.getByRole('button', {name: 'Disconnect Slack'}).click();
    await page.getByText('Not connected to Slack.').waitFor();
    await page.getByText('to install it again. Waiting posts are sent then.').waitFor();
    expect(await asked()).toMatchObject({slack: {connected: false}});
    expect(slack.of('auth.revoke')).toHaveLength(1);
    await expectInnocent(tab);
  });

  test('a member sees Slack and exports, but neither settings nor forbidden actions', async () => {
    const grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
    const own = await stage.signIn(grace, {path: '/people', language: 'de'});
    await own.page.getByRole('link', {name: 'Workspace'}).first().click();
    await own.page.getByText('Slack und Exporte.').waitFor();
    await own.page.getByText('Nicht mit Slack verbunden.').waitFor();
    await untilQuiet(own);
    await expectEventually(() => own.page.getByRole('textbox', {name: 'Name'}).count()).toBe(0);
    await own.page.getByRole('button', {name: 'Erneut versuchen'}).click();
    await own.page
      .getByRole('alert')
      .getByText(/Only a lead/)
      .waitFor();
    await until(() => own.requests.some(({status}) => status === 403));
    await own.close();
  });
});
