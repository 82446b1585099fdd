import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {suffixOf} from '../../src/domain/core/ids.js';
import type {Mail} from '../../src/domain/mail/mail.js';
import {mailRecipient} from '../../src/domain/prompts/prompt.js';
import {createMailLinks} from '../../src/service/mail/mail-links.js';
import {asId} from '../support/ids.js';
import {createTestContext} from '../support/service-context.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {type BrowserStage, openDashboard} from './support/stage.js';

const email = 'grace@example.com';
const date = '2026-11-24';

let stage: BrowserStage;
let links: ReturnType<typeof createMailLinks>;
let mail: Mail;
let member: string;

beforeAll(async () => {
  const settings = {SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'standup@example.com'};
  stage = await openDashboard({...settings, ROLES: 'web'}, {at: `${date}T09:00:00Z`});
  const {workspace, service} = stage;
  member = (await stage.addPerson({name: 'Grace Hopper', email, team: 'platform'})).id;
  const run = (await workspace.request('POST', '/v1/teams/platform/runs', {body: {minutes: 120}})).body;
  const {commits} = service.core.store;
  const prompt = {
    do: 'prompt',
    member: asId<'member'>(member),
    user: mailRecipient,
    date,
    team: workspace.team,
    run: asId<'run'>(run.id),
    closesAt: Date.parse(run.closes_at),
    moment: 'opening',
    notBefore: 0,
  } as const;
  const commit = {guards: [], writes: [prompt], events: [], reply: {kind: 'empty'}} as const;
  await commits.run({workspace: workspace.id, deadline: performance.now() + 5_000}, commit);
  links = createMailLinks(createTestContext(service.core, {publicUrl: ''}));
  mail = {member: suffixOf(asId<'member'>(member)), to: email} as Mail;
});

afterAll(() => stage.close());

it('a person skips their day by the link of a reminder, without signing in', async () => {
  const rights = {date, until: Date.parse(`${date}T11:00:00Z`)};
  const tab = await stage.open({path: links.createReminderUrl(stage.workspace.id, mail, rights)});
  const {page} = tab;
  await page.getByText('Platform waits for your update.').waitFor();
  expect(page.url()).not.toContain('#');
  await look(tab, 'reminder-link');
  await page.getByRole('button', {name: 'Remind me in 30 minutes'}).click();
  await page.getByText(/^We’ll remind you at /).waitFor();
  await page.getByRole('button', {name: 'Skip today'}).click();
  await page.getByText(/^You skip the standup of Tuesday/).waitFor();
  await expectInnocent(tab, {refusals: [401]});
  await tab.close();
});

it('a person who is signed in snoozes and skips by the link as themselves', async () => {
  const link = links.createReminderUrl(stage.workspace.id, mail, {
    date,
    until: Date.parse(`${date}T11:00:00Z`),
  });
  const {body} = await stage.workspace.request('GET', `/v1/absences?member=${member}`);
  for (const {id} of body.data) await stage.workspace.request('DELETE', `/v1/absences/${id}`);
  const tab = await stage.signIn({id: asId<'member'>(member)}, {path: link});
  const {page} = tab;
  // The snooze of the first test holds still.
  await page.getByText(/^We’ll remind you at /).waitFor();
  await page.getByRole('button', {name: 'Skip today'}).click();
  await page.getByText(/^You skip the standup of Tuesday/).waitFor();
  expect(tab.requests.map(({operation}) => operation)).toContain('createAbsence');
  await expectInnocent(tab);
  await tab.close();
});

it('a person ends reminders by mail with the link at their end, without signing in', async () => {
  const tab = await stage.open({path: links.createUnsubscribeUrl(stage.workspace.id, mail, 'reminders')});
  const {page} = tab;
  await page.getByText('Reminders come by email to g…@example.com.').waitFor();
  await look(tab, 'unsubscribe');
  await page.getByRole('button', {name: 'Unsubscribe'}).click();
  await page.getByText('Reminders no longer come by email to g…@example.com.').waitFor();
  const {body} = await stage.workspace.request('GET', `/v1/members/${member}`);
  expect(body.reminders.channels).toEqual(['slack']);
  await expectInnocent(tab, {refusals: [401]});
  await tab.close();
});

it('a link that is not known says so', async () => {
  const tab = await stage.open({path: '/app/reminder#unknown'});
  await tab.page.getByText('We don’t know this link, or it no longer works.').waitFor();
  await tab.close();
});

it('a person chooses the channels of reminders and the reports in their own settings', async () => {
  const tab = await stage.signIn({id: asId<'member'>(member)}, {path: '/people/me?tab=settings'});
  const {page} = tab;
  await page.getByLabel('How to remind me').selectOption('By email, or in Slack');
  await page.getByText('The report of each day').click();
  await look(tab, 'own-settings-mail');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await page.getByText('Settings saved.').waitFor();
  const {body} = await stage.workspace.request('GET', `/v1/members/${member}`);
  expect(body).toMatchObject({
    reminders: {enabled: true, channels: ['mail', 'slack']},
    reports: {daily: true, weekly: false, notices: true},
  });
  await expectInnocent(tab);
  await tab.close();
});
