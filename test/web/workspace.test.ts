import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {asked, closeWorkspace, openWorkspace, stage, tab} from './support/workspace-page.js';

beforeAll(openWorkspace);
afterAll(closeWorkspace);

describe('the page of the workspace', () => {
  test('shows the Slack connection, the bot’s missing scopes, its channels, and channels where posts fail', async () => {
    const {page} = tab;
    const section = page.getByRole('region', {name: 'Slack', exact: true});
    await section.getByText('Connected to Acme.').waitFor();
    await section.getByText('by Ada Lovelace').waitFor();
    await section.getByText('users:read.email').waitFor();
    await section.getByRole('link', {name: 'Install again'}).waitFor();
    await section.getByRole('link', {name: 'Platform'}).waitFor();
    await section.getByText('The bot is not in the channel').waitFor();
    await page.getByRole('textbox', {name: 'Name'}).waitFor();
    await look(tab, 'workspace', {full: true});
    await expectInnocent(tab);
  });

  test('says what a shorter retention deletes, and asks for the workspace’s name before saving', async () => {
    const {page} = tab;
    await page.getByText('For a number of days').click();
    await page.getByText(/Standups before .* are deleted/).waitFor();
    await page.getByRole('textbox', {name: 'Days'}).fill('90');
    await page.keyboard.press('Tab');
    await page.getByText('This deletes more data').waitFor();
    await page.getByRole('button', {name: 'Save'}).click();
    const dialog = page.getByRole('alertdialog', {name: 'Delete older data?'});
    if (deep) await look(tab, 'workspace-retention');
    await expectEventually(() => dialog.getByRole('button', {name: 'Save and delete'}).isDisabled()).toBe(
      true,
    );
    await dialog.getByRole('textbox').fill('Acme');
    await dialog.getByRole('button', {name: 'Save and delete'}).click();
    await page.getByText('Workspace saved.').waitFor();
    expect(await asked()).toMatchObject({name: 'Acme', retention_days: 90});
  });

  test('lets an owner decide whether leads can invite people', async () => {
    const {page} = tab;
    await page.getByText('Leads can invite people').click();
    await page.getByRole('button', {name: 'Save'}).click();
    await expectEventually(asked).toMatchObject({leads_invite: false});
  });

  test('the page of the workspace takes the emoji in Slack that mean away, and shows what is wrong with one', async () => {
    const {page} = tab;
    const field = page.getByRole('textbox', {name: 'Emoji in Slack that mean away'});
    await field.fill(':palm_tree: car');
    await page.getByRole('button', {name: 'Save'}).click();
    await page.getByText('must be the name of an emoji').first().waitFor();
    await field.fill(':palm_tree: :car:');
    await page.getByRole('button', {name: 'Save'}).click();
    await expectEventually(asked).toMatchObject({away_emoji: [':palm_tree:', ':car:']});
  });
});

test('a team’s settings say which permissions the bot lacks to take replies', async () => {
  const {page} = tab;
  await page.goto(new URL('/app/t/platform/settings', page.url()).href);
  await page.getByText('Replies stay in Slack until the bot has these permissions').waitFor();
  await page.getByText(/channels:history, groups:history/).waitFor();
});

test('own settings have what a status in Slack does, and save it', async () => {
  const {page} = tab;
  await page.goto(new URL('/app/people/me?tab=settings', page.url()).href);
  await page.getByRole('combobox', {name: 'If my Slack status says'}).selectOption('always');
  await page.getByRole('button', {name: 'Save'}).click();
  await page.getByText('Settings saved.').waitFor();
  const {body} = await stage.workspace.request('GET', '/v1/members?q=Ada');
  expect(body.data[0]).toMatchObject({slack_status: 'always'});
});
