import {expect, it} from '@jest/globals';
import {blockerText} from '../../../src/domain/blockers/blocker.js';
import {workedMs} from '../../support/stopwatch.js';

it('regression: an answer with 60,000 marks between two letters is read at once', async () => {
  const answer = `a${'!'.repeat(60_000)}a`;
  expect(await workedMs(() => blockerText(answer))).toBeLessThan(300);
});

it.each(['None!', '… none', '“None.”'])('%s says that there is no blocker', (answer) => {
  expect(blockerText(answer)).toBeUndefined();
});
