import {expect, it} from '@jest/globals';
import {choosePathAfterSignIn} from '../../../web/parts/sign-in-ways.ts';

it.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/a\\b',
  '/\t/evil.example',
  '/sign-in',
  'javascript:alert(1)',
  '',
  undefined,
])('a sign-in leads only to a page of the dashboard: to=%s', (to) => {
  expect(choosePathAfterSignIn(to)).toBe('/');
});

it.each([
  '/./sign-in',
  '/t/../sign-in',
  '/%2e/sign-in',
  '/.//sign-in',
  '/%73ign-in?to=/',
  '/Sign-In#link',
  '/t/%ff/../../sign-in',
])('regression: a sign-in does not lead back to itself: to=%s', (to) => {
  expect(choosePathAfterSignIn(to)).toBe('/');
});

it.each(['/history?author=me', '/t/platform/settings'])('a sign-in leads back to the page %s', (to) => {
  expect(choosePathAfterSignIn(to)).toBe(to);
});
