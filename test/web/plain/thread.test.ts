import {describe, expect, it} from '@jest/globals';
import {changeOwnEmoji, readTypedEmoji} from '../../../web/parts/thread/reactions.ts';

const of = (emoji: string, mine: boolean, ...by: string[]) => ({emoji, count: by.length, mine, by});

describe('a press on a reaction', () => {
  it('a press adds the viewer, and a second one takes them out, with the emoji if they were the only one', () => {
    const theirs = [of('👍', false, 'Grace')];
    const both = changeOwnEmoji(theirs, '👍', true, 'Ada');
    expect(both).toEqual([of('👍', true, 'Grace', 'Ada')]);
    expect(changeOwnEmoji(both, '👍', false, 'Ada')).toEqual(theirs);
    const own = changeOwnEmoji(theirs, '🎉', true, 'Ada');
    expect(own).toEqual([...theirs, of('🎉', true, 'Ada')]);
    expect(changeOwnEmoji(own, '🎉', false, 'Ada')).toEqual(theirs);
  });

  it('a press that changes nothing leaves the reactions as they are', () => {
    const reactions = [of('👍', true, 'Ada')];
    expect(changeOwnEmoji(reactions, '👍', true, 'Ada')).toBe(reactions);
    expect(changeOwnEmoji(reactions, '👀', false, 'Ada')).toBe(reactions);
  });

  it('a press takes out one of two people with the same name', () => {
    const same = [of('👍', true, 'Ada', 'Ada')];
    expect(changeOwnEmoji(same, '👍', false, 'Ada')).toEqual([of('👍', false, 'Ada')]);
  });
});

it('a typed emoji is the first one of the text, or a name between colons', () => {
  expect(readTypedEmoji(' 👩🏾‍💻 ')).toBe('👩🏾‍💻');
  expect(readTypedEmoji('🎉🎉')).toBe('🎉');
  expect(readTypedEmoji('❤')).toBe('❤️');
  expect(readTypedEmoji(':party_parrot:')).toBe(':party_parrot:');
  for (const wrong of ['', '  ', 'a', '1', ':', ':Not Me:', '<b>'])
    expect(readTypedEmoji(wrong)).toBeUndefined();
});
