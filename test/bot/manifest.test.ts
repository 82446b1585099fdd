import {expect, test} from '@jest/globals';
import {WebClient} from '@slack/web-api';
import {readdirSync, readFileSync} from 'node:fs';
import * as names from '../../src/bot/slack/blocks/names.js';
import {callbackPath} from '../../src/dashboard/sign-in.js';
import {signInScopes} from '../../src/domain/tokens/sign-in.js';
import {manifest} from '../support/slack-harness.js';

/**
 * The scope of each Web API method in Slack's reference of methods; empty for methods that need a trigger or
 * nothing.
 */
const scopesOf: Record<string, readonly string[]> = {
  'auth.revoke': [],
  'auth.test': [],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.getPermalink': [],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'conversations.join': ['channels:join'],
  'conversations.replies': ['channels:history', 'groups:history'],
  'users.info': ['users:read', 'users:read.email'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
};

/** The scope of each event in Slack's reference of events. */
const scopesOfEvents: Record<string, readonly string[]> = {
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  tokens_revoked: [],
  user_change: ['users:read'],
};

/** The places at which each shortcut is offered. */
const kindsOfShortcuts: Record<string, 'global' | 'message'> = {
  [names.shortcuts.post]: 'global',
  [names.shortcuts.addMessage]: 'message',
};

type AppManifest = typeof manifest;

/** All source files of the bot as one text, without comments and with chains on one line. */
function readSource(): string {
  return readdirSync('src/bot', {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`src/bot/${file}`, 'utf8'))
    .join('\n')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\s*\n\s*\??\./g, '.');
}

/** All methods of the SDK's client, such as `chat.postMessage`. */
function listMethods(folder: object, path = ''): string[] {
  return Object.entries(folder).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'function') return path === '' ? [] : [path + name];
    return value?.constructor === Object ? listMethods(value, `${path}${name}.`) : [];
  });
}

const everyMethod = listMethods(new WebClient());

const methodPattern = new RegExp(
  `\\.(${everyMethod.map((method) => method.replaceAll('.', '\\??\\.')).join('|')})(?![\\w$.])`,
  'g',
);

/** A method counts as used if it is called, passed on, or given to `apiCall`. */
function methodsUsed(source: string): string[] {
  const called = [...source.matchAll(methodPattern)].map(([, name = '']) => name.replaceAll('?', ''));
  const byName = [...source.matchAll(/\bapiCall\(\s*['"`]([\w.]+)/g)].map(([, method]) => method ?? '');
  return [...new Set([...called, ...byName])].toSorted();
}

/** Patterns of the functions that register listeners: the adapter's and Bolt's. */
const registers = {
  event: '(?:listenToEvent|bolt\\.event)',
  shortcut: '(?:listenToShortcut|bolt\\.shortcut)',
  command: '(?:listenToCommand|bolt\\.command)',
};

/** The names with listeners of one kind, without the pattern that catches the rest. */
function listenedTo(source: string, kind: keyof typeof registers): string[] {
  const calls = source.matchAll(
    new RegExp(
      `\\b${registers[kind]}(?:<[^(]*>)?\\(\\s*(?:(?:deps|context),\\s*)?(?:\\{[^}]*?callback_id:\\s*)?(['"\\w.$/-]+)`,
      'g',
    ),
  );
  const found = [...calls].map(([, written = '']) => {
    if (/^['"]/.test(written)) return written.slice(1, -1);
    const value = written
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], names);
    return typeof value === 'string' ? value : undefined;
  });
  return [...new Set(found.filter((name) => name !== undefined))].toSorted();
}

/** Differences between the source and the manifest, in both directions. */
function findErrors(source: string, {features, oauth_config, settings}: AppManifest): string[] {
  const methods = methodsUsed(source);
  // The manifest names each kind of channel whose messages it requests.
  const events = listenedTo(source, 'event').flatMap((name) =>
    name === 'message' ? ['message.channels', 'message.groups', 'message.im'] : [name],
  );
  const scopes = new Set([
    'commands',
    ...methods.flatMap((method) => scopesOf[method] ?? []),
    ...events.flatMap((event) => scopesOfEvents[event] ?? []),
  ]);
  const usesOptions = /\bbolt\.options(?:<[^(]*>)?\(/.test(source);
  return [
    ...differences('method', methods, Object.keys(scopesOf), 'a row of this test'),
    ...differences('event', events, Object.keys(scopesOfEvents), 'a row of this test'),
    ...differences('scope', [...scopes], oauth_config.scopes.bot, 'the manifest'),
    ...differences('event', events, settings.event_subscriptions.bot_events, 'the manifest'),
    ...differences(
      'command',
      listenedTo(source, 'command'),
      features.slash_commands.map(({command}) => command),
      'the manifest',
    ),
    ...differences(
      'shortcut',
      listenedTo(source, 'shortcut'),
      features.shortcuts.map(({callback_id}) => callback_id),
      'the manifest',
    ),
    ...(/\}\s*=\s*(?:\w+\.)*client\s*;/.test(source)
      ? ['parts of a client have names of their own, where this test does not see what they are used for']
      : []),
    ...(usesOptions === (settings.interactivity.message_menu_options_url === undefined)
      ? ['the address for options of a menu is there without a use, or not there']
      : []),
  ];
}

function missing(what: string, used: readonly string[], there: readonly string[], where: string): string[] {
  return used.filter((name) => !there.includes(name)).map((name) => `${what} ${name} is not in ${where}`);
}

function differences(
  what: string,
  used: readonly string[],
  there: readonly string[],
  where: string,
): string[] {
  const idle = there.filter((name) => !used.includes(name));
  return [
    ...missing(what, used, there, where),
    ...idle.map((name) => `${what} ${name} is in ${where} and not used`),
  ];
}

const source = readSource();

test('the manifest covers every method, event, shortcut and command that the bot uses, and no other scope', () => {
  expect(findErrors(source, manifest)).toEqual([]);
});

test.each<[string, string]>([
  ['client.reactions.add({})', 'method reactions.add is not in a row of this test'],
  ["client.apiCall('team.info')", 'method team.info is not in a row of this test'],
  ['client\n  .users\n  .list()', 'method users.list is not in a row of this test'],
  ['const {users} = place.client;', 'parts of a client have names'],
  ["bolt.event('reaction_added', listen)", 'event reaction_added is not in the manifest'],
  ["bolt.shortcut('another', listen)", 'shortcut another is not in the manifest'],
  [
    "bolt.shortcut({type: 'shortcut', callback_id: 'another'}, listen)",
    'shortcut another is not in the manifest',
  ],
  [
    "bolt.shortcut<GlobalShortcut>({type: 'shortcut', callback_id: 'typed'}, listen)",
    'shortcut typed is not in the manifest',
  ],
  ["bolt.command('/other', listen)", 'command /other is not in the manifest'],
])('the check of the manifest notices %j', (planted, message) => {
  expect(findErrors(`${source}\n${planted.replace(/\s*\n\s*\./g, '.')}`, manifest).join('\n')).toContain(
    message,
  );
});

test.each<[string, (copy: AppManifest) => unknown, string]>([
  [
    'a scope that nothing needs',
    ({oauth_config}) => oauth_config.scopes.bot.push('files:write'),
    'files:write',
  ],
  [
    'a scope that is left out',
    ({oauth_config}) => oauth_config.scopes.bot.splice(oauth_config.scopes.bot.indexOf('im:history'), 1),
    'im:history',
  ],
  [
    'a command that nothing answers',
    ({features}) => features.slash_commands.push({command: '/other', should_escape: false}),
    '/other',
  ],
  [
    'a shortcut that nothing answers',
    ({features}) =>
      features.shortcuts.push({callback_id: 'idle', type: 'global', name: 'Idle', description: ''}),
    'shortcut idle',
  ],
  ['a shortcut that is left out', ({features}) => features.shortcuts.pop(), 'shortcut add-to-standup'],
  [
    'an event that nothing listens to',
    ({settings}) => settings.event_subscriptions.bot_events.push('team_join'),
    'event team_join',
  ],
  [
    'an event that is left out',
    ({settings}) => settings.event_subscriptions.bot_events.splice(0),
    'event app_home_opened',
  ],
  [
    'an address for options that is left out',
    ({settings}) => delete settings.interactivity.message_menu_options_url,
    'options of a menu',
  ],
  ['a command that is left out', ({features}) => features.slash_commands.pop(), '/standup'],
])('the check of the manifest notices %s', (_, change, named) => {
  const copy = structuredClone(manifest);
  change(copy);
  expect(findErrors(source, copy).join('\n')).toContain(named);
});

test('the guide names the use of every scope', () => {
  const [, section = ''] = readFileSync('docs/slack.md', 'utf8').split('## Scopes');
  const explained = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.*?) \|/gm)].flatMap(
    ([, cell = '']) => [...cell.matchAll(/`([\w:.]+)`/g)].map(([, scope]) => scope),
  );
  const {bot, user} = manifest.oauth_config.scopes;
  expect(explained.toSorted()).toEqual([...bot, ...user].toSorted());
});

test('the manifest has the command, in which Slack escapes mentions, and one address for all requests', () => {
  const {features, settings, oauth_config} = manifest;
  const [command] = features.slash_commands;
  expect(command).toMatchObject({command: names.standupCommand, should_escape: true});
  expect(command?.url).toMatch(/^https:\/\/YOUR-HOST\/slack\/events$/);
  expect(settings.interactivity).toEqual({
    is_enabled: true,
    request_url: command?.url,
    message_menu_options_url: command?.url,
  });
  expect(settings.event_subscriptions.request_url).toBe(command?.url);
  expect(oauth_config.redirect_urls).toEqual([
    'https://YOUR-HOST/slack/oauth_redirect',
    `https://YOUR-HOST${callbackPath}`,
  ]);
});

test('the manifest has the shortcuts under the names that the bot knows, and the Home tab', () => {
  const {shortcuts, app_home} = manifest.features;
  expect(Object.fromEntries(shortcuts.map(({callback_id, type}) => [callback_id, type]))).toEqual(
    kindsOfShortcuts,
  );
  expect(app_home.home_tab_enabled).toBe(true);
  // Slack's limits: 24 characters for the name of a shortcut, 150 for its description.
  for (const {name, description} of shortcuts) {
    expect([...name].length).toBeLessThanOrEqual(24);
    expect([...description].length).toBeLessThanOrEqual(150);
  }
});

test('the optional scopes are in the manifest, in the form that Slack wants', () => {
  const {bot, bot_optional: optional} = manifest.oauth_config.scopes;
  expect(optional).toEqual([...names.optionalScopes]);
  expect(bot).toEqual(expect.arrayContaining(optional));
});

test('only a sign-in to the dashboard asks for the user scopes of the manifest', () => {
  expect(manifest.oauth_config.scopes.user).toEqual([...signInScopes]);
});

test('an installation by OAuth asks for the scopes of the manifest', () => {
  expect(manifest.oauth_config.scopes.bot.toSorted()).toEqual([...names.botScopes].toSorted());
});
