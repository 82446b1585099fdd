import {expect, it} from '@jest/globals';
import {findAwayEmoji, formatStatusLook, parseStatusLook} from '../../../src/domain/slack/away-status.js';

const [now, hour] = [1_000_000, 3_600_000];
const run = {now, closesAt: now + 4 * hour};
const counting = [':palm_tree:', ':wave:'];

it.each([
  ['without an end', undefined, ':palm_tree:'],
  ['that ends after the run', now + 9 * hour, ':palm_tree:'],
  ['that covers more than a quarter of what is left of the run', now + hour + 1, ':palm_tree:'],
  ['that covers a quarter of what is left of the run', now + hour, ''],
  ['that is over', now - hour, ''],
])('a status %s counts as being away only if it covers enough', (_, endsAt, found) => {
  expect(findAwayEmoji({emoji: ':palm_tree:', endsAt}, counting, run)).toBe(found);
});

it.each([
  [':wave::skin-tone-3:', ':wave:'],
  [':car:', ''],
  ['', ''],
  ['palm_tree', ''],
  [':palm_tree::wave:', ''],
])('the emoji %j of a status counts as %j where the workspace lists a palm and a hand', (emoji, found) => {
  expect(findAwayEmoji({emoji, endsAt: undefined}, counting, run)).toBe(found);
});

it('a look at a status is read as it was stored, and a damaged one as none', () => {
  for (const look of [
    {at: 5, emoji: ':palm_tree:', made: true},
    {at: 6, emoji: '', made: false},
  ])
    expect(parseStatusLook(formatStatusLook(look))).toEqual(look);
  expect(parseStatusLook('half')).toBeUndefined();
});
