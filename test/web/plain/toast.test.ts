import {afterEach, describe, expect, it} from '@jest/globals';
import {dismissToast, toast, toasts} from '../../../web/parts/toast.ts';

afterEach(() => {
  for (const {id} of toasts.get()) dismissToast(id);
});

const texts = () => toasts.get().map(({text}) => text);

describe('notices', () => {
  it('at most three notices are shown, and a fourth replaces the oldest', () => {
    for (const text of ['a', 'b', 'c', 'd']) toast({text});
    expect(texts()).toEqual(['b', 'c', 'd']);
  });

  it('a notice with undo is shown for 10 s, another for 6, unless its sender sets the time', () => {
    toast({text: 'posted', undo: () => undefined});
    toast({text: 'copied'});
    toast({text: 'long', ms: 30_000});
    expect(toasts.get().map(({ms}) => ms)).toEqual([10_000, 6_000, 30_000]);
  });

  it('the sender of a notice can remove it, and listeners are notified', () => {
    const seen: number[] = [];
    const stop = toasts.listen(() => seen.push(toasts.get().length));
    const takeAway = toast({text: 'a'});
    takeAway();
    takeAway();
    stop();
    toast({text: 'b'});
    expect(seen).toEqual([1, 0]);
  });
});
