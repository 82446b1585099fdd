import {readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {expect, it} from '@jest/globals';
import {runStandup, spawnStandup} from './run-standup.js';

const committed = JSON.parse(readFileSync('slack-manifest.json', 'utf8'));

it('standup-admin slack manifest prints only the committed manifest, with the given address, from any folder and without Redis', async () => {
  const {code, stdout, stderr} = await spawnStandup(
    ['slack', 'manifest', '--url', 'https://standup.example.com/'],
    {},
    tmpdir(),
  );
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  const expected = JSON.stringify(committed).replaceAll('https://YOUR-HOST', 'https://standup.example.com');
  expect(JSON.parse(stdout)).toEqual(JSON.parse(expected));
  expect(stdout).not.toContain('YOUR-HOST');
});

it('standup-admin slack manifest with --socket enables Socket Mode without an address, and --name names app and bot', async () => {
  const {code, stdout, stderr} = await spawnStandup(
    ['slack', 'manifest', '--socket', '--name', 'Standup (Ada)'],
    {},
  );
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).not.toMatch(/https?:/);
  const {features, settings, oauth_config, display_information} = JSON.parse(stdout);
  expect(settings).toEqual({
    event_subscriptions: {bot_events: committed.settings.event_subscriptions.bot_events},
    interactivity: {is_enabled: true},
    org_deploy_enabled: false,
    socket_mode_enabled: true,
    token_rotation_enabled: false,
  });
  const {user: _, ...scopes} = committed.oauth_config.scopes;
  expect(oauth_config).toEqual({scopes});
  expect(features.slash_commands[0].command).toBe('/standup');
  expect(features.shortcuts).toEqual(committed.features.shortcuts);
  expect([display_information.name, features.bot_user.display_name]).toEqual([
    'Standup (Ada)',
    'Standup (Ada)',
  ]);
});

it.each<[string, string[], number, RegExp]>([
  ['without an address', [], 2, /--url.*--socket/],
  ['for an address that is not https', ['--url', 'http://standup.example.com'], 1, /must be https.*--socket/],
  ['for an address with a path', ['--url', 'https://example.com/standup'], 1, /without a path/],
  ['for an invalid address', ['--url', 'standup.example.com'], 1, /an address like https:/],
  ['for a name that is too long', ['--socket', '--name', 'x'.repeat(36)], 1, /--name .*35/],
])('standup-admin slack manifest prints only one line on stderr %s', async (_, args, exit, says) => {
  const {code, stdout, stderr} = await runStandup(['slack', 'manifest', ...args], {});
  expect({code, stdout}).toEqual({code: exit, stdout: ''});
  expect(stderr).toMatch(says);
  expect(stderr.trimEnd()).not.toContain('\n');
});
