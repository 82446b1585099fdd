import {calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK} from 'jose';
import {AppError} from '../../domain/core/errors.js';
import {deadlines} from '../../domain/core/limits.js';

/** `EdDSA` with Ed25519 is the one algorithm; jose treats the newer name `Ed25519` as another one. */
export const algorithm = 'EdDSA';

/** A private key as the store keeps it. Instants in ms. */
interface StoredKey {
  readonly privateKey: string;
  readonly since: number;
  readonly until: number;
}

/** The store of the installation's keys, for all processes. */
export interface KeyStore {
  ensure: (create: () => Promise<string>, deadline: number) => Promise<void>;
  /** The signing key comes first. */
  list: (deadline: number) => Promise<readonly StoredKey[]>;
  rotate: (create: () => Promise<string>, deadline: number) => Promise<void>;
  drop: (since: number, deadline: number) => Promise<boolean>;
}

export interface SigningKey extends Omit<StoredKey, 'privateKey'> {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly sign: CryptoKey;
  readonly verify: CryptoKey;
  readonly jwk: JWK;
}

export interface SigningKeys {
  /**
   * The key that signs new tokens, as the store says now: a rotation takes effect at once in every process.
   */
  current: (deadline: number) => Promise<SigningKey>;
  /**
   * Undefined when there is no such key (any more). An id unknown here is looked up, twice a second at most.
   */
  find: (kid: string) => Promise<SigningKey | undefined>;
  /** True when the key is known to exist; false when the store must be read first. */
  has: (kid: string) => boolean;
  /** Every key that verifies, the signing one first; at most a second out of date while the store answers. */
  published: () => Promise<readonly SigningKey[]>;
  list: (deadline: number) => Promise<readonly SigningKey[]>;
  /** Signs with a new key from now on. Signatures of older keys stay valid until their tokens expire. */
  rotate: (deadline: number) => Promise<SigningKey>;
  /**
   * Refuses all tokens that a verify-only key has signed from now on, in other processes within
   * `trustedForMs`; false when there is no such key. Errors: `forbidden` for the key that signs.
   */
  drop: (kid: string, deadline: number) => Promise<boolean>;
}

/**
 * The least time between two reads of the store: made-up key ids cost next to nothing. Callers in between
 * wait for the next read, so that a new key is never taken for a made-up one.
 */
const readGapMs = 500;
const publishedForMs = 1_000;
/** A key that the store had this long ago is looked up again first: it may have been dropped. */
const trustedForMs = 5_000;

/**
 * A new private signing key as JWK text. Its id does not begin with a dash, which would be an option on a
 * command line.
 */
export async function createSigningKey(): Promise<string> {
  for (;;) {
    const {privateKey, publicKey} = await generateKeyPair(algorithm, {crv: 'Ed25519', extractable: true});
    const kid = await calculateJwkThumbprint(await exportJWK(publicKey));
    if (!kid.startsWith('-')) return JSON.stringify(await exportJWK(privateKey));
  }
}

/** The signing keys of the installation, made when there are none. `now` is Redis time in ms. */
export async function openSigningKeys(
  store: KeyStore,
  now: () => number,
  deadline: number,
  {trustedFor = trustedForMs} = {},
): Promise<SigningKeys> {
  const imported = new Map<string, Omit<SigningKey, 'since' | 'until'>>();
  let known: readonly SigningKey[] = [];
  /** Start of the last read, and of the read that returned `known`. */
  let lastReadAt = Number.NEGATIVE_INFINITY;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let next: Promise<unknown> | undefined;
  let underWay: Promise<unknown> | undefined;

  async function loadKeys(until: number): Promise<readonly SigningKey[]> {
    const begunAt = performance.now();
    lastReadAt = begunAt;
    const stored = await store.list(until);
    const loaded = await Promise.all(
      stored.map(async ({privateKey, ...times}) => {
        const key = imported.get(privateKey) ?? (await importKey(privateKey));
        imported.set(privateKey, key);
        return {...key, ...times};
      }),
    );
    // A read that ends after a later one would bring back keys that have been dropped.
    if (begunAt < loadedAt) return known;
    loadedAt = begunAt;
    // A store that has lost its data has no keys: the token's liveness check then decides the refusal.
    if (loaded.length > 0) known = loaded;
    return known;
  }

  /** The next read, shared by all callers that ask before it begins. */
  function readKeysShared(): Promise<unknown> {
    next ??= delay(lastReadAt + readGapMs - performance.now()).then(() => {
      next = undefined;
      underWay = loadKeys(performance.now() + deadlines.request - readGapMs).finally(() => {
        underWay = undefined;
      });
      return underWay;
    });
    return next;
  }

  function findLoadedKey(kid: string): SigningKey | undefined {
    return known.find((key) => key.kid === kid && key.until > now());
  }

  async function currentKey(until: number): Promise<SigningKey> {
    const [first] = await loadKeys(until);
    if (first === undefined) throw new Error('there is no signing key');
    return first;
  }

  await store.ensure(createSigningKey, deadline);
  await loadKeys(deadline);

  return {
    current: currentKey,
    async find(kid) {
      if (findLoadedKey(kid) === undefined) await readKeysShared();
      else if (performance.now() - loadedAt >= trustedFor) await (underWay ?? readKeysShared());
      return findLoadedKey(kid);
    },
    has: (kid) => performance.now() - loadedAt < trustedFor && findLoadedKey(kid) !== undefined,
    async published() {
      if (performance.now() - loadedAt > publishedForMs) await readKeysShared().catch(() => undefined);
      return known.filter(({until}) => until > now());
    },
    list: loadKeys,
    async rotate(until) {
      await store.rotate(createSigningKey, until);
      return currentKey(until);
    },
    async drop(kid, until) {
      const [signing, ...older] = await loadKeys(until);
      if (signing?.kid === kid)
        throw new AppError('forbidden', 'This key signs. Replace it first: standup keys rotate.');
      const found = older.find((key) => key.kid === kid);
      const dropped = found !== undefined && (await store.drop(found.since, until));
      await loadKeys(until);
      return dropped;
    },
  };
}

async function importKey(privateKey: string): Promise<Omit<SigningKey, 'since' | 'until'>> {
  const jwk = JSON.parse(privateKey) as JWK;
  const {d: _private, ...publicPart} = jwk;
  const kid = await calculateJwkThumbprint(publicPart);
  const [sign, verify] = await Promise.all([importJWK(jwk, algorithm), importJWK(publicPart, algorithm)]);
  // Only a symmetric key is imported as bytes.
  if (sign instanceof Uint8Array || verify instanceof Uint8Array) throw new Error('not a key pair');
  return {kid, sign, verify, jwk: {...publicPart, kid, alg: algorithm, use: 'sig'}};
}

function delay(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
