import {calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK} from 'jose';
import {AppError} from '../../domain/core/errors.js';
import {deadlines} from '../../domain/core/limits.js';

/** The only signature algorithm: `EdDSA` with Ed25519. For jose, the name `Ed25519` is another algorithm. */
export const algorithm = 'EdDSA';

/** A private key, as it is stored. Instants are in ms. */
interface StoredKey {
  readonly privateKey: string;
  readonly since: number;
  readonly until: number;
}

/** Stores the signing keys of the installation, for all its processes. */
export interface KeyStore {
  ensure: (create: () => Promise<string>, deadline: number) => Promise<void>;
  /** Returns all stored keys. The first one signs new tokens. */
  list: (deadline: number) => Promise<readonly StoredKey[]>;
  rotate: (create: () => Promise<string>, deadline: number) => Promise<void>;
  drop: (since: number, deadline: number) => Promise<boolean>;
}

export interface SigningKey extends Omit<StoredKey, 'privateKey'> {
  /** The key's id: its RFC 7638 thumbprint. */
  readonly kid: string;
  readonly sign: CryptoKey;
  readonly verify: CryptoKey;
  readonly jwk: JWK;
}

export interface SigningKeys {
  /** Returns the key that signs, read from the store: a rotation takes effect at once in every process. */
  current: (deadline: number) => Promise<SigningKey>;
  /** Returns the key with this id, if any. Unknown ids are looked up in the store, at most twice a second. */
  find: (kid: string) => Promise<SigningKey | undefined>;
  /** True when the key is known to exist; false when this must first be looked up in the store. */
  has: (kid: string) => boolean;
  /** Returns the verifying keys, the signing one first; at most a second old unless the store is down. */
  published: () => Promise<readonly SigningKey[]>;
  list: (deadline: number) => Promise<readonly SigningKey[]>;
  /** Replaces the signing key by a new one. Signatures of older keys stay valid until their tokens expire. */
  rotate: (deadline: number) => Promise<SigningKey>;
  /**
   * Deletes a key, so that all tokens it has signed are refused: at once here, and within `trustedForMs` in
   * other processes, or `trustedWhenAwayMs` where the store does not answer. Returns false when there is no
   * such key. Errors: `forbidden` for the current signing key.
   */
  drop: (kid: string, deadline: number) => Promise<boolean>;
}

/**
 * The shortest time (ms) between two reads of the store, so that invented key ids cost little. Callers in
 * between wait for the next read, because an unknown key may be a new one.
 */
const readGapMs = 500;
const publishedForMs = 1_000;
/** The time (ms) for which a key is trusted without a look-up. It may have been deleted since. */
const trustedForMs = 5_000;
/** The same while the store does not answer. In a cluster, another node may have the workspace of the caller. */
const trustedWhenAwayMs = 30_000;

/** Creates a private key as JWK text. Its id begins with no dash, which would look like an option. */
export async function createSigningKey(): Promise<string> {
  for (;;) {
    const {privateKey, publicKey} = await generateKeyPair(algorithm, {crv: 'Ed25519', extractable: true});
    const kid = await calculateJwkThumbprint(await exportJWK(publicKey));
    if (!kid.startsWith('-')) return JSON.stringify(await exportJWK(privateKey));
  }
}

/** Keeps the installation's signing keys, and creates the first one. `now` is the time of Redis in ms. */
export async function loadSigningKeys(
  store: KeyStore,
  now: () => number,
  deadline: number,
  {trustedFor = trustedForMs, trustedWhenAway = trustedWhenAwayMs} = {},
): Promise<SigningKeys> {
  const imported = new Map<string, Omit<SigningKey, 'since' | 'until'>>();
  let known: readonly SigningKey[] = [];
  /** The start of the last read of the store, and the start of the read whose keys are in `known`. */
  let lastReadAt = Number.NEGATIVE_INFINITY;
  let loadedAt = Number.NEGATIVE_INFINITY;
  /** True after a read that failed, until one has succeeded. */
  let isAway = false;
  let next: Promise<unknown> | undefined;
  let underWay: Promise<unknown> | undefined;

  async function loadKeys(until: number): Promise<readonly SigningKey[]> {
    const begunAt = performance.now();
    lastReadAt = begunAt;
    const stored = await store.list(until).catch((error: unknown) => {
      isAway ||= begunAt >= loadedAt;
      throw error;
    });
    const loaded = await Promise.all(
      stored.map(async ({privateKey, ...times}) => {
        const key = imported.get(privateKey) ?? (await importKey(privateKey));
        imported.set(privateKey, key);
        return {...key, ...times};
      }),
    );
    // An earlier read that ends late must not replace a later result, or deleted keys would return.
    if (begunAt < loadedAt) return known;
    loadedAt = begunAt;
    isAway = false;
    // A store that lost its data has no keys. The known ones stay, and the check of the token decides.
    if (loaded.length > 0) known = loaded;
    return known;
  }

  /** The next read of the store, shared by all callers that need it before it begins. */
  function readKeysShared(): Promise<unknown> {
    next ??= waitFor(lastReadAt + readGapMs - performance.now()).then(() => {
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

  function areKeysTrusted(): boolean {
    return performance.now() - loadedAt < (isAway ? trustedWhenAway : trustedFor);
  }

  /** Reads the keys again if they are old. Errors: those of the store, unless the old keys are still trusted. */
  async function refreshKeys(): Promise<void> {
    const isTrusted = areKeysTrusted();
    if (isTrusted && performance.now() - loadedAt < trustedFor / 2) return;
    const read = (underWay ?? readKeysShared()).catch((error: unknown) => {
      if (!areKeysTrusted()) throw error;
    });
    // No request waits for a node that does not answer, as long as the keys can be trusted.
    if (isTrusted) read.catch(() => undefined);
    else await read;
  }

  async function findCurrentKey(until: number): Promise<SigningKey> {
    const [first] = await loadKeys(until);
    if (first === undefined) throw new Error('there is no signing key');
    return first;
  }

  await store.ensure(createSigningKey, deadline);
  await loadKeys(deadline);

  return {
    current: findCurrentKey,
    async find(kid) {
      if (findLoadedKey(kid) === undefined) await readKeysShared();
      else await refreshKeys();
      return findLoadedKey(kid);
    },
    has: (kid) => areKeysTrusted() && findLoadedKey(kid) !== undefined,
    async published() {
      if (performance.now() - loadedAt > publishedForMs) await readKeysShared().catch(() => undefined);
      return known.filter(({until}) => until > now());
    },
    list: loadKeys,
    async rotate(until) {
      await store.rotate(createSigningKey, until);
      return findCurrentKey(until);
    },
    async drop(kid, until) {
      const [signing, ...older] = await loadKeys(until);
      if (signing?.kid === kid)
        throw new AppError('forbidden', 'This key signs. Replace it first: standup-admin keys rotate.');
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
  // `importJWK` returns bytes only for a symmetric key, which a signing key never is.
  if (sign instanceof Uint8Array || verify instanceof Uint8Array) throw new Error('not a key pair');
  return {kid, sign, verify, jwk: {...publicPart, kid, alg: algorithm, use: 'sig'}};
}

function waitFor(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
