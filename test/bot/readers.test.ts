import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {createSlackClients} from '../../src/bot/slack/door/clients.js';
import {createSlackAdmins} from '../../src/bot/slack/door/slack-admins.js';
import {createFollowProfile} from '../../src/bot/slack/door/follow-profile.js';
import {createReadProfile} from '../../src/bot/slack/door/read-profile.js';
import {createReaders} from '../../src/bot/slack/door/readers.js';
import {readerOf} from '../../src/bot/slack/blocks/reader.js';
import {botToken, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

const quiet = () => undefined;
const silent = {debug: quiet, info: quiet, warn: quiet, error: quiet};
const origin = {team: 'T1', orgWide: false};
const instant = Date.UTC(2026, 10, 24, 9, 30);

describe('a calendar day', () => {
  test.each([
    [undefined, 'Tuesday 24 November'],
    ['en-US', 'Tuesday, November 24'],
    ['de-AT', 'Dienstag, 24. November'],
    ['ja-JP', '11月24日火曜日'],
    ['fa-IR', 'سه‌شنبه ۲۴ نوامبر'],
    ['th-TH', 'วันอังคารที่ 24 พฤศจิกายน'],
    ['no locale at all', 'Tuesday 24 November'],
  ])('is in the words of %s', (locale, words) => {
    expect(readerOf(locale).day('2026-11-24')).toBe(words);
  });

  test('is today, yesterday or tomorrow beside the day it is told on, and has its year where it is another one', () => {
    const {day} = readerOf('en-GB');
    expect(day('2026-11-24', '2026-11-24')).toBe('today');
    expect(day('2026-11-23', '2026-11-24')).toBe('yesterday');
    expect(day('2027-01-01', '2026-12-31')).toBe('tomorrow');
    expect(day('2026-11-22', '2026-11-24')).toBe('Sunday 22 November');
    expect(day('2025-12-30', '2026-01-02')).toMatch(/^Tuesday,? 30 December 2025$/);
    expect(readerOf('de-DE').day('2026-11-23', '2026-11-24')).toBe('gestern');
  });

  test('is not moved by the zone of the machine', () => {
    const zone = process.env['TZ'];
    try {
      for (const moved of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        process.env['TZ'] = moved;
        expect(readerOf('en-AU').day('2026-11-24')).toBe('Tuesday 24 November');
      }
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });
});

describe('an instant', () => {
  test('is a token of Slack, with plain words for those who cannot show it', () => {
    const token = '<!date^1795512600^{date_short_pretty} at {time}|Tuesday 24 November, 09:30 UTC>';
    expect(readerOf().instant(instant + 999)).toBe(token);
    expect(readerOf().richInstant(instant)).toEqual({
      type: 'date',
      timestamp: 1_795_512_600,
      format: '{date_short_pretty} at {time}',
      fallback: 'Tuesday 24 November, 09:30 UTC',
    });
    expect(readerOf('de-DE').plainInstant(instant)).toBe('Dienstag, 24. November, 09:30 UTC');
  });
});

describe('the locale of a person', () => {
  test('is asked for once, later, and is English until then', async () => {
    const asked: string[] = [];
    const readers = createReaders(
      async (_, user) => {
        asked.push(user);
        return 'de-DE';
      },
      {askAfterMs: 1},
    );
    expect(readers.find(origin, 'U1').locale).toBe('en-GB');
    readers.find(origin, 'U1');
    await until(() => readers.find(origin, 'U1').locale === 'de-DE');
    expect(asked).toEqual(['U1']);
    readers.close();
  });

  test('is not asked for when a profile has told it meanwhile, and is told apart by workspace', async () => {
    const asked: string[] = [];
    const readers = createReaders(
      async (_, user) => {
        asked.push(user);
        return undefined;
      },
      {askAfterMs: 1},
    );
    readers.find(origin, 'U1');
    readers.learn(origin, 'U1', 'fr-FR');
    readers.find({...origin, team: 'T2'}, 'U2');
    await until(() => asked.length > 0);
    expect(asked).toEqual(['U2']);
    expect(readers.find(origin, 'U1').locale).toBe('fr-FR');
    expect(readers.find({...origin, team: 'T2'}, 'U1').locale).toBe('en-GB');
    readers.learn(origin, 'U1', undefined);
    expect(readers.find(origin, 'U1').locale).toBe('fr-FR');
    readers.close();
  });

  test('is not asked for after the end', async () => {
    const asked: string[] = [];
    const ask = async (_: object, user: string) => {
      asked.push(user);
      return undefined;
    };
    const ended = createReaders(ask, {askAfterMs: 1});
    ended.find(origin, 'U1');
    ended.close();
    const open = createReaders(ask, {askAfterMs: 2});
    open.find(origin, 'U2');
    await until(() => asked.length > 0);
    expect(asked).toEqual(['U2']);
    open.close();
  });
});

describe('a person who is new', () => {
  let slack: SlackHarness;
  beforeAll(async () => {
    slack = await startSlack();
  });
  afterAll(() => slack.close());
  afterEach(() => slack.slack.clear());

  test('has their profile read once, with the locale', async () => {
    await slack.command('post: my words');
    expect(slack.slack.of('users.info').map(({body}) => body)).toMatchObject([{include_locale: 'true'}]);
  });

  test('is followed in their zone by Slack’s profile until somebody chooses one; what is the same is not written', async () => {
    const {people, members} = slack.core.services;
    const user = 'U0MOVER';
    const profile = {name: 'Mover', timezone: 'Europe/Berlin'};
    const {id} = await people.ensureSlackMember(slack.operator(), user, profile);
    const clients = createSlackClients({apiUrl: `${slack.slack.url}/api/`, log: silent});
    const installations = {find: async () => ({id: 'token', botToken, workspace: slack.workspace})};
    const read = createReadProfile({
      installations,
      clients,
      followProfile: createFollowProfile({
        services: slack.core.services,
        findHome: async () => ({team: 'T000000001'}),
        slackAdmins: createSlackAdmins(false),
        log: silent,
      }),
    });
    const moveTo = async (tz: string) => {
      slack.slack.fail('users.info', {
        kind: 'replied',
        reply: {ok: true, user: {id: user, tz, locale: 'de-DE'}},
      });
      expect(await read(origin, user)).toBe('de-DE');
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
    // A form that brings back the zone that it was opened with chooses nothing.
    await choose('Asia/Tokyo');
    expect(await moveTo('Asia/Seoul')).toEqual(['Asia/Seoul', 'slack', 3]);
    await choose('America/Lima');
    expect(await moveTo('Asia/Tokyo')).toEqual(['America/Lima', 'chosen', 4]);
    await choose(null);
    expect(await moveTo('Asia/Tokyo')).toEqual(['Asia/Tokyo', 'slack', 6]);
    await read(origin, 'U0NOBODY');
    expect(await people.findSlackMember(slack.operator(), 'U0NOBODY')).toBeUndefined();
  });
});
