import {describe, expect, it} from '@jest/globals';
import {createNameSearch} from '../../../src/domain/core/name-search.js';

describe('a search for names', () => {
  it.each([
    ['ada', 'Ada Lovelace'],
    ['LOVE', 'Ada Lovelace'],
    ['lov ad', 'Ada Lovelace'],
    ['unsal', 'Søren Ünsal'],
    ['soren ünsal', 'Søren Ünsal'],
    ['grosse', 'Team Größe'],
    ['istanbul', 'İSTANBUL ırmak'],
    ['irmak', 'İSTANBUL ırmak'],
    ['o’brien', "Conan O'Brien"],
    ['tools', 'platform-tools'],
    ['ada@ex', 'ada@example.com'],
    ['例', '例え チーム'],
    ['🚀', '🚀 Rocket'],
  ])('finds by %j: %j', (typed, name) => {
    expect(createNameSearch(typed)([name])).toBe(true);
  });
});

describe('a search for names by part of a word or by symbols', () => {
  it.each([
    ['da', 'Ada Lovelace'],
    ['ada king', 'Ada Lovelace'],
    ['adalove', 'Ada Lovelace'],
    ['-', 'platform-tools'],
    ['.*', 'Anybody'],
  ])('does not find by %j: %j', (typed, name) => {
    expect(createNameSearch(typed)([name])).toBe(false);
  });
});

it('a search can match words from several names of one thing', () => {
  const isFound = createNameSearch('ada acme');
  expect(isFound(['Ada Lovelace', 'al@acme.example'])).toBe(true);
  expect(isFound(['Ada Lovelace', ''])).toBe(false);
});
