import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {
  presentRefusedUpdate,
  presentSavedStandup,
  presentSavedStandups,
  presentTeamChoice,
  presentUndoneStandup,
} from '../../src/bot/slack/answers/standup-answers.js';
import {presentToday} from '../../src/bot/slack/commands/today.js';
import {buildFormContentFromUpdate} from '../../src/bot/slack/form/form-content.js';
import {presentForm, presentNote} from '../../src/bot/slack/form/form-view.js';
import {presentHome, presentHomeTrouble} from '../../src/bot/slack/home/home-view.js';
import {presentDayMessage} from '../../src/bot/slack/posting/day-message.js';
import {presentWebhookNotice} from '../../src/bot/slack/posting/notice-messages.js';
import {maxShownBlockers} from '../../src/bot/slack/blockers/standup-blockers.js';
import {presentStandup} from '../../src/bot/slack/posting/standup-messages.js';
import {slackLimits} from '../../src/bot/slack/blocks/names.js';
import {parseText} from '../../src/bot/slack/rich-text/parse-text.js';
import {type SlackTranslation, translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {type Language, languages} from '../../src/bot/texts/translation.js';
import type {StandupBlocker} from '../../src/domain/slack/standup-content.js';
import {provisionalId} from '../../src/domain/core/ids.js';
import {limits} from '../../src/domain/core/limits.js';
import type {Absence} from '../../src/domain/absences/absence.js';
import type {Standup} from '../../src/domain/standups/standup.js';
import {type Team, teamDefaults} from '../../src/domain/teams/team.js';
import {countCodePoints} from '../../src/domain/core/text.js';
import {deep} from '../support/deep.js';
import {fillForm, openStandupForm} from '../support/slack-form.js';
import {otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {findLimitViolations} from '../support/slack-limits.js';
import {asId, asSuffix} from '../support/ids.js';

/** The largest texts: in code units, in bytes, escaped, in JSON, or as one character. */
const widest: readonly (readonly [string, string])[] = [
  ['letters', 'x'],
  ['three-byte characters', '漢'],
  ['emoji', '😀'],
  ['families', '👩‍👩‍👧‍👦'],
  ['ampersands', '&'],
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['right-to-left letters', 'ש'],
  ['overrides', '\u202e'],
  ['isolates that stay open', '\u2067'],
  ['marks on one letter', '\u0301'],
  ['line breaks', 'x\n'],
];

/** A text of `piece` at the legal limit, in code points. */
function full(piece: string, max: number): string {
  const characters = [...piece];
  const [times, rest] = [Math.floor(max / characters.length), max % characters.length];
  const text = piece.repeat(times) + characters.slice(0, rest).join('');
  return text.trim() === text ? text : `x${text.slice(1, -1)}x`;
}

const stamp = {revision: 1, created_at: '2026-11-24T09:00:00.000Z', updated_at: '2026-11-24T09:00:00.000Z'};

function teamOf(piece: string, i: number): Team {
  const suffix = String(i).padStart(20, '0');
  const own = {
    object: 'team',
    slug: `t${i}`.padEnd(limits.slug, 'x'),
    name: full(piece, limits.name),
  } as const;
  const settings = {timezone: 'America/Argentina/ComodRivadavia', slack_channel_id: 'C00000000001'} as const;
  return {id: asId(`team_${suffix}`), ...teamDefaults, ...own, ...settings, ...stamp};
}

function standupOf(piece: string): Standup {
  const update = full(piece, limits.update);
  const author = {type: 'member', id: `mem_${'0'.repeat(20)}`, name: full(piece, limits.name)} as const;
  return {
    ...stamp,
    object: 'standup',
    id: `std_${'0'.repeat(20)}`,
    team: 'platform',
    team_id: `team_${'0'.repeat(20)}`,
    author,
    date: '2026-11-24',
    update,
    source: 'slack',
    metadata: {},
    answers: [],
    edited: true,
  } as unknown as Standup;
}

/** One blocker more than a message shows. */
function blockersOf(piece: string): StandupBlocker[] {
  return Array.from({length: maxShownBlockers + 1}, (_, i) => {
    const id = asId<'blocker'>(`blk_${String(i).padStart(27, '0')}`);
    return {id, text: full(piece, limits.blocker), state: 'acknowledged', by: full(piece, limits.name)};
  });
}

function absenceOf(piece: string): Absence {
  const {author} = standupOf(piece);
  return {
    ...stamp,
    id: `abs_${'0'.repeat(26)}`,
    object: 'absence',
    member: author,
    kind: 'away',
    from: '2026-11-24',
    until: '2026-12-24',
    reason: full(piece, limits.reason),
    team: null,
    team_id: null,
    created_by: author,
  } as unknown as Absence;
}

/** Every payload at its largest, for one kind of text. */
const builders: Readonly<
  Record<string, (piece: string, translation: SlackTranslation) => readonly object[]>
> = {
  'standup in a thread': (piece, translation) => presentStandup(translation, standupOf(piece)),
  'standup in the channel': (piece, translation) =>
    presentStandup(translation, standupOf(piece), {in: 'channel', date: '2026-11-24'}),
  'standup with blockers': (piece, translation) =>
    [1, 2, 9].flatMap((share) => {
      const standup = standupOf(piece);
      const update = full(piece, limits.update / share);
      return presentStandup(translation, {...standup, update, blockers: blockersOf(piece)});
    }),
  'day with the names of all': (piece, translation) => [
    presentDayMessage(translation, {
      team: 't',
      date: '2026-11-24',
      in: 1_000,
      of: 1_000,
      names: Array.from({length: 1_000}, () => full(piece, limits.name)),
    }),
  ],
  'notice of a webhook': (piece, translation) => [
    presentWebhookNotice(
      translation,
      asId('evt_1'),
      {
        id: `whk_${'0'.repeat(20)}`,
        url: `https://${'x'.repeat(60)}.${'y'.repeat(60)}.example/in`,
        description: full(piece, limits.description),
        disabled_reason: 'failing',
        disabled_at: stamp.created_at,
      },
      {dashboard: `https://standup.example.com/${'d'.repeat(100)}`},
    ),
  ],
  'answer: posted': (piece, translation) => [
    presentSavedStandup(translation, standupOf(piece), teamOf(piece, 1)),
  ],
  'answer: posted for as many teams as one may': (piece, translation) => [
    presentSavedStandups(
      translation,
      Array.from({length: limits.teamsPerSubmission}, (_, i) => ({
        standup: standupOf(piece),
        team: teamOf(piece, i),
      })),
    ),
  ],
  'answer: undone': (piece, translation) => [
    presentUndoneStandup(translation, standupOf(piece), {now: 'undone'}),
  ],
  'answer: refused': (piece, translation) => [
    presentRefusedUpdate(
      translation,
      translation.texts.withReference({sentence: full('x', 300), reference: 'x'.repeat(8)}),
      full(piece, limits.update),
    ),
  ],
  'answer: which team': (piece, translation) => {
    const teams = Array.from({length: 5}, (_, i) => teamOf(piece, i));
    const answer = presentTeamChoice(translation, teams, {
      text: full(piece, 150),
      key: 'k'.repeat(43),
      dates: new Map(teams.map(({id}) => [id, '2026-11-24'])),
    });
    return answer === undefined ? [] : [answer];
  },
  'answer: today in many teams': (piece, translation) => {
    const standup = standupOf(piece);
    const days = Array.from({length: 5}, (_, i) => ({
      team: teamOf(piece, i),
      date: '2026-11-24',
      size: 1_000,
      people: 999,
      standups: Array.from({length: 100}, () => standup),
      more: true,
      own: standup,
    }));
    return [presentToday(translation, days, 495)];
  },
  'form: new, most teams': (piece, translation) => [
    presentForm(translation, {
      state: {form: 'choose', dates: {}},
      content: {shape: 'parts', parts: {yesterday: full(piece, limits.update), today: '', blockers: ''}},
      teams: Array.from({length: limits.teamsPerWorkspace}, (_, i) => teamOf(piece, i)),
      open: [],
      also: {teams: [], chosen: []},
    }),
  ],
  'form: new, a team picked, with further ones': (piece, translation) => {
    const teams = Array.from({length: limits.teamsPerWorkspace}, (_, i) => teamOf(piece, i));
    const texts = {yesterday: full(piece, limits.update), today: '', blockers: ''};
    return [
      presentForm(translation, {
        state: {form: 'new', team: teams[1]!.id, by: 'list', dates: {}},
        team: teams[1],
        content: {shape: 'parts', parts: texts},
        teams,
        open: [],
        also: {teams: teams.slice(2), chosen: teams.slice(2, 11).map(({id}) => id)},
      }),
    ];
  },
  'form: edit, with what it says meanwhile': (piece, translation) => {
    const {update, id: standup} = standupOf(piece);
    const team = {...teamOf(piece, 1), name: full(piece, limits.name)};
    const date = '2026-11-24';
    return [
      presentForm(translation, {
        state: {form: 'edit', team: team.id, standup, revision: 9, date, asWritten: false, picks: false},
        team,
        content: buildFormContentFromUpdate(update),
        open: [],
        added: '',
        note: {sentence: translation.texts.form.changed, text: parseText(update)},
      }),
    ];
  },
  'form: a sentence': (piece, translation) => [
    presentNote(translation, full(piece, limits.update), {mode: 'new'}),
  ],
  'Home: twenty of my teams, and all others': (piece, translation) => {
    const days = Array.from({length: 20}, (_, i) => ({
      team: teamOf(piece, i),
      role: 'lead' as const,
      date: '2026-11-24',
      size: 1_000,
      people: 999,
      more: false,
      own: standupOf(piece),
    }));
    const blockers = Array.from({length: 50}, (_, i) => ({
      id: provisionalId('blocker', asSuffix<'blocker'>(`${i}`.padStart(16, '0'))),
      object: 'blocker' as const,
      team: 't'.repeat(limits.slug),
      teamName: full(piece, limits.name),
      team_id: provisionalId('team', asSuffix<'team'>('0'.repeat(16))),
      author: {type: 'member' as const, id: asId<'member'>('mem_1'), name: full(piece, limits.name)},
      text: full(piece, limits.blocker),
      state: 'acknowledged' as const,
      standup: null,
      question: null,
      acknowledged_by: null,
      acknowledged_at: null,
      resolved_by: null,
      resolved_at: null,
      revision: 1,
      created_at: '2026-11-24T09:00:00.000Z',
      updated_at: '2026-11-24T09:00:00.000Z',
    }));
    const others = Array.from({length: 480}, (_, i) => teamOf(piece, i + 20));
    return [
      presentHome(
        translation,
        {
          days,
          from: 20,
          total: 60,
          others,
          runsWorkspace: true,
          member: undefined,
          blockers,
          today: '2026-11-24',
          away: absenceOf(piece),
        },
        {
          notice: full(piece, 300),
          reminder: {
            kind: 'reminder',
            at: Date.parse('2026-11-24T09:00:00Z'),
            date: '2026-11-24',
            team: teamOf(piece, 0),
          },
        },
      ),
    ];
  },
  'Home: problems': (piece, translation) => [presentHomeTrouble(translation, full(piece, 300))],
};

interface MessageSize {
  readonly parts: number;
  readonly text: number;
  readonly blocks: number;
  readonly bytes: number;
}

function sizeOf(payloads: readonly object[]): MessageSize {
  const each = payloads.map((payload) => {
    const {text, blocks} = payload as {text?: string; blocks?: unknown[]};
    return {
      text: text?.length ?? 0,
      blocks: blocks?.length ?? 0,
      bytes: Buffer.byteLength(JSON.stringify(text === undefined ? payload : (blocks ?? []))),
    };
  });
  const most = (of: (size: (typeof each)[number]) => number) => Math.max(0, ...each.map(of));
  return {
    parts: payloads.length,
    text: most(({text}) => text),
    blocks: most(({blocks}) => blocks),
    bytes: most(({bytes}) => bytes),
  };
}

const built = new Map<string, readonly object[]>();

/** Built once: a form of most teams takes a second for all kinds of text. */
function payloadsOf(name: string, piece: string, language: Language = 'en'): readonly object[] {
  const key = `${language} ${name} ${piece}`;
  const payloads = built.get(key) ?? builders[name]!(piece, translationFor(language));
  built.set(key, payloads);
  return payloads;
}

/** Every kind of text with English sentences. Other languages differ only in lengths, so they get some. */
const beside = languages.flatMap((language) =>
  widest
    .filter(
      ([kind]) => language === 'en' || ['letters', 'three-byte characters', 'ampersands'].includes(kind),
    )
    .map(([kind, piece]) => ({language, kind, piece})),
);

describe('the largest legal texts', () => {
  test.each(Object.keys(builders))('respect the limits of Slack when shown as %s', (name) => {
    const violations = beside.flatMap(({language, kind, piece}) =>
      payloadsOf(name, piece, language).flatMap((payload) =>
        findLimitViolations(payload).map((violation) => `${kind} in ${language}: ${violation}`),
      ),
    );
    expect([...new Set(violations)]).toEqual([]);
  });

  test.each(Object.keys(builders))(
    'respect our own limit on the bytes of a message when shown as %s',
    (name) => {
      const messages = beside.flatMap(({language, piece}) =>
        payloadsOf(name, piece, language).filter((shown) => 'text' in shown),
      );
      const largest = Math.max(0, ...messages.map((message) => sizeOf([message]).bytes));
      expect(largest).toBeLessThanOrEqual(slackLimits.blockBytes);
    },
  );

  test('are not cut within a character', () => {
    for (const name of Object.keys(builders))
      for (const payload of payloadsOf(name, '😀'))
        expect(JSON.stringify(payload)).not.toMatch(/\\ud[89a-f]/);
  });

  test.each(widest)('are shown and read aloud in full in a standup of %s', (_, piece) => {
    const {update} = standupOf(piece);
    const messages = presentStandup(translationFor(), standupOf(piece));
    const seen = messages.flatMap(({blocks}) => textsOf(blocks)).join('');
    const count = (text: string) => text.split([...piece][0]!).length - 1;
    expect(count(seen)).toBeGreaterThanOrEqual(count(update));
    const heard = messages.map(({text}) => text).join('');
    const unit = piece.startsWith('&') ? '&amp;' : [...piece][0]!;
    expect(heard.split(unit).length - 1).toBeGreaterThanOrEqual(count(update));
  });
});

/** The texts of rich text, except bold and italic ones: those are names, and notes of the bot. */
function textsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (typeof node !== 'object' || node === null) return [];
  const {type, text, style} = node as {type?: string; text?: unknown; style?: unknown};
  if (type === 'text' && typeof text === 'string') return style === undefined ? [text] : [];
  return Object.values(node).flatMap(textsOf);
}

describe('a text one character longer than the limit', () => {
  let slack: SlackHarness;
  beforeAll(async () => {
    slack = await startSlack();
  });
  afterAll(async () => {
    expect(slack.slack.limitViolations).toEqual([]);
    await slack.close();
  });

  const some = ['letters', 'three-byte characters', 'ampersands', 'line breaks'];
  test.each(deep ? widest : widest.filter(([kind]) => some.includes(kind)))(
    'is refused by the command when it consists of %s, with the reason and the text, while the longest legal one is accepted',
    async (_, piece) => {
      // A letter comes first, because an invisible update is refused.
      const legal = `x${full(piece, limits.update - 1)}`;
      const posted = (await slack.command(escape(legal))).body;
      expect(posted.text).toMatch(/^✅ Posted in <#C000000001>/);
      expect((await slack.standups())[0]?.update).toBe(legal);
      const before = (await slack.standups()).length;
      const more = `${legal}x`;
      expect(countCodePoints(more)).toBe(limits.update + 1);
      const {body} = await slack.command(escape(more));
      expect(body.text).toMatch(/^Not posted\. .*The limit is 4000/);
      expect(await slack.standups()).toHaveLength(before);
    },
  );

  test('is refused by the form, with an error under the longest field', async () => {
    const view = await openStandupForm(slack, {user: {id: 'UFORM', name: 'Fay'}});
    const parts = {today: 'x'.repeat(3_000), blockers: 'y'.repeat(limits.update - 3_000)};
    const {body} = await slack.submit(fillForm(view, 'V_MORE', parts));
    expect(body.response_action).toBe('errors');
    expect(Object.values(body.errors)).toEqual([expect.stringMatching(/The limit is 4000/)]);
    // Headings and blank lines count too.
    const room = limits.update - 'Today\n\n\nBlockers\n'.length - 3_000;
    const legal = await slack.submit(fillForm(view, 'V_LEGAL', {...parts, blockers: 'y'.repeat(room)}));
    expect(legal.text).toBe('');
    expect(countCodePoints((await slack.standups())[0]?.update ?? '')).toBe(limits.update);
  });

  test('is refused while the largest legal standups are shown in full', async () => {
    await slack.work();
    expect(slack.slack.limitViolations).toEqual([]);
    const [parent] = await slack.parents();
    const texts = (await slack.replies(parent!.ts)).map(({text}) => text).join('');
    expect(texts.split('漢').length - 1).toBe(limits.update - 1);
    expect(otherChannel).not.toBe('C000000001');
  });
});

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

afterAll(() => {
  if (process.env['PRINT_LIMITS'] === undefined) return;
  const rows = Object.entries(builders).map(([name, build]) => {
    const sizes = widest.map(([kind, piece]) => ({kind, ...sizeOf(build(piece, translationFor()))}));
    const most = (of: (size: MessageSize) => number) => {
      const {kind, ...size} = sizes.reduce((best, next) => (of(next) > of(best) ? next : best));
      return of(size) === 0 ? '' : `${of(size)} (${kind})`;
    };
    const cells = [most((s) => s.parts), most((s) => s.text), most((s) => s.blocks), most((s) => s.bytes)];
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  const head =
    '| what is shown | messages or views | `text`, characters | blocks | bytes of blocks, or of the view |\n|---|---|---|---|---|\n';
  process.stdout.write(`\n${head}${rows.join('\n')}\n\n`);
});
