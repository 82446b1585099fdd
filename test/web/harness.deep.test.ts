import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look, states} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let tab: Tab;

beforeAll(async () => {
  stage = await openDashboard();
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform'});
});

afterEach(() => tab.close());

afterAll(() => stage.close());

/** The error message of a check that fails; `nothing` for one that passes. */
const complaint = (checking: Promise<void>): Promise<string> =>
  checking.then(
    () => 'nothing',
    (error: unknown) => String(error),
  );

it('a correct page passes the harness’s check, and has the clock and the language of the session', async () => {
  tab = await stage.signIn(ada, {clockAt: '2026-11-20T09:30:00Z', language: 'x-long'});
  await expectEventually(() => tab.page.evaluate('new Date().toISOString().slice(0, 16)')).toBe(
    '2026-11-20T09:30',
  );
  await expectEventually(() => tab.page.evaluate('document.dir')).toBe('rtl');
  await look(tab, 'harness');
  await expectInnocent(tab);
});

it('the harness reports a page that requests anything but assets, dashboard routes and API operations, or requests them wrongly', async () => {
  tab = await stage.signIn(ada);
  const headers = {authorization: `Bearer ${ada.token}`};
  const asked: [string, object][] = [
    ['/v1/secrets', {}],
    ['/v1/me', {}],
    ['/app/session/token', {method: 'POST', headers}],
    ['/v1/teams?colour=red', {headers}],
    ['https://example.com/', {}],
  ];
  for (const [address, init] of asked) {
    const call = JSON.stringify([address, init]);
    await tab.page.evaluate(`fetch(...${call}).then((answer) => answer.text(), () => undefined)`);
  }
  await until(() => tab.misdeeds.violations.length > 0);
  const found = await complaint(expectInnocent(tab));
  expect(found).toContain('GET /v1/secrets (404): is no asset, no door route and no documented operation');
  expect(found).toContain('GET /v1/me (401): carries no Bearer token');
  expect(found).toContain('POST /app/session/token (403): carries a token, and is no operation');
  expect(found).toContain('GET /v1/teams?colour=red (400): the parameter colour is not documented');
  expect(found).toContain('connect-src: https://example.com/');
});

it('the harness accepts a page that requests an object after deleting it', async () => {
  tab = await stage.signIn(ada);
  const team = {name: 'Short-lived', slug: 'short-lived'};
  const headers = {authorization: `Bearer ${ada.token}`, 'content-type': 'application/json'};
  const asked: [string, object][] = [
    ['/v1/teams', {method: 'POST', headers, body: JSON.stringify(team)}],
    ['/v1/teams/short-lived?force=true', {method: 'DELETE', headers}],
    ['/v1/teams/short-lived', {headers}],
    ['/v1/members?team=short-lived&limit=100', {headers}],
  ];
  for (const [address, init] of asked) {
    const call = JSON.stringify([address, init]);
    await tab.page.evaluate(`fetch(...${call}).then((answer) => answer.text())`);
  }
  await expectInnocent(tab);
});

it('the harness reports a page that fails, logs an error, or inserts a script', async () => {
  tab = await stage.signIn(ada);
  const scripts = [
    "document.body.append(Object.assign(document.createElement('script'), {src: '/x.js'}))",
    "console.error('oh')",
    "setTimeout(() => { throw new Error('oops'); })",
  ];
  for (const script of scripts) await tab.page.evaluate(script).catch(() => undefined);
  await until(() => tab.misdeeds.errors.some((text) => text.includes('oops')));
  const found = await complaint(expectInnocent(tab));
  expect(found).toContain('require-trusted-types-for: trusted-types-sink');
  expect(found).toContain('"oh"');
});

it('the visual check reports errors found by axe, sideways scrolling, and overlapping bars', async () => {
  tab = await stage.signIn(ada);
  const text = (style: string) =>
    `main.append(Object.assign(document.createElement('p'), {textContent: 'A text', style: '${style}'}));`;
  await tab.page.evaluate(`{
    const main = document.querySelector('main');
    main.append(document.createElement('button'));
    ${text('color: lightgrey; background: white')}
    ${text('inline-size: 1300px')}
    ${text('position: fixed; inset-block-end: 0').repeat(2)}
  }`);
  const found = await complaint(look(tab, 'harness-flawed'));
  for (const {name, colorScheme} of states) {
    // Rules that do not depend on colours are checked in the light theme only.
    if (colorScheme === 'light') expect(found).toContain(`${name}: button-name`);
    expect(found).toContain(`${name}: color-contrast`);
    expect(found).toContain(`${name}: scrolls sideways`);
    expect(found).toMatch(new RegExp(`${name}: p.*lie on each other`));
  }
});

it('the visual check reports an error in one theme only, or at one width only', async () => {
  tab = await stage.signIn(ada);
  const rules = [
    '@media (prefers-color-scheme: dark) { .flawed { color: dimgrey; background: black; } }',
    '@media (max-width: 400px) { .flawed { inline-size: 500px; } }',
  ];
  await tab.page.evaluate(`{
    const text = Object.assign(document.createElement('p'), {textContent: 'A text', className: 'flawed'});
    document.querySelector('main').append(text);
    for (const rule of ${JSON.stringify(rules)}) document.styleSheets[0].insertRule(rule);
  }`);
  const found = await complaint(look(tab, 'harness-flawed-once'));
  const foundIn = (what: string) => found.match(new RegExp(`\\w+-\\d+(?=: ${what})`, 'g')) ?? [];
  const those = (fits: (state: (typeof states)[number]) => boolean) =>
    states.filter(fits).map(({name}) => name);
  expect({
    contrast: foundIn('color-contrast'),
    width: foundIn('scrolls sideways'),
  }).toEqual({
    contrast: those(({colorScheme}) => colorScheme === 'dark'),
    width: those(({width}) => width === 360),
  });
});
