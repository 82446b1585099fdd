import {describe, expect, test} from '@jest/globals';
import {presentStandupBlockers} from '../../src/bot/slack/blockers/standup-blockers.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import type {Id} from '../../src/domain/core/ids.js';
import {asId} from '../support/ids.js';

describe('the blockers under a standup', () => {
  const {texts} = translationFor();
  const blocker = (id: Id<'blocker'>, text: string) => ({id, text, state: 'raised', by: null}) as const;

  test('regression: are not repeated if the text of the standup includes them', () => {
    const [only] = [blocker(asId('blk_1'), 'No\n access to the   lab')];
    const said = (all: readonly ReturnType<typeof blocker>[], text: string) =>
      presentStandupBlockers(texts, all, text)?.spoken.split('\n');
    expect(said([only], 'Today\nwork\n\nBlockers\nNo access to\nthe lab')).toEqual(['Blocker, raised']);
    // A blocker that was removed from the text, but is acknowledged and so remains.
    expect(said([only], 'Today\nwork')).toEqual(['Blocker, raised: No access to the lab']);
  });

  test('have just enough of their text to be distinguished', () => {
    const same = 'The review of the importer waits for ';
    const all = [
      blocker(asId('blk_1'), `${same}Ada and the others`),
      blocker(asId('blk_2'), `${same}Grace and the others`),
    ];
    const lines = presentStandupBlockers(texts, all, all.map(({text}) => text).join('\n'))?.spoken.split(
      '\n',
    );
    expect(lines?.map((line) => line.length)).toEqual([57, 57]);
    expect(new Set(lines).size).toBe(2);
    const short = [blocker(asId('blk_1'), 'No key'), blocker(asId('blk_2'), `${same}Grace`)];
    expect(presentStandupBlockers(texts, short, short.map(({text}) => text).join('\n'))?.spoken).toBe(
      'Blocker, raised: No key\nBlocker, raised: The review of the impor…',
    );
  });
});
