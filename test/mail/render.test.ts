import {describe, expect, it} from '@jest/globals';
import type {ComposedMail} from '../../src/domain/mail/mail-content.js';
import {renderMail} from '../../src/mail/render.js';
import {contents, replaceNames, samples} from './samples.js';

const invite: ComposedMail = {content: contents.invite, language: 'en', timezone: 'UTC'};
const code: ComposedMail = {content: contents.sign_in_code, language: 'en', timezone: 'UTC'};

it('the mail of an invite says who invites to which teams, until when, and has the link', () => {
  expect(renderMail(invite)).toMatchObject({
    subject: 'Ada invited you to Example on Team Standup',
    text: [
      'Hi! Ada (ada@example.com) invited you to join Platform and Sales at Example.',
      'You’ll share a short update with your team on the days it chose. It takes two minutes.',
      `Join Example:\n${contents.invite.url}`,
      'The link works until Thursday, December 3.',
      'If you weren’t expecting this, you can ignore it: nothing happens.\n',
    ].join('\n\n'),
  });
});

it('the mail with a code shows it in two halves, and its subject does not contain it', () => {
  const {subject, text} = renderMail(code);
  expect(subject).toBe('Your sign-in code for Example');
  expect(text).toMatch(/^K7QM-3XTD\n\nEnter this code to sign in to Example\. It works for 10 minutes\./);
});

it.each([
  ['join', 'Your code to join Example', 'Enter this code to join Example. It works for 10 minutes.', 'Join'],
  [
    'confirm',
    'Your code to confirm that it’s you at Example',
    'Enter this code at Example to confirm that it’s you. It works for 10 minutes.',
    'See my sessions',
  ],
] as const)('the mail with a code to %s says so', (purpose, subject, enter, act) => {
  const shown = renderMail({...code, content: {...contents.sign_in_code, purpose}});
  expect(shown.subject).toBe(subject);
  expect(shown.text).toContain(`K7QM-3XTD\n\n${enter}\n\n${act}:\n`);
});

const reminder: ComposedMail = {
  content: contents.reminder,
  language: 'en',
  timezone: 'UTC',
  stopUrl: 'https://standup.example.com/app/unsubscribe/sealed',
};
const subjectOf = (change: object) =>
  renderMail({...reminder, content: {...contents.reminder, ...change}}).subject;

it('a reminder says which teams wait until when, and leads to the form, to a snooze and to its end', () => {
  expect(renderMail(reminder)).toMatchObject({
    subject: 'Platform and Sales: your update is open until 10:00 AM',
    text: [
      'Hi Grace! What are you working on today?',
      'Your teams wait for an update:\n- Platform, until 10:00 AM\n- Sales, until 11:30 AM',
      `Write my update:\n${contents.reminder.url}`,
      `Remind me in 30 minutes, or skip today:\n${contents.reminder.laterUrl}`,
      'Still blocked?\n- No access to the staging server (Platform, since Mon, Nov 23)',
      `Say that it is solved:\n${contents.reminder.blockersUrl}`,
      'You get this because reminders reach you by email.',
      `Unsubscribe:\n${reminder.stopUrl}\n`,
    ].join('\n\n'),
  });
});

it('the subject of a reminder says why it comes', () => {
  const teams = contents.reminder.teams.slice(0, 1);
  expect(subjectOf({teams})).toBe('Platform: your update is open until 10:00 AM');
  expect(subjectOf({teams, moment: 'before_closing', minutesLeft: 15})).toBe('15 minutes left for Platform');
  expect(subjectOf({teams, moment: 'asked'})).toBe('People are waiting for your Platform update');
});

it('a daily report says in its subject how many posted, and then who did not', () => {
  const report: ComposedMail = {...reminder, content: contents.report};
  expect(renderMail(report)).toMatchObject({
    subject: 'Platform, Thu, Nov 26: 3 of 4 posted',
    text: expect.stringContaining('Missing: Lin.\nAway: Ada.\n\nSee the board:'),
  });
  const change = (content: object) => renderMail({...report, content: {...contents.report, ...content}}).text;
  expect(change({missing: [], missingCount: 2, away: []})).toMatch(/^Missing: 2 people\.\n/);
  expect(change({missing: [], missingCount: 0, away: []})).toMatch(/^Everyone has posted\.\n/);
});

it('a weekly summary has the counts of posts and blockers, the means of answers, and the open blockers', () => {
  expect(renderMail({...reminder, content: contents.week})).toMatchObject({
    subject: 'Platform: the week of Mon, Nov 23',
    text: expect.stringContaining(
      '18 of 20 updates were posted, in 5 standups.\n\nAnswers\n- How was it?: 3.8 on average from 12 answers, 0.3 lower than the week before.\n\nBlockers: 2 raised, 1 resolved.\nTime to resolve (median): 5 hours\n\nStill open:\n- Lin: No access to the staging server\n',
    ),
  });
  const without = {...contents.week, trends: {questions: [], hours: null}};
  expect(renderMail({...reminder, content: without}).text).not.toMatch(/Answers|Time to resolve/);
});

it('a notice about a passkey or an address says what happened when, and what to do', () => {
  const show = (content: ComposedMail['content']) =>
    renderMail({content, language: 'en', timezone: 'Europe/Berlin'}).text;
  expect(show(contents.passkey_added)).toMatch(
    /^The passkey “Chrome on macOS” was added to your account at Example on Thursday, November 26, at 2:02\sPM\. You can sign in with it\.\n\nNot you\? Remove it, sign out everywhere, and tell an owner of Example\./,
  );
  expect(show({...contents.passkey_added, passkey: null})).toMatch(/^A passkey was added to your account/);
  expect(show(contents.address_changed)).toMatch(
    /^Your email address was changed to g…@example\.com in your account at Example on Thursday/,
  );
  expect(show({...contents.address_changed, address: null})).toMatch(
    /^Your email address was removed from your account at Example on Thursday/,
  );
});

it('a notice about an invite or a webhook says what happened, and how such notices end', () => {
  const joined: ComposedMail = {...reminder, content: contents.joined};
  expect(renderMail(joined)).toMatchObject({
    subject: 'Grace joined Platform',
    text: [
      'Grace accepted your invite and joined Platform.',
      `See Grace:\n${contents.joined.url}`,
      'You get this because you invited this person.',
      `Unsubscribe:\n${reminder.stopUrl}\n`,
    ].join('\n\n'),
  });
  const inNoTeam = {...contents.joined, teams: []};
  expect(renderMail({...joined, content: inNoTeam}).subject).toBe('Grace joined Example');
  const disabled = {disabledAt: '2026-11-29T02:00:00.000Z', forFailing: true};
  expect(renderMail({...reminder, content: {...contents.webhook, state: disabled}})).toMatchObject({
    subject: 'The webhook Tickets (hooks.example.com) was disabled',
    text: expect.stringMatching(/: no attempt succeeded for five days\.\n\nWhen its receiver works/),
  });
  expect(renderMail({...reminder, content: contents.webhook}).text).toMatch(
    /has failed since Tuesday, November 24, 2:00\sAM\. If no attempt succeeds, we’ll disable it on Sunday/,
  );
});

it('a mail that a member can end has the headers to unsubscribe, only with an address of https', () => {
  const {stopUrl = ''} = reminder;
  expect(renderMail(reminder).headers).toEqual({
    'List-Unsubscribe': `<${stopUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  expect(renderMail({...reminder, stopUrl: stopUrl.replace('https:', 'http:')}).headers).toEqual({});
  expect(renderMail({...invite, stopUrl: undefined}).headers).toEqual({});
});

it('a mail is in the language of the person, and in English if that language has no texts', () => {
  const inLanguage = (language: string) => renderMail({...invite, language});
  expect(inLanguage('de').text).toContain('Der Link gilt bis Donnerstag, 3. Dezember.');
  expect(inLanguage('de-AT').html).toContain('<html lang="de-AT"');
  expect(inLanguage('fr')).toEqual(renderMail(invite));
  expect(renderMail({...invite, timezone: 'Asia/Tokyo'}).text).toContain('until Friday, December 4.');
});

it.each(['Ada.evil.example', 'ada@evil.example', 'evil/x', 'https:x', 'evil．example', 'evil。example'])(
  'a mail to a person who is no member leaves out the name %s, which may become a link',
  (name) => {
    const {subject, text, html} = renderMail(replaceNames(invite, name));
    expect(subject).toBe('Someone invited you to Team Standup');
    expect(text).toMatch(/^Hi! Someone invited you to join Team Standup\.\n/);
    expect(html).not.toContain(name);
    expect(renderMail(replaceNames(code, name)).subject).toBe('Your sign-in code');
    const byStranger = {...contents.invite, maker: {name, email: 'ada@example.com'}};
    expect(renderMail({...invite, content: byStranger}).text).toMatch(/^Hi! Someone at Example invited you/);
  },
);

describe.each(samples.map((mail) => [mail.content.kind, mail.language, mail] as const))(
  'the mail %s in %s',
  (_kind, _language, mail) => {
    it('shows hostile names as text on one line', () => {
      const hostile = '</style><img src=x onerror=alert(1)>"\'&\r\nBcc: all\u202e\u2066';
      const {subject, html} = renderMail(replaceNames(mail, hostile));
      expect(subject).not.toMatch(/[\r\n\u202e\u2066]/);
      expect(html).not.toMatch(/<(img|\/style|script)/);
      expect(html.match(/<h1/g)).toHaveLength(1);
    });

    it('cuts long names to 80 characters', () => {
      const {subject, text} = renderMail(replaceNames(mail, '😀'.repeat(200)));
      for (const shown of `${subject}\n${text}`.match(/(?:😀)+/gu) ?? [])
        expect(Array.from(shown)).toHaveLength(79);
    });
  },
);
