import {expect, it} from '@jest/globals';
import {choosePathAfterSignIn} from '../../../web/parts/sign-in-ways.ts';

it('a sign-in link opens the page that it names, for example the settings of a team', () => {
  expect(choosePathAfterSignIn('/t/platform/settings')).toBe('/t/platform/settings');
  expect(choosePathAfterSignIn(undefined)).toBe('/');
});

it.each(['//evil.example', '/\\\\evil.example', 'https://evil.example', '/sign-in?to=/', '/a\nb'])(
  'a sign-in link never leads to %j',
  (to) => {
    expect(choosePathAfterSignIn(to)).toBe('/');
  },
);
