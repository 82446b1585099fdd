import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, test} from '@jest/globals';
import {en} from '../../src/bot/texts/compiled/en.js';
import {createCounts} from '../../src/domain/core/counts.js';
import {createTranslation, findCatalogue, type Texts} from '../../src/bot/texts/translation.js';
import {findSentences} from '../support/find-sentences.js';

const polish = createCounts('pl');

/** An incomplete language that shows what another one may do differently. */
const tiny: Texts = {
  ...en,
  cutNote: '… (za długie)',
  form: {
    ...en.form,
    // Another order of the gaps, and three plural forms where English has two.
    tooLong: ({length, max}) => {
      const forms = {one: 'znak', few: 'znaki', other: 'znaków'};
      return `Najwyżej ${max}; to ma ${length} ${polish.plural(Number(length), forms)}.`;
    },
  },
  refusal: {...en.refusal, tooLong: 'Tekst jest za długi.'},
};

describe('another language', () => {
  const catalogues = new Map([
    ['en', en],
    ['pl', tiny],
    ['pl-AT', {...tiny, cutNote: '…'}],
  ]);

  test.each([
    ['pl-AT', '…'],
    ['pl-PL', '… (za długie)'],
    ['pl', '… (za długie)'],
    ['de-AT', en.cutNote],
    ['', en.cutNote],
  ])('is chosen for %s if it is the nearest that exists; otherwise English is chosen', (locale, cutNote) => {
    expect(findCatalogue(locale, catalogues).cutNote).toBe(cutNote);
  });

  test('has plural forms of its own, and its own word order', () => {
    const {texts} = createTranslation('pl-PL', catalogues);
    expect([1, 3, 5, 22].map((length) => texts.form.tooLong({length, max: 9}))).toEqual([
      'Najwyżej 9; to ma 1 znak.',
      'Najwyżej 9; to ma 3 znaki.',
      'Najwyżej 9; to ma 5 znaków.',
      'Najwyżej 9; to ma 22 znaki.',
    ]);
  });

  test('isolates the direction of a name, wherever it is inserted', () => {
    const {texts} = createTranslation('en-GB');
    expect(texts.form.forTeam({team: 'צוות'})).toBe('For \u2068צוות\u2069');
    expect(texts.form.forTeam({team: 'Platform'})).toBe('For Platform');
  });
});

describe('a sentence of the bot', () => {
  // Excluded: slack/socket/ writes only to the log, and zones.ts has names of cities.
  const files = readdirSync('src/bot', {recursive: true, encoding: 'utf8'}).filter(
    (file) => file.endsWith('.ts') && !/^(?:texts|slack\/socket)\/|^slack\/blocks\/zones/.test(file),
  );

  /** Strings that no person reads and that are no lines of the log, with the reason. */
  const exceptions: ReadonlySet<string> = new Set([
    // Parts of lines of the log.
    'showing/failures.ts: is given up for',
    'showing/failures.ts: is not shown yet in',
    'showing/failures.ts: may be there or not: there is no way to check',
    'showing/policies.ts: the message of a day',
    'showing/policies.ts: a summary of a week',
    'showing/policies.ts: a posted report',
    // The text by which an error of the SDK is recognised.
    'slack/posting/channel-calls.ts: Retry header',
    // The reason for Bolt to refuse an installation; the person sees a page of the catalogue.
    'slack/installation/install-routes.ts: this state is not known, or has been used',
    // An attribute of a cookie.
    'slack/installation/install-routes.ts: ; SameSite=Lax',
    // The name of a span.
    'slack/slack-jobs.ts: slack ',
    // The prefix by which a repeated command is recognised.
    'slack/away/away.ts: ooo ',
    'slack/away/away.ts: skip ',
    // Words that people type after a command.
    'typed/parse-command.ts: this week',
  ]);

  test('is in the catalogue and nowhere else', () => {
    const found = files.flatMap((file) =>
      findSentences(readFileSync(`src/bot/${file}`, 'utf8')).map((sentence) => `${file}: ${sentence}`),
    );
    expect(found.filter((sentence) => !exceptions.has(sentence))).toEqual([]);
    expect(found.filter((sentence) => exceptions.has(sentence)).toSorted()).toEqual(
      [...exceptions].toSorted(),
    );
    expect(files.length).toBeGreaterThan(20);
  });

  test.each([
    ['a sentence in an answer', `answer(privately('Your update is lost'))`],
    ['a word beside a gap', 'const told = `${count} in`;'],
    ['a sentence around a gap', 'const told = `Posted for ${team.name}: thank you`;'],
    ['the label of a button', `const button = {type: 'button', text: {type: 'plain_text', text: 'Post'}};`],
    ['a refusal', `throw new AppError('not_found', 'There is nothing here.');`],
    ['a sentence chosen by a condition', `const text = late ? 'You are late' : undefined;`],
    ['a sentence in a type assertion', `const text = 'You are late' as const;`],
  ])('is found outside the catalogue: %s', (_, source) => {
    expect(findSentences(source)).toHaveLength(1);
  });

  test.each([
    ['a line of the log', `parts.log.warn({id}, gone ? 'a standup is gone' : 'a standup is late');`],
    ['an error that only the log sees', `throw new Error('chat.postMessage answered without a ts');`],
    ['a type', `type Mode = 'two words' | 'three more words';`],
    ['a name for Slack', `const named = {action_id: 'open-form', type: 'plain_text', style: 'primary'};`],
    ['what joins pieces', 'const line = `${name}: ${text}, ${more} · ${last}`;'],
  ])('is distinguished from %s', (_, source) => {
    expect(findSentences(source)).toEqual([]);
  });
});
