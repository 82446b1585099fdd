import {expect, it} from '@jest/globals';
import {findBlockerText, isEquivalentText} from '../../../src/domain/blockers/blocker.js';
import {measureCpuMs} from '../../support/stopwatch.js';

it('regression: an answer with 60,000 exclamation marks between two letters is parsed at once', async () => {
  const answer = `a${'!'.repeat(60_000)}a`;
  expect(await measureCpuMs(() => findBlockerText(answer))).toBeLessThan(300);
});

it.each(['None!', '… none', '“None.”'])('the answer %s means that there is no blocker', (answer) => {
  expect(findBlockerText(answer)).toBeUndefined();
});

it('regression: a blocker of a thousand combining marks is compared with 200 others at once', async () => {
  const text = `a${'\u0301\u0323'.repeat(499)}`;
  const compare = () => {
    for (let i = 0; i < 200; i += 1) isEquivalentText(text, `${text}${i}`);
  };
  expect(await measureCpuMs(compare)).toBeLessThan(300);
});

it('two blocker texts are equal whether their letters are composed or decomposed', () => {
  expect(isEquivalentText('Ungültig  für café', 'ungu\u0308ltig fu\u0308r cafe\u0301')).toBe(true);
});
