import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {createSlackClients} from '../../src/bot/slack/core/clients.js';
import {createSlackAdmins, createNewcomers} from '../../src/bot/slack/core/newcomers.js';
import {
  createMemberProfileUpdater,
  createProfileReader,
  createProfileChecks,
} from '../../src/bot/slack/core/follow-profile.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {createTranslation, type Texts} from '../../src/bot/texts/translation.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {botToken, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

const quiet = () => undefined;
const silent = {debug: quiet, info: quiet, warn: quiet, error: quiet};
const origin = {team: 'T1', orgWide: false};
const instant = Date.UTC(2026, 10, 24, 9, 30);

describe('a calendar day', () => {
  test.each(['en-GB', 'en-US', 'ja-JP', 'fa-IR', 'no locale at all'])(
    'regression: is in the language of the texts for %s, which are English',
    (locale) => {
      const {day, plainInstant} = createTranslation(locale);
      expect(day('2026-11-24')).toBe('Tuesday 24 November');
      expect(day('2026-11-23', '2026-11-24')).toBe('yesterday');
      expect(plainInstant(instant)).toBe('Tuesday 24 November, 09:30 UTC');
    },
  );

  test('is in another language if the texts are in that language', () => {
    const catalogues = new Map<string, Texts>([['de', {...en}]]);
    expect(createTranslation('de-AT', catalogues).day('2026-11-24')).toBe('Dienstag, 24. November');
  });

  test('shows today, yesterday or tomorrow relative to its viewing day, and the year when that differs', () => {
    const {day} = translationFor();
    expect(day('2026-11-24', '2026-11-24')).toBe('today');
    expect(day('2026-11-23', '2026-11-24')).toBe('yesterday');
    expect(day('2027-01-01', '2026-12-31')).toBe('tomorrow');
    expect(day('2026-11-22', '2026-11-24')).toBe('Sunday 22 November');
    expect(day('2025-12-30', '2026-01-02')).toMatch(/^Tuesday,? 30 December 2025$/);
  });

  test('is not changed by the time zone of the machine', () => {
    const zone = process.env['TZ'];
    try {
      for (const moved of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        process.env['TZ'] = moved;
        expect(createTranslation('en-GB').day('2026-11-24')).toBe('Tuesday 24 November');
      }
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });
});

describe('an instant', () => {
  test('regression: is a Slack date token without a weekday, with plain text for clients that cannot show it', () => {
    const token = '<!date^1795512600^{date_num} at {time}|Tuesday 24 November, 09:30 UTC>';
    expect(translationFor().instant(instant + 999)).toBe(token);
    expect(translationFor().richInstant(instant)).toEqual({
      type: 'date',
      timestamp: 1_795_512_600,
      format: '{date_num} at {time}',
      fallback: 'Tuesday 24 November, 09:30 UTC',
    });
  });
});

describe('the profile of a person who uses the bot', () => {
  const recorded = () => {
    const asked: string[] = [];
    const lookAt = async (_: object, user: string) => {
      asked.push(user);
      return true;
    };
    return {asked, lookAt};
  };

  test('is read once, and only after the answer to the person', async () => {
    const {asked, lookAt} = recorded();
    const looks = createProfileChecks(lookAt, {askAfterMs: 1});
    looks.note(origin, 'U1');
    looks.note(origin, 'U1');
    expect(asked).toEqual([]);
    await until(() => asked.length > 0);
    looks.note(origin, 'U1');
    looks.note(origin, 'U2');
    await until(() => asked.includes('U2'));
    expect(asked).toEqual(['U1', 'U2']);
    looks.close();
  });

  test('is not read if Slack has sent it in the meantime, and is distinguished by workspace', async () => {
    const {asked, lookAt} = recorded();
    const looks = createProfileChecks(lookAt, {askAfterMs: 1});
    looks.note(origin, 'U1');
    looks.seen(origin, 'U1');
    looks.note({...origin, team: 'T2'}, 'U1');
    await until(() => asked.length > 0);
    expect(asked).toEqual(['U1']);
    looks.close();
  });

  test('is not read after the checks of profiles have been closed', async () => {
    const {asked, lookAt} = recorded();
    const ended = createProfileChecks(lookAt, {askAfterMs: 1});
    ended.note(origin, 'U1');
    ended.close();
    const open = createProfileChecks(lookAt, {askAfterMs: 2});
    open.note(origin, 'U2');
    await until(() => asked.length > 0);
    expect(asked).toEqual(['U2']);
    open.close();
  });
});

describe('a new person', () => {
  let slack: SlackHarness;
  beforeAll(async () => {
    slack = await startSlack();
  });
  afterAll(() => slack.close());
  afterEach(() => slack.slack.clear());

  test('has their profile read once', async () => {
    await slack.command('post: my words');
    expect(slack.slack.of('users.info')).toHaveLength(1);
  });

  test('sees days in the language of their Slack, at first and later', async () => {
    const user = {id: 'U0GERMAN', name: 'Greta'};
    const reply = {ok: true, user: {id: user.id, team_id: 'T000000001', locale: 'de-DE'}};
    slack.slack.failAlways('users.info', {kind: 'replied', reply});
    const say = async () => (await slack.command('ooo next week', {user})).body.text as string;
    const first = await say();
    expect(first).toMatch(/ bis Sonntag, \d/);
    expect(await say()).toBe(first);
  });

  test('has the time zone of their Slack profile until they choose one, and no unchanged value is written', async () => {
    const {people, members} = slack.core.services;
    const user = 'U0MOVER';
    const profile = {name: 'Mover', timezone: 'Europe/Berlin'};
    const here = {team: 'T000000001', orgWide: false};
    const {id} = await people.ensureSlackMember(slack.operator(), user, profile);
    const clients = createSlackClients({apiUrl: `${slack.slack.url}/api/`, log: silent});
    const installations = {find: async () => ({id: 'token', botToken, workspace: slack.workspace})};
    const read = createProfileReader({
      installations,
      clients,
      followProfile: createMemberProfileUpdater({
        services: slack.core.services,
        newcomers: createNewcomers({slackAdmins: createSlackAdmins(false)}),
        log: silent,
      }),
    });
    const moveTo = async (tz: string) => {
      slack.slack.fail('users.info', {
        kind: 'replied',
        reply: {ok: true, user: {id: user, team_id: 'T000000001', tz}},
      });
      expect(await read(here, user)).toBe(true);
      const {timezone, timezone_source, revision} = await members.findMember(slack.operator(), id);
      return [timezone, timezone_source, revision];
    };
    const choose = (timezone: string | null) =>
      members.changeMember({...slack.operator(), principal: {type: 'member', id, name: 'Mover'}}, id, {
        timezone,
      });
    expect(await moveTo('Europe/Berlin')).toEqual(['Europe/Berlin', 'slack', 1]);
    expect(await moveTo('Asia/Tokyo')).toEqual(['Asia/Tokyo', 'slack', 2]);
    expect(await moveTo('Mars/Olympus')).toEqual(['Asia/Tokyo', 'slack', 2]);
    // A submitted form with an unchanged zone chooses nothing.
    await choose('Asia/Tokyo');
    expect(await moveTo('Asia/Seoul')).toEqual(['Asia/Seoul', 'slack', 3]);
    await choose('America/Lima');
    expect(await moveTo('Asia/Tokyo')).toEqual(['America/Lima', 'chosen', 4]);
    await choose(null);
    expect(await moveTo('Asia/Tokyo')).toEqual(['Asia/Tokyo', 'slack', 6]);
    await read(here, 'U0NOBODY');
    expect(await people.findSlackMember(slack.operator(), 'U0NOBODY')).toBeUndefined();
  });
});
