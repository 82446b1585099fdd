import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {calculateJwkThumbprint, type JWK} from 'jose';
import {
  createSigningKey,
  type KeyStore,
  loadSigningKeys,
  type SigningKeys,
} from '../../../src/api/access/signing-keys.js';
import {AppError} from '../../../src/domain/core/errors.js';
import {until} from '../../support/until.js';
import {openTestStore, newDeadline, type TestStore} from '../../store/open-test-store.js';

let opened: TestStore;
let other: SigningKeys;
/** Runs between a read of the store and its result, in one process. */
let between: () => Promise<unknown>;
let looks: number;

const untouched = async () => undefined;
const now = () => opened.store.clock.now();

beforeEach(async () => {
  opened = await openTestStore();
  [between, looks] = [untouched, 0];
  other = await loadSigningKeys(opened.store.signingKeys, now, newDeadline());
});

afterEach(() => opened.store.close());

/** The keys as another process sees them. */
function openKeys(trustedFor: number, trustedWhenAway = 0): Promise<SigningKeys> {
  const {signingKeys} = opened.store;
  const store: KeyStore = {
    ...signingKeys,
    async list(deadline) {
      looks += 1;
      const listed = await signingKeys.list(deadline);
      await between();
      return listed;
    },
  };
  return loadSigningKeys(store, now, newDeadline(), {trustedFor, trustedWhenAway});
}

/** Makes another process replace the signing key and drop the old one. */
async function dropKey(): Promise<{dropped: string; signing: string}> {
  const {kid: dropped} = await other.current(newDeadline());
  const {kid: signing} = await other.rotate(newDeadline());
  expect(await other.drop(dropped, newDeadline())).toBe(true);
  return {dropped, signing};
}

describe('regression: a key that was dropped in another process', () => {
  it('is refused for all concurrent requests after a quiet time, not only for the first', async () => {
    const keys = await openKeys(0);
    const {dropped} = await dropKey();
    const asks = [keys.find(dropped)];
    // The second request comes during the read for the first.
    between = async () => void asks.push(keys.find(dropped));
    await asks[0];
    between = untouched;
    expect(await Promise.all(asks)).toEqual([undefined, undefined]);
    expect(looks).toBe(2);
  });

  it('is refused after a failed look-up until a later one has succeeded', async () => {
    const keys = await openKeys(0);
    const {dropped} = await dropKey();
    between = () => Promise.reject(new AppError('service_unavailable', 'The store cannot be reached.'));
    await expect(keys.find(dropped)).rejects.toMatchObject({code: 'service_unavailable'});
    between = untouched;
    expect(await keys.find(dropped)).toBeUndefined();
  });

  it('is still refused if a slow earlier look-up ends after a later one', async () => {
    const keys = await openKeys(60_000);
    const {kid} = await other.current(newDeadline());
    let goOn: (() => void) | undefined;
    between = () => new Promise<void>((resolve) => (goOn = resolve));
    const earlier = keys.list(newDeadline());
    await until(() => goOn !== undefined);
    between = untouched;
    const {dropped} = await dropKey();
    expect(dropped).toBe(kid);
    await keys.list(newDeadline());
    goOn?.();
    await earlier;
    expect((await keys.published()).map((key) => key.kid)).not.toContain(dropped);
  });
});

it('a key created a moment ago in another process is found at once by all concurrent requests', async () => {
  const keys = await openKeys(5_000);
  const {kid} = await other.rotate(newDeadline());
  const found = await Promise.all(Array.from({length: 20}, () => keys.find(kid)));
  expect(found.map((key) => key?.kid)).toEqual(Array.from({length: 20}, () => kid));
  expect(looks).toBe(2);
});

describe('while the node of the store that has the keys does not answer', () => {
  const unavailable = new AppError('service_unavailable', 'The store cannot be reached.');

  it('tokens stay valid for some time, and no later request waits for that node', async () => {
    const keys = await openKeys(0, 60_000);
    const {kid} = await other.current(newDeadline());
    between = () => Promise.reject(unavailable);
    expect((await keys.find(kid))?.kid).toBe(kid);
    between = () => new Promise(() => undefined);
    expect((await keys.find(kid))?.kid).toBe(kid);
    expect(keys.has(kid)).toBe(true);
  });

  it('a process that has not read the keys for longer refuses tokens', async () => {
    const keys = await openKeys(0, 0);
    const {kid} = await other.current(newDeadline());
    between = () => Promise.reject(unavailable);
    await expect(keys.find(kid)).rejects.toBe(unavailable);
    expect(keys.has(kid)).toBe(false);
  });

  it('a key that was dropped is refused as soon as the node answers again', async () => {
    const keys = await openKeys(0, 60_000);
    const {kid} = await other.current(newDeadline());
    between = () => Promise.reject(unavailable);
    await keys.find(kid);
    between = untouched;
    await dropKey();
    await until(async () => (await keys.find(kid)) === undefined);
    expect(keys.has(kid)).toBe(false);
  });
});

it('unknown key ids are looked up twice a second at most', async () => {
  const keys = await openKeys(5_000);
  const found = await Promise.all(Array.from({length: 200}, (_, i) => keys.find(`made up ${i}`)));
  expect(found.every((key) => key === undefined)).toBe(true);
  expect(looks).toBe(2);
});

it('regression: the id of a new key never begins with a dash, so that it works on a command line', async () => {
  const kids = await Promise.all(
    Array.from({length: 500}, async () => {
      const {d: _private, ...shown} = JSON.parse(await createSigningKey()) as JWK;
      return calculateJwkThumbprint(shown);
    }),
  );
  expect(kids.filter((kid) => kid.startsWith('-'))).toEqual([]);
});
