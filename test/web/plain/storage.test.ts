import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {
  removeItem,
  hasTabFlag,
  storeItem,
  listItemKeys,
  setTabFlag,
  readItem,
} from '../../../web/api/storage.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

const refused = () => {
  throw new DOMException('Access is denied for this document.', 'SecurityError');
};

let browser: FakeBrowser;

beforeAll(() => {
  browser = createFakeBrowser();
});
afterAll(() => browser.close());

it.each(['blocked', 'full'])('a value lasts as long as the page where storage is %s', (why) => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  if (why === 'blocked')
    Object.defineProperty(globalThis, 'localStorage', {get: refused, configurable: true});
  else browser.storage.setItem = refused;
  expect(storeItem('standup:keys', 'off')).toBe(false);
  expect(readItem('standup:keys')).toBe('off');
  expect(listItemKeys('standup:')).toEqual(['standup:keys']);
  removeItem('standup:keys');
  expect(readItem('standup:keys')).toBeNull();
  // There is no `sessionStorage` in this test.
  setTabFlag('standup:mark', true);
  expect(hasTabFlag('standup:mark')).toBe(false);
  Object.defineProperty(globalThis, 'localStorage', before ?? {});
});
