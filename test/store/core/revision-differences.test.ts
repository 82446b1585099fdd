import {expect, it} from '@jest/globals';
import fc from 'fast-check';
import {renderDraft, renderResource} from '../../../src/domain/core/resource.js';
import {applyDifference, findDifference, isDifference} from '../../../src/store/core/revision-differences.js';
import {anyCharacter} from '../../support/any-character.js';
import {asId} from '../../support/ids.js';

const text = fc.string({unit: anyCharacter, maxLength: 12});
/** Texts with lengths around the block size of the comparison. */
const padding = fc.integer({min: 0, max: 1_100}).map((length) => 'x'.repeat(length));
const drafts = fc.record({front: padding, text, list: fc.array(text, {maxLength: 5}), back: padding});

const stampOf = (revision: number, updated_at: string) => ({
  id: asId('run_01hzy000000000000000000000'),
  revision,
  created_at: '2026-11-22T10:00:00.000Z',
  updated_at,
});

it('each revision can be rebuilt from the next one and the stored difference, byte by byte', () => {
  fc.assert(
    fc.property(drafts, drafts, (draft, next) => {
      const updatedAt = '2026-11-22T10:00:01.000Z';
      const kept = findDifference(renderDraft(draft), renderDraft(next), updatedAt);
      expect(isDifference(kept)).toBe(true);
      expect(Buffer.from(kept).toString()).toBe(kept);
      const after = renderResource(next, stampOf(8, '2026-11-22T10:00:02.000Z'));
      expect(applyDifference(kept, after)).toBe(renderResource(draft, stampOf(7, updatedAt)));
    }),
    {numRuns: 2_000},
  );
});

it('a stored difference contains no common part of two revisions, and no half of a character', () => {
  const updatedAt = '2026-11-22T10:00:01.000Z';
  const difference = (draft: object, next: object) =>
    findDifference(renderDraft(draft), renderDraft(next), updatedAt);
  expect(difference({a: 'left 😀 right'}, {a: 'left 😁 right'}).split(' ').at(-1)).toBe('😀');
  expect(difference({a: 'left right'}, {a: 'left and right'}).split(' ').at(-1)).toBe('');
});
