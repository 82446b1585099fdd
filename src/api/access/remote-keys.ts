import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
} from 'jose';
import {AppError} from '../../domain/core/errors.js';

type CryptoKey = Awaited<ReturnType<ReturnType<typeof createRemoteJWKSet>>>;

/** Fetched keys are used for this long without a new fetch. */
const freshMs = 10 * 60_000;
/** Fetched keys are dropped after this time, even if the issuer cannot be reached. */
const keptMs = 24 * 3_600_000;
/** The shortest time between two fetches because of an unknown key id. */
const cooldownMs = 5_000;
/** The shortest time between a failed fetch and the next one. */
const retryMs = 1_000;
const timeoutMs = 5_000;
const largestBytes = 512 * 1024;

/** The public keys of a trusted issuer, fetched from the address that is configured for it. */
export function createRemoteKeys(url: string) {
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
    /**
     * Returns the key that a token names, and fetches the keys if that one is unknown. Errors:
     * `invalid_token` when the issuer has no such key, `service_unavailable` when its keys cannot be fetched.
     */
    async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
      const age = performance.now() - fetchedAt;
      try {
        if (age > keptMs) await keys.reload();
        // The reload runs in the background; later requests get its result.
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

/** Returns the body of a fetched key set, after checking its format. */
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
