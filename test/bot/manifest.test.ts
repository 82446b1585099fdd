import {expect, test} from '@jest/globals';
import {readdirSync, readFileSync} from 'node:fs';
import {standupCommand} from '../../src/bot/names.js';
import {manifest} from '../support/slack-harness.js';

/** What each Web API method asks for, by Slack's reference of methods; empty for those that need a trigger or nothing. */
const scopesOf: Record<string, string[]> = {
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'chat.delete': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'conversations.open': ['im:write'],
  'conversations.replies': ['channels:history', 'groups:history'],
  'users.info': ['users:read'],
  'views.open': [],
  'views.update': [],
};

function methodsUsed(): string[] {
  const source = readdirSync('src/bot', {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`src/bot/${file}`, 'utf8'));
  return [
    ...new Set([...source.join('\n').matchAll(/\bclient\.(\w+\.\w+)\(/g)].map(([, method]) => method ?? '')),
  ].toSorted();
}

test('every method that the bot uses is known here', () => {
  expect(methodsUsed()).toEqual(Object.keys(scopesOf).toSorted());
});

test('the manifest asks for the scopes that are used, and for no other', () => {
  const needed = ['commands', ...Object.values(scopesOf).flat()];
  expect(new Set(manifest.oauth_config.scopes.bot)).toEqual(new Set(needed));
});

test('the manifest has the command, unescaped, and one address for everything', () => {
  const [command] = manifest.features.slash_commands;
  expect(command).toMatchObject({command: standupCommand, should_escape: false});
  expect(command?.url).toMatch(/\/slack\/events$/);
  expect(manifest.settings.interactivity).toEqual({is_enabled: true, request_url: command?.url});
});
