import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
} from 'jose';
import {AppError} from '../../domain/core/errors.js';

/** The published keys of another issuer, fetched from the one address that is configured for it. */
export interface RemoteKeys {
  /**
   * The key that a token names, fetched if it is not known. Errors: `invalid_token` when the issuer publishes
   * no such key, `service_unavailable` when that cannot be determined.
   */
  find: (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;
}

type CryptoKey = Awaited<ReturnType<ReturnType<typeof createRemoteJWKSet>>>;

/** Keys are used as they were fetched for this long, … */
const freshMs = 10 * 60_000;
/** … then only until they have been fetched again; after this long they are not used without that. */
const keptMs = 24 * 3_600_000;
/** An unknown key id causes a new fetch, but not sooner than this after the last one … */
const cooldownMs = 5_000;
/** … and not sooner than this after a failed one. */
const retryMs = 1_000;
const timeoutMs = 5_000;
const largestBytes = 512 * 1024;

export function createRemoteKeys(url: string): RemoteKeys {
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;

  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: async (address, init) => {
      if (performance.now() - failedAt < retryMs) throw new Error('asked a moment ago, in vain');
      try {
        const body = await readKeySet(await fetch(address, init));
        fetchedAt = performance.now();
        return new Response(body);
      } catch (error) {
        failedAt = performance.now();
        throw error;
      }
    },
  });

  return {
    async find(header, token) {
      const age = performance.now() - fetchedAt;
      try {
        if (age > keptMs) await keys.reload();
        // A later request sees whether the reload works.
        else if (age > freshMs) keys.reload().catch(() => undefined);
        return await keys(header, token);
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
          throw new AppError(
            'invalid_token',
            'The access token is signed with a key that its issuer does not publish.',
          );
        }
        throw new AppError(
          'service_unavailable',
          "The keys of the access token's issuer cannot be fetched at the moment.",
          {cause: error},
        );
      }
    },
  };
}

/** The body of a key set, after the checks that it is one. */
async function readKeySet(response: Response): Promise<string> {
  if (response.status !== 200 || response.body === null) throw new Error(`answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > largestBytes) throw new Error('answered more than a key set');
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks).toString('utf8');
  const {keys} = JSON.parse(body) as {keys?: unknown};
  if (!Array.isArray(keys)) throw new Error('answered no key set');
  return body;
}
