import {describe, expect, test} from '@jest/globals';
import {de} from '../../src/bot/texts/compiled/de.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {catalogues} from '../../src/bot/texts/compiled/index.js';
import {commandNames} from '../../src/bot/typed/vocabulary.js';
import {createTranslation, type Texts} from '../../src/bot/texts/translation.js';

type Part = string | readonly string[] | ((gaps: object) => string) | {readonly [name: string]: Part};

/** Values for gaps: a number that depends on the name of the gap alone. */
const gaps = new Proxy(
  {},
  {
    get: (_, name) => 100 + ([...String(name)].reduce((total, char) => total + char.charCodeAt(0), 0) % 899),
  },
);

/** Each text by its name, with numbers in its gaps. */
function listTexts(part: Part, at = ''): [name: string, text: string][] {
  if (typeof part === 'string') return [[at, part]];
  if (typeof part === 'function') return [[at, part(gaps)]];
  return Object.entries(part).flatMap(([name, inner]) =>
    listTexts(inner, at === '' ? name : `${at}.${name}`),
  );
}

const languages: Readonly<Record<string, Texts>> = catalogues;
const texts = (catalogue: Texts) => new Map(listTexts(catalogue as unknown as Part));
const english = texts(en);

const commands = new RegExp(`\`[^\`]+\`|/(?:invite|standup(?: (?:${commandNames.join('|')})\\b)?)`, 'g');

const gapsIn = (text = '') => [...new Set(text.match(/\d{2,}/g))].toSorted();
const codeIn = (text = '') => [...new Set(text.match(commands))].toSorted();
const sorted = (names: Iterable<string>) => [...names].toSorted();

/** Words that are the same in both languages, and texts of names and numbers only. */
const same = ['Admin', 'Blocker', 'Blockers', 'Channel', 'Region', 'Team', 'UTC'].join('|');
const sameAsEnglish = new RegExp(`^(?:(?:${same}|Standup|/invite|OK|in|name)\\W*|[\\d\\P{L}]+)+$`, 'iu');

/** In German these texts have a word for the gap, where English has the gap. */
const gapsAsWords = ['blockers.status'];

describe.each(Object.entries(languages).filter(([language]) => language !== 'en'))(
  'the texts in %s',
  (_, catalogue) => {
    const own = texts(catalogue);

    test('the texts are as many as the English ones, under the same names', () => {
      expect(sorted(own.keys())).toEqual(sorted(english.keys()));
      expect(own.size).toBeGreaterThan(600);
    });

    test('the texts are translated, except for words that both languages share', () => {
      const left = [...own].filter(([name, text]) => text === english.get(name) && !sameAsEnglish.test(text));
      expect(left).toEqual([]);
    });

    test('the texts have the same gaps for values as the English ones', () => {
      const other = [...own].filter(
        ([name, text]) =>
          !gapsAsWords.includes(name) && gapsIn(text).join(' ') !== gapsIn(english.get(name)).join(' '),
      );
      expect(other).toEqual([]);
    });

    test('the texts name the same commands, which people type in English', () => {
      const other = [...own].filter(
        ([name, text]) => codeIn(text).join(' ') !== codeIn(english.get(name)).join(' '),
      );
      expect(other).toEqual([]);
    });
  },
);

describe('the German texts', () => {
  const own = [...texts(de)];

  test('have German quotation marks and a real apostrophe', () => {
    expect(own.filter(([, text]) => /["']|“[^„]*”|”/.test(text))).toEqual([]);
    const marks = own.filter(([, text]) => text.split('„').length !== text.split('“').length);
    expect(marks).toEqual([]);
  });

  test('address people with “du”', () => {
    expect(
      own.filter(([, text]) => /\b(?:Ihnen|Ihre[mnrs]?|können Sie|haben Sie|sind Sie)\b/.test(text)),
    ).toEqual([]);
  });

  test('name the state of a blocker, and who handles it', () => {
    const {blockers} = de;
    expect(blockers.status({state: 'raised', by: null})).toBe('Blocker, offen');
    expect(blockers.status({state: 'acknowledged', by: 'Ada'})).toBe('Blocker, Ada ist dran');
    expect(blockers.status({state: 'resolved', by: 'Ada'})).toBe('Blocker, gelöst von Ada');
  });

  test('have singular and plural forms', () => {
    const {texts: catalogue} = createTranslation('de-DE');
    expect([1, 2].map((count) => catalogue.digest.missing({count}))).toEqual(['1 fehlt', '2 fehlen']);
    const closes = ([hours, minutes]: readonly [number, number]) =>
      catalogue.setup.opensHint({hours, minutes});
    expect(
      (
        [
          [1, 0],
          [2, 1],
        ] as const
      ).map(closes),
    ).toEqual([
      expect.stringMatching(/^Schließt 1 Stunde später\./),
      expect.stringMatching(/^Schließt 2 Stunden 1 Minute später\./),
    ]);
  });

  test('are shown with German names of days and months', () => {
    const {day, plainInstant} = createTranslation('de-DE');
    expect(day('2026-11-24')).toBe('Dienstag, 24. November');
    expect(day('2026-11-23', '2026-11-24')).toBe('gestern');
    expect(plainInstant(Date.UTC(2026, 10, 24, 9, 30))).toBe('Dienstag, 24. November, 09:30 UTC');
  });
});

/** Fixed texts that Slack rejects, or the bot cuts, above this length. */
const lengths: readonly (readonly [max: number, where: string, names: readonly string[]])[] = [
  [
    24,
    'the title and the buttons of a form',
    [
      ...['title', 'titleEdit', 'post', 'save', 'cancel', 'close'].map((name) => `form.${name}`),
      ...['title', 'save', 'cancel', 'close'].map((name) => `own.${name}`),
      ...['title', 'settings', 'save', 'saveChanges', 'cancel', 'close', 'addPeople'].map(
        (name) => `setup.${name}`,
      ),
      ...['title', 'delete', 'keep', 'close'].map((name) => `shown.${name}`),
      ...['title', 'earlierTitle'].map((name) => `typed.history.${name}`),
      'leads.missing',
    ],
  ],
  [
    30,
    'the buttons of a question',
    [
      'form.leaveConfirm',
      'form.leaveDeny',
      'home.leaveConfirm',
      'home.leaveDeny',
      'gone.confirm',
      'gone.keep',
      'leads.remind',
      'home.leave',
    ],
  ],
  [
    75,
    'a button or an option',
    [
      ...['edit', 'when'].map((name) => `ask.${name}`),
      ...['edit', 'undo', 'delete', 'again', 'runIt'].map((name) => `command.${name}`),
      ...['acknowledge', 'resolve', 'stillBlocked'].map((name) => `blockers.${name}`),
      ...['look', 'post', 'skip', 'snooze'].map((name) => `prompts.${name}`),
      ...['post', 'edit', 'newUpdate'].map((name) => `today.${name}`),
      ...['awayToday', 'awayUntil', 'imBack', 'post', 'edit', 'settings', 'settingsOfOne', 'earlier'].map(
        (name) => `home.${name}`,
      ),
      ...['missing', 'postMine'].map((name) => `leads.${name}`),
      ...['here', 'anywhere', 'more', 'postText'].map((name) => `setup.${name}`),
      ...['edit', 'post', 'discard', 'skip', 'openForm', 'no', 'settings'].map((name) => `typing.${name}`),
      ...['postIt', 'seeHelp', 'deleteIt', 'keep'].map((name) => `typed.${name}`),
      'own.reminded',
      'trouble.tryAgain',
      'trouble.postAgain',
      'web.open',
      'gone.remove',
    ],
  ],
];
const groupsOfOptions = ['ask.times.', 'setup.monthly.', 'setup.weekdays.', 'form.moods.'];

describe.each(Object.entries(languages))('the room in Slack for the texts in %s', (_, catalogue) => {
  const own = texts(catalogue);

  test.each(lengths)('is %i characters for %s', (max, _where, names) => {
    expect(names.filter((name) => !own.has(name))).toEqual([]);
    expect(names.filter((name) => (own.get(name) ?? '').length > max)).toEqual([]);
  });

  test('the room is 75 characters for an option of a menu', () => {
    const options = [...own].filter(([name]) => groupsOfOptions.some((group) => name.startsWith(group)));
    expect(options.length).toBeGreaterThan(20);
    expect(options.filter(([, text]) => text.length > 75)).toEqual([]);
  });

  test('the room is 40 characters beside the name of a team on a button', () => {
    const labels = [...own].filter(([name]) =>
      /\.(?:edit|undo|delete|post|remind|settings|missing|remove|leave)(?:For|Of|In|Team|From)$/.test(name),
    );
    expect(labels.length).toBeGreaterThan(8);
    expect(labels.filter(([, text]) => text.length > 40)).toEqual([]);
  });

  test('the room is 150 characters for a placeholder, and 300 for a question', () => {
    expect(own.get('home.awayUntil')?.length).toBeLessThanOrEqual(150);
    expect(own.get('prompts.snooze')?.length).toBeLessThanOrEqual(150);
    const questions = [...own].filter(([name]) =>
      /^shown\.sure|^gone\.ask|^home\.leaveText|\.remindAsk$|^form\.leaveFor/.test(name),
    );
    expect(questions.length).toBeGreaterThan(5);
    expect(questions.filter(([, text]) => text.length > 220)).toEqual([]);
  });
});
