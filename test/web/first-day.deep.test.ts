import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Locator, Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {startSmtp, type TestSmtp} from '../support/smtp.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {type BrowserStage, openDashboard, type Tab} from './support/stage.js';

// A team of five from an empty workspace to the report of its first day: without Slack and without a shell, each
// person in a browser of their own, with mails by a real mail server.

let smtp: TestSmtp;
let stage: BrowserStage;
let owner: Person;
let tab: Tab;
const others = ['Grace Hopper', 'Alan Turing', 'Lin Chen', 'Arjun Rao'] as const;
const tabs = new Map<string, Tab>();
const clicks = new Map<string, number>();

/** A Monday; 8:30 in Berlin. */
beforeAll(async () => {
  smtp = await startSmtp();
  const env = {SMTP_URL: smtp.url, MAIL_FROM: 'Team Standup <standup@example.com>'};
  stage = await openDashboard(env, {at: '2027-04-05T06:30:00Z', host: 'localhost'});
  owner = await stage.addPerson({name: 'Owner', role: 'owner', team: 'platform', as: 'lead'});
});

afterAll(async () => {
  await stage.close();
  await smtp.close();
});

const addressOf = (name: string) => `${name.split(' ')[0]?.toLowerCase()}@example.com`;

function pressAs(name: string) {
  return async (target: Locator): Promise<void> => {
    await target.click();
    clicks.set(name, (clicks.get(name) ?? 0) + 1);
  };
}

/** Returns the address of a link in the newest mail to a person. */
async function linkInMail(to: string, path: string): Promise<string> {
  return until(
    () => {
      const mail = smtp.mails.findLast((one) => one.to === to);
      const text = mail?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
      return new RegExp(String.raw`https?://\S*${path}[^\s"<]*`).exec(text)?.[0];
    },
    {what: `a mail to ${to} has a link to ${path}`, withinMs: 20_000},
  );
}

const button = (page: Page, name: string) => page.getByRole('button', {name, exact: true});
const dialog = (page: Page) => page.getByRole('dialog');

it('the owner gets the team going in ten clicks', async () => {
  tab = await stage.signIn(owner, {path: '/t/platform', fresh: true});
  tabs.set('Ada Lovelace', tab);
  const {page} = tab;
  const press = pressAs('Ada Lovelace');
  const checklist = page.getByRole('region', {name: 'Get your team going'});
  const untilDone = (done: number) => checklist.getByText(`${done} of 8 done`).waitFor();
  await untilDone(1);
  await press(button(page, 'Name it'));
  await dialog(page).getByLabel('Name of the workspace').fill('Example');
  await page.keyboard.press('Enter');
  await untilDone(2);
  await press(button(page, 'Add your name'));
  await dialog(page).getByLabel('Your name').fill('Ada Lovelace');
  await dialog(page).getByLabel('Your email address').fill('ada@example.com');
  await look(tab, 'first-day-name');
  await page.keyboard.press('Enter');
  // Her address is a way to sign in again.
  await untilDone(4);
  await press(button(page, 'Use Berlin time'));
  await untilDone(5);
  await press(button(page, 'Invite people'));
  await dialog(page).getByLabel('E-mail addresses').fill(others.map(addressOf).join('\n'));
  await press(dialog(page).getByRole('button', {name: 'Send invites'}));
  await page.getByText('4 invites sent.').waitFor();
  await untilDone(6);
  await press(page.getByRole('link', {name: 'Choose days', exact: true}));
  const schedule = page.getByRole('region', {name: 'Schedule', exact: true});
  await press(schedule.getByRole('button', {name: 'Every workday'}));
  await press(schedule.getByRole('button', {name: 'Save'}));
  await page.getByText('Saved.').waitFor();
  await press(page.getByRole('navigation', {name: 'Main'}).first().getByRole('link', {name: 'Today'}));
  await untilDone(7);
  expect(clicks.get('Ada Lovelace')).toBeLessThanOrEqual(10);
});

it.each(others)('%s joins by the link in the mail with at most two clicks', async (name) => {
  const link = new URL(await linkInMail(addressOf(name), '/app/join'));
  const path = link.pathname + link.hash;
  const hers = await stage.open({path, timezone: 'Europe/Berlin', fresh: true});
  tabs.set(name, hers);
  const {page} = hers;
  const press = pressAs(name);
  await page.getByRole('heading', {name: 'Join Example'}).waitFor();
  await page.getByLabel('Your name').fill(name);
  await press(button(page, 'Join'));
  await look(hers, 'first-day-passkey');
  await press(button(page, 'Not now'));
  await page.getByRole('region', {name: `Welcome to platform, ${name}`}).waitFor();
});

it('everyone is reminded by mail when the standup opens, and posts from the link', async () => {
  await stage.moveTo('2027-04-05T07:00:05Z');
  for (const name of ['Ada Lovelace', ...others]) {
    const link = new URL(await linkInMail(addressOf(name), '/app/t/platform'));
    const hers = tabs.get(name);
    if (hers === undefined) throw new Error(name);
    await hers.go(link.pathname + link.search);
    const {page} = hers;
    const press = pressAs(name);
    await dialog(page).getByLabel('Today').fill(`${name}: a first update.`);
    await press(dialog(page).getByRole('button', {name: 'Post', exact: true}));
    await page.getByRole('article', {name: `Standup by ${name}`}).waitFor();
  }
  await tab.page.getByText('5 of 5').first().waitFor();
  await look(tab, 'first-day-board', {full: true});
});

it('a person who asked for it gets the report of the day by mail, once', async () => {
  const body = {reports: {daily: true}};
  await stage.workspace.request('PATCH', `/v1/members/${owner.id}`, {token: owner.token, body});
  await stage.moveTo('2027-04-05T09:00:05Z');
  const reports = () =>
    smtp.mails.filter(({raw}) => /^Subject: Platform, Mon, Apr 5: 5 of 5 posted/m.test(raw));
  await expectEventually(() => reports().map(({to}) => to)).toEqual(['ada@example.com']);
});

it('no page of the day made a request that the API document does not know', async () => {
  for (const one of tabs.values()) await expectInnocent(one);
  process.stdout.write(`clicks of the first day: ${JSON.stringify(Object.fromEntries(clicks))}\n`);
  expect(Math.max(...others.map((name) => clicks.get(name) ?? 0))).toBeLessThanOrEqual(3);
});
