import {expect, it} from '@jest/globals';
import fc from 'fast-check';
import {type ListName, lists, positionOf} from '../../../src/domain/core/lists.js';
import {asId} from '../../support/ids.js';
import {suffixOf} from '../../../src/domain/core/ids.js';

/** Days up to 2089-09-18. Positions of later days would need more than 53 bits. */
const days = fc.integer({min: 0, max: 2 ** 15 - 1});
const sequences = fc.integer({min: 0, max: 2 ** 38 - 1});

it('positions in a list are ordered by day and then by sequence, and are exact as scores in Redis', () => {
  fc.assert(
    fc.property(days, days, sequences, sequences, (dayA, dayB, a, b) => {
      const [first, second] = [positionOf(dayA, a), positionOf(dayB, b)];
      expect(Number.isSafeInteger(first)).toBe(true);
      expect(first < second).toBe(dayA < dayB || (dayA === dayB && a < b));
    }),
  );
});

it('each kind of list has its own name', () => {
  const id = asId('team_01h455vb4pex5vsknk084sn02q');
  const names: ListName[] = [
    lists.teams(),
    lists.webhooks(),
    lists.members(),
    lists.accessTokens(),
    lists.accessTokensOf(id),
    lists.standups(),
    lists.standupsOfTeam(id),
    lists.deliveriesOf(suffixOf(id)),
  ];
  expect(new Set(names).size).toBe(names.length);
});
