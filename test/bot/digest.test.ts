import {afterAll, describe, expect, test} from '@jest/globals';
import {hasMetadata} from '../../src/bot/showing/metadata.js';
import type {DigestContent, DigestStandup} from '../../src/domain/runs/run-content.js';
import {mostParts, presentDigest} from '../../src/bot/slack/digest/present-digest.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {slackLimits} from '../../src/bot/slack/blocks/names.js';
import {limits} from '../../src/domain/core/limits.js';
import type {ReportBlocker, ReportLine, RunReport} from '../../src/domain/runs/run-report.js';
import type {RunStatus} from '../../src/domain/runs/run.js';
import {deep} from '../support/deep.js';
import {findShownText} from '../support/slack-inert.js';
import {findLimitViolations} from '../support/slack-limits.js';
import {asId} from '../support/ids.js';

const translation = translationFor();

const person = (name: string) => ({type: 'member', id: asId(`mem_${name}`), name}) as const;

function line(name: string, status: RunStatus, more: Partial<ReportLine> = {}): ReportLine {
  const own = {revision: 1, otherwise: null, absence: null, reason: null, until: null, standups: []};
  return {member: person(name), status, ...own, ...more};
}

const standupOf = (id: string) => ({id: asId<'standup'>(id), revision: 1, late: false});

function blocker(name: string, text: string, more: Partial<ReportBlocker> = {}): ReportBlocker {
  const created_at = '2026-11-23T09:30:00.000Z';
  return {
    id: asId(`blk_${name}`),
    revision: 1,
    author: person(name),
    text,
    state: 'raised',
    created_at,
    ...more,
  };
}

function contentOf(
  lines: readonly ReportLine[],
  given: Partial<DigestContent> & {
    blockers?: readonly ReportBlocker[];
    texts?: Readonly<Record<string, string>>;
    links?: Readonly<Record<string, string>>;
  } = {},
): DigestContent {
  const {blockers = [], texts = {}, links = {}, ...more} = given;
  const of = (...statuses: RunStatus[]) => lines.filter(({status}) => statuses.includes(status)).length;
  const expected = of('posted', 'late', 'missed', 'unreachable');
  const counts = {
    expected,
    posted: of('posted'),
    late: of('late'),
    missed: of('missed'),
    away: of('away'),
    holiday: of('holiday'),
    skipped: of('skipped'),
    unreachable: of('unreachable'),
    participation: expected === 0 ? null : of('posted', 'late') / expected,
  };
  const report: RunReport = {lines, counts, blockers};
  const ids = [...Object.keys(texts), ...Object.keys(links)];
  const standups = new Map<string, DigestStandup>(
    ids.map((id) => [id, {text: texts[id] ?? null, permalink: links[id] ?? null}]),
  );
  return {
    team: 't',
    date: '2026-11-24',
    report,
    namesMissing: false,
    awayEmoji: new Map(),
    standups,
    ...more,
  };
}

const team = [
  line('Ada', 'posted', {standups: [standupOf('std_1'), standupOf('std_2')]}),
  line('Grace', 'late', {standups: [standupOf('std_3')]}),
  line('Alan', 'missed'),
  line('Mary', 'away', {reason: 'Parental leave', until: '2026-12-04'}),
  line('Edsger', 'holiday', {reason: 'Thanksgiving', until: null}),
  line('Barbara', 'skipped'),
  line('Linus', 'unreachable'),
];

const buttons = () => [
  {
    type: 'actions' as const,
    elements: [
      {
        type: 'button' as const,
        action_id: 'x',
        value: 'v',
        text: {type: 'plain_text' as const, text: 'Resolve'},
      },
    ],
  },
];

/** All text elements and links of the blocks. */
function seen(blocks: unknown): string {
  if (Array.isArray(blocks)) return blocks.map(seen).join('');
  if (typeof blocks !== 'object' || blocks === null) return '';
  const {type, text, url, elements, fallback} = blocks as Record<string, unknown>;
  if (type === 'text') return String(text);
  if (type === 'date') return String(fallback);
  if (type === 'link') return `[${String(text)}](${String(url)})`;
  return seen(elements);
}

describe('a digest', () => {
  test('regression: shows the last day of an absence only if that is after the day of the digest', () => {
    const [message] = presentDigest(
      translation,
      contentOf([
        line('Mary', 'away', {reason: 'Ill', until: '2026-11-25'}),
        line('Linus', 'skipped', {reason: 'Dentist', until: '2026-11-24'}),
      ]),
    );
    expect(message!.text).toContain('• Mary: Ill (until Wed 25 Nov)');
    expect(message!.text).toMatch(/• Linus: Dentist$/m);
  });

  test('lists blockers first, then who has posted, is late, off or not reached, and counts who is missing', () => {
    const links = {std_1: 'https://x.slack.com/p1', std_2: 'https://x.slack.com/p2'};
    const blockers = [blocker('Ada', 'CI is red'), blocker('Alan', 'No access', {state: 'acknowledged'})];
    const [message, ...more] = presentDigest(translation, contentOf(team, {links, blockers}), buttons);
    expect(more).toEqual([]);
    expect(message!.text.replaceAll(/<!date[^|]*\|([^>]*)>/g, '$1')).toBe(
      [
        'Report · Tue 24 Nov · 2 of 4 posted',
        'Participation 50 % · 2 blockers · 1 late · 1 missing',
        '',
        '2 blockers',
        '• Ada, since Monday 23 November, 09:30 UTC, open: CI is red',
        '• Alan, since Monday 23 November, 09:30 UTC, acknowledged: No access',
        '',
        '1 posted',
        '• Ada',
        '',
        '1 late',
        '• Grace',
        '',
        '1 away',
        '• Mary: Parental leave (until Fri 4 Dec)',
        '',
        '1 on holiday',
        '• Edsger: Thanksgiving',
        '',
        '1 skipped',
        '• Barbara',
        '',
        '1 not reachable',
        '• Linus',
        '',
        '1 missing',
      ].join('\n'),
    );
    expect(message!.blocks!.map(({type}) => type)).toEqual([
      'rich_text',
      'actions',
      'rich_text',
      'actions',
      'rich_text',
    ]);
    expect(seen(message!.blocks)).toContain(
      '• Ada · [standup](https://x.slack.com/p1) · [standup 2](https://x.slack.com/p2)',
    );
    expect(hasMetadata(message!.metadata, 'digest', {team: 't', date: '2026-11-24', part: 1})).toBe(true);
    expect(hasMetadata(message!.metadata, 'digest', {team: 't', date: '2026-11-24', part: 2})).toBe(false);
  });

  test('names missing members where the team wants it', () => {
    const [counted] = presentDigest(translation, contentOf(team));
    const [named] = presentDigest(translation, contentOf(team, {namesMissing: true}));
    expect(JSON.stringify(counted)).not.toContain('Alan');
    expect(named!.text).toMatch(/1 missing\n• Alan$/);
    expect(seen(named!.blocks)).toMatch(/1 missing\n• Alan$/);
  });

  test('has the texts of only those standups that have no message of their own', () => {
    const texts = {std_1: 'built it', std_2: 'and more', std_3: 'fixed it'};
    const links = {std_2: 'https://slack.com/p2'};
    const [some] = presentDigest(translation, contentOf(team, {texts: {std_1: 'built it'}, links}));
    expect(some!.text).toContain('• Ada: built it\n\n1 late\n• Grace\n');
    expect(JSON.stringify(some!.blocks)).toContain('https://slack.com/p2');
    const [message] = presentDigest(translation, contentOf(team, {texts}));
    expect(message!.text).toContain('• Ada: built it\n\nand more\n');
    expect(seen(message!.blocks)).toContain('• Grace\nfixed it');
  });

  test('says in one line that no member was expected', () => {
    expect(presentDigest(translation, contentOf([])).map(({text}) => text)).toEqual(['Report · Tue 24 Nov']);
  });

  test('numbers its messages when there are several, and says which heading continues', () => {
    const lines = Array.from({length: 12}, (_, i) =>
      line(`Person ${i}`, 'posted', {standups: [standupOf(`std_${i}`)]}),
    );
    const texts = Object.fromEntries(lines.map((_, i) => [`std_${i}`, `${i}: ${'some words '.repeat(90)}`]));
    const messages = presentDigest(translation, contentOf(lines, {texts}));
    expect(messages.map(({text}) => text.split('\n')[0])).toEqual(
      messages.map((_, i) => `Report · Tue 24 Nov · 12 of 12 posted (part ${i + 1} of ${messages.length})`),
    );
    expect(messages.length).toBeGreaterThan(2);
    expect(messages[1]!.text).toContain('12 posted (continued)');
    expect(messages[0]!.text).not.toContain('Too long for Slack');
    const whole = messages.map(({blocks}) => seen(blocks)).join('');
    for (const text of Object.values(texts)) expect(whole).toContain(text.trim());
  });

  test.each(['<!channel>', '<@U123>', '<https://evil.example|click>', '@here', '*bold* `code`'])(
    'shows %s as plain text wherever it appears',
    (markup) => {
      const lines = [
        line(`Ada ${markup} MARK`, 'posted', {standups: [standupOf('std_1')]}),
        line('Mary', 'away', {reason: `${markup} MARK`, until: '2026-12-04'}),
      ];
      const given = {texts: {std_1: `${markup} MARK`}, blockers: [blocker('B', `${markup} MARK`)]};
      for (const texts of [{}, given.texts])
        for (const message of presentDigest(translation, contentOf(lines, {...given, texts}), () => [])) {
          const showing = findShownText(message, 'MARK', {host: 'slack.com', channels: /^$/});
          expect(showing.violations).toEqual([]);
          expect(new Set(showing.blocks.map((block) => block.split(':')[0]))).toEqual(
            new Set(['rich_text text']),
          );
        }
    },
  );
});

/** The largest texts: in code units, in bytes, escaped, in JSON, or as one character. */
const widest = {
  letters: 'x',
  'three-byte characters': '漢',
  families: '👩‍👩‍👧‍👦',
  ampersands: '&',
  overrides: '\u202e',
} as const;

/** A text of `piece` at the legal limit, in code points. */
function full(piece: string, max: number): string {
  const characters = [...piece];
  const [times, rest] = [Math.floor(max / characters.length), max % characters.length];
  const text = piece.repeat(times) + characters.slice(0, rest).join('');
  return text.trim() === text ? text : `x${text.slice(1, -1)}x`;
}

const people = 500;

/**
 * A team of 500 at its largest: all have posted the longest text, half of them late; or all are off; or no
 * member has posted.
 */
function largest(piece: string, shape: 'all in' | 'all off' | 'all missing'): DigestContent {
  const update = full(piece, limits.update);
  const statuses = {
    'all in': ['posted', 'late'],
    'all off': ['away', 'holiday', 'skipped'],
    'all missing': ['missed', 'unreachable'],
  } as const;
  const of = statuses[shape];
  const lines = Array.from({length: people}, (_, i) =>
    line(full(piece, limits.name), of[i % of.length]!, {
      ...(shape === 'all off' && {reason: full(piece, limits.reason), until: '2026-12-31'}),
      standups: shape === 'all in' ? [standupOf(`std_${i}`)] : [],
    }),
  );
  const blockers = Array.from({length: limits.openBlockersPerTeam}, (_, i) =>
    blocker(full(piece, limits.name), full(piece, limits.blocker), {id: asId(`blk_${i}`)}),
  );
  const texts = shape === 'all in' ? Object.fromEntries(lines.map((_, i) => [`std_${i}`, update])) : {};
  return contentOf(lines, {texts, blockers, namesMissing: true});
}

interface DigestSize {
  readonly messages: number;
  readonly text: number;
  readonly blocks: number;
  readonly bytes: number;
}

const sizes: [string, DigestSize][] = [];

describe(`the digest of a team of ${people} with ${limits.openBlockersPerTeam} blockers`, () => {
  const all = Object.entries(widest).flatMap(([kind, piece]) =>
    (['all in', 'all off', 'all missing'] as const).map((shape) => [kind, shape, piece] as const),
  );
  const some = all.filter((_, i) => [0, 4, 6, 11, 13].includes(i));
  test.each(deep ? all : some)(
    'respects the limits of Slack when its texts are %s and its members %s',
    (kind, shape, piece) => {
      const messages = presentDigest(translation, largest(piece, shape), buttons);
      expect([...new Set(messages.flatMap(findLimitViolations))]).toEqual([]);
      expect(messages.length).toBeLessThanOrEqual(mostParts);
      const most = (of: (message: (typeof messages)[number]) => number) => Math.max(...messages.map(of));
      const size = {
        messages: messages.length,
        text: most(({text}) => text.length),
        blocks: most(({blocks = []}) => blocks.length),
        bytes: most(({blocks}) => Buffer.byteLength(JSON.stringify(blocks))),
      };
      sizes.push([`${shape}, ${kind}`, size]);
      expect(size.bytes).toBeLessThanOrEqual(slackLimits.blockBytes);
      const [first, ...rest] = messages;
      expect(first!.text).toMatch(
        /Too long for Slack: \d+ texts? (is|are) shortened, [\d,]+ lines? (is|are) left out/,
      );
      expect(rest.every(({text}) => !text.includes('Too long'))).toBe(true);
      expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]/);
      // The digest counts the members and sections that it does not show.
      const whole = messages.map(({text}) => text).join('\n');
      expect(whole).toContain('200 blockers');
      expect(whole).toContain(
        {'all in': '250 posted', 'all off': '167 away', 'all missing': '250 missing'}[shape],
      );
    },
  );

  test('a digest of a team of 500 with short updates has every update', () => {
    const lines = Array.from({length: people}, (_, i) =>
      line(`Person ${i}`, 'posted', {standups: [standupOf(`std_${i}`)]}),
    );
    const texts = Object.fromEntries(lines.map((_, i) => [`std_${i}`, `Update ${i}: ${'x'.repeat(80)}`]));
    const messages = presentDigest(translation, contentOf(lines, {texts}));
    const whole = messages.map(({blocks}) => seen(blocks)).join('');
    expect(Object.values(texts).filter((text) => !whole.includes(text))).toEqual([]);
    expect(messages.flatMap(findLimitViolations)).toEqual([]);
    expect(messages[0]!.text).not.toContain('Too long');
  });
});

afterAll(() => {
  if (process.env['PRINT_DIGEST'] === undefined) return;
  const rows = sizes.map(
    ([name, {messages, text, blocks, bytes}]) => `| ${name} | ${messages} | ${text} | ${blocks} | ${bytes} |`,
  );
  const head = `| ${people} people, 200 blockers | messages | text, characters | blocks | bytes of blocks |\n|---|---|---|---|---|\n`;
  process.stdout.write(`\n${head}${rows.join('\n')}\n\n`);
});
