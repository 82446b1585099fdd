import type {Journey, Twin} from './journey.js';
import {suffixOf} from '../../../src/domain/core/ids.js';

const channel = 'C024BE91L';
const newDeadline = () => performance.now() + 5_000;

/** Connects Slack, and records a problem with a channel; no earlier step returns either. */
async function connect({workspace}: Twin): Promise<readonly string[]> {
  const {commits, cipher, slackTroubles} = workspace.core.store;
  const encrypted = cipher.encrypt('slack-installation', workspace.id, 'xoxb-1');
  await commits.run(workspace.operator(), {
    guards: [],
    writes: [{do: 'connect-slack', id: 'T0ACME', encrypted, name: 'Acme', by: undefined, greets: 'U0'}],
    events: [],
    reply: {kind: 'empty'},
  });
  await slackTroubles.note(
    workspace.id,
    channel,
    {team: suffixOf(workspace.team), code: 'not_in_channel'},
    newDeadline(),
  );
  return [];
}

export const workspaceJourney: Journey = [
  [
    'a workspace that is named anew',
    async ({page, ...tab}, {prepare}) => {
      await prepare(connect);
      await tab.go('/workspace');
      await page.getByRole('textbox', {name: 'Name'}).fill('Acme');
      await page.getByRole('button', {name: 'Save'}).click();
      await page.getByText('Workspace saved.').waitFor();
    },
  ],
  [
    'a channel that is tried again',
    async ({page}) => {
      await page.getByRole('button', {name: 'Try again', exact: true}).first().click();
      await page.getByText('Trying again in platform …').waitFor();
    },
  ],
  [
    'absences and participation that are taken out',
    async ({page}) => {
      await page.evaluate('delete globalThis.showSaveFilePicker');
      const section = page.getByRole('region', {name: 'Export data'});
      const choose = async (field: RegExp, option: string) => {
        await section.getByRole('combobox', {name: field}).selectOption({label: option});
      };
      for (const [field, option] of [
        [/Data/, 'Absences'],
        [/Team/, 'Platform'],
        [/Data/, 'Participation'],
      ] as const) {
        await choose(field, option);
        if (option === 'Platform') continue;
        await section.getByRole('button', {name: 'Download'}).click();
        await section.getByText(/^Done: /).waitFor();
      }
    },
  ],
  [
    'Slack that is disconnected',
    async ({page}) => {
      await page.getByRole('button', {name: 'Disconnect Slack'}).click();
      const confirm = page.getByRole('alertdialog');
      await confirm.getByRole('textbox').fill('Acme');
      await confirm.getByRole('button', {name: 'Disconnect Slack'}).click();
      await page.getByText('Not connected to Slack.').waitFor();
    },
  ],
];
