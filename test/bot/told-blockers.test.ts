import {describe, expect, test} from '@jest/globals';
import {presentToldBlockers} from '../../src/bot/slack/blockers/told-blockers.js';
import {readerOf} from '../../src/bot/slack/blocks/reader.js';
import type {Id} from '../../src/domain/core/ids.js';
import {asId} from '../support/ids.js';

describe('the blockers under a standup', () => {
  const {words} = readerOf();
  const blocker = (id: Id<'blocker'>, text: string) => ({id, text, state: 'raised', by: null}) as const;

  test('regression: are not repeated where its text includes them', () => {
    const [only] = [blocker(asId('blk_1'), 'No\n access to the   lab')];
    const said = (all: readonly ReturnType<typeof blocker>[], text: string) =>
      presentToldBlockers(words, all, text)?.spoken.split('\n');
    expect(said([only], 'Today\nwork\n\nBlockers\nNo access to\nthe lab')).toEqual(['Blocker, raised']);
    // One that was taken out of the text, but stays since somebody looks after it.
    expect(said([only], 'Today\nwork')).toEqual(['Blocker, raised: No access to the lab']);
  });

  test('have just enough of their text to be distinguished', () => {
    const same = 'The review of the importer waits for ';
    const all = [
      blocker(asId('blk_1'), `${same}Ada and the others`),
      blocker(asId('blk_2'), `${same}Grace and the others`),
    ];
    const told = presentToldBlockers(words, all, all.map(({text}) => text).join('\n'))?.spoken.split('\n');
    expect(told?.map((line) => line.length)).toEqual([57, 57]);
    expect(new Set(told).size).toBe(2);
    const short = [blocker(asId('blk_1'), 'No key'), blocker(asId('blk_2'), `${same}Grace`)];
    expect(presentToldBlockers(words, short, short.map(({text}) => text).join('\n'))?.spoken).toBe(
      'Blocker, raised: No key\nBlocker, raised: The review of the impor…',
    );
  });
});
