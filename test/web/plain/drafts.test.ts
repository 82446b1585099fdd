import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {setDraftOwner, dropAllDrafts, dropDraft, saveDraft, readDraft} from '../../../web/api/drafts.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

const day = 24 * 3_600_000;

let browser: FakeBrowser;

beforeAll(() => {
  browser = createFakeBrowser();
});
afterAll(() => browser.close());
beforeEach(() => {
  browser.storage.clear();
  setDraftOwner('mem_ada');
});

/** Makes a stored draft older by `ms`. */
function age(draftKey: string, ms: number): void {
  const key = `standup:draft:mem_ada:${draftKey}`;
  const kept = JSON.parse(browser.storage.getItem(key) ?? '') as {at: number};
  browser.storage.setItem(key, JSON.stringify({...kept, at: kept.at - ms}));
}

describe('drafts', () => {
  it('a draft has everything that was typed until it is dropped', () => {
    expect(saveDraft('write:platform', {update: 'half a\nsentence'})).toBe(true);
    expect(readDraft('write:platform')).toEqual({update: 'half a\nsentence'});
    dropDraft('write:platform');
    expect(readDraft('write:platform')).toBeUndefined();
  });

  it('a draft belongs to its writer: another member of this browser does not see it', () => {
    saveDraft('write:platform', 'mine');
    setDraftOwner('mem_grace');
    expect(readDraft('write:platform')).toBeUndefined();
    setDraftOwner('mem_ada');
    expect(readDraft('write:platform')).toBe('mine');
  });

  it('no draft is read or stored before the signed-in member is known', () => {
    saveDraft('write:platform', 'mine');
    setDraftOwner(undefined);
    expect(readDraft('write:platform')).toBeUndefined();
    expect(saveDraft('write:platform', 'whose?')).toBe(false);
    expect(browser.storage.length).toBe(1);
  });

  it('the browser stores at most 20 drafts, and removes the oldest, never the one that is typed', () => {
    for (let index = 0; index < 20; index++) {
      saveDraft(`place-${index}`, index);
      age(`place-${index}`, (20 - index) * 1_000);
    }
    saveDraft('place-20', 20);
    expect(browser.storage.length).toBe(20);
    expect(readDraft('place-0')).toBeUndefined();
    expect(readDraft('place-1')).toBe(1);
    expect(readDraft('place-20')).toBe(20);
  });

  it('a draft is removed after 30 days', () => {
    saveDraft('old', 'words');
    age('old', 30 * day - 60_000);
    expect(readDraft('old')).toBe('words');
    age('old', 120_000);
    expect(readDraft('old')).toBeUndefined();
    saveDraft('new', 'words');
    expect(browser.storage.length).toBe(1);
  });

  it('signing out removes every draft, and nothing else', () => {
    saveDraft('write:platform', 'mine');
    setDraftOwner('mem_grace');
    saveDraft('write:platform', 'hers');
    browser.storage.setItem('standup:theme', 'dark');
    dropAllDrafts();
    expect(browser.storage.length).toBe(1);
  });

  it('a draft that is too long, or that the browser refuses, is reported as not stored, without an error', () => {
    expect(saveDraft('long', 'x'.repeat(100_001))).toBe(false);
    const {setItem} = browser.storage;
    browser.storage.setItem = () => {
      throw new Error('QuotaExceededError');
    };
    expect(saveDraft('short', 'x')).toBe(false);
    browser.storage.setItem = setItem;
  });

  it('another value in the browser’s storage is not read as a draft', () => {
    browser.storage.setItem('standup:draft:mem_ada:odd', 'not JSON');
    expect(readDraft('odd')).toBeUndefined();
    browser.storage.setItem('standup:draft:mem_ada:odd', '{"at":"never"}');
    expect(readDraft('odd')).toBeUndefined();
  });
});
