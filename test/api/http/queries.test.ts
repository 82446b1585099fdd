import {expect, it} from '@jest/globals';
import fc from 'fast-check';
import {z} from 'zod';
import {standupQuerySchema} from '../../../src/api/standups/schemas.js';
import {parseQuery} from '../../../src/api/http/validate.js';

/** The parsed query, or its refusal. */
function read(schema: z.ZodType, search: string): unknown {
  try {
    return {query: parseQuery(schema, search)};
  } catch (error) {
    return {refused: (error as Error).message};
  }
}

it('a query means the same however often it is read, and whatever was read before', () => {
  const pair = fc
    .tuple(
      fc.constantFrom('limit', 'order', 'date', 'team', 'author', 'q', 'cursor', 'color', '__proto__', '%'),
      fc.constantFrom('1', '50', '999', 'asc', 'up', '2026-11-23', '2026-02-30', 'x', '%C3%BC', '%FF', ''),
    )
    .map(([name, value]) => `${name}=${value}`);
  const query = fc.array(pair, {maxLength: 3}).map((pairs) => pairs.join('&'));
  fc.assert(
    fc.property(fc.array(query, {maxLength: 150}), (queries) => {
      for (const search of [...queries, ...queries]) {
        const schema = standupQuerySchema.clone();
        expect(read(standupQuerySchema, search)).toEqual(read(schema, search));
      }
    }),
    {numRuns: 10},
  );
});

it('the same query may mean something else to another operation', () => {
  const [whole, texts] = [
    z.strictObject({limit: z.coerce.number()}),
    z.strictObject({limit: z.string().meta({description: 'As it is.'})}),
  ];
  for (let n = 0; n < 2; n += 1) {
    expect([parseQuery(whole, 'limit=5'), parseQuery(texts, 'limit=5')]).toEqual([{limit: 5}, {limit: '5'}]);
  }
});
