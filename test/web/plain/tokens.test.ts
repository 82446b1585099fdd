import {expect, it} from '@jest/globals';
import {isScope, presetOf, presets, scopes} from '../../../web/tokens/scopes.ts';
import {readTokensSearch} from '../../../web/tokens/search.ts';

it('the address of the page of tokens stores whose tokens are shown and the one that is opened', () => {
  const good = {show: 'all', token: `tok_${'0'.repeat(26)}`};
  expect(readTokensSearch(good)).toEqual(good);
  expect(readTokensSearch({show: 'mine', token: 'tok_1', more: true})).toEqual({});
});

it('a choice of scopes is a preset when it has exactly its scopes, in any order', () => {
  for (const [name, own] of Object.entries(presets)) {
    expect(presetOf(own.toReversed())).toBe(name);
    expect(presetOf(own.slice(1))).toBeUndefined();
  }
  expect(presetOf([...presets.post, 'teams:read'])).toBeUndefined();
});

it('each preset has scopes that the page offers, and a later scope is shown by its name', () => {
  for (const own of Object.values(presets)) expect(scopes).toEqual(expect.arrayContaining([...own]));
  expect([isScope('standups:read'), isScope('polls:read')]).toEqual([true, false]);
});
