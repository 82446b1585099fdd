import {expect, it} from '@jest/globals';
import {isScope, findPreset, presets, scopes} from '../../../web/tokens/scopes.ts';
import {readTokensSearch} from '../../../web/tokens/search.ts';

it('the address of the tokens page stores whose tokens are shown and which token is open', () => {
  const good = {show: 'all', token: `tok_${'0'.repeat(26)}`};
  expect(readTokensSearch(good)).toEqual(good);
  expect(readTokensSearch({show: 'mine', token: 'tok_1', more: true})).toEqual({});
});

it('a choice of scopes counts as a preset when it has exactly the preset’s scopes, in any order', () => {
  for (const [name, own] of Object.entries(presets)) {
    expect(findPreset(own.toReversed())).toBe(name);
    expect(findPreset(own.slice(1))).toBeUndefined();
  }
  expect(findPreset([...presets.post, 'teams:read'])).toBeUndefined();
});

it('each preset has only scopes that the page offers, and a scope added later is shown by its name', () => {
  for (const own of Object.values(presets)) expect(scopes).toEqual(expect.arrayContaining([...own]));
  expect([isScope('standups:read'), isScope('polls:read')]).toEqual([true, false]);
});
