import {SignInRefused, type SignInProblem} from '../domain/tokens/sign-in.js';
import {ProviderAway} from './fetch-provider.js';

/** Calls an identity provider, and converts each of its errors. Errors: `SignInRefused`. */
export async function callWithSignInProblems<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw convertToSignInRefusal(error);
  }
}

/** An error of the OpenID library, typed here because the library is loaded only for a sign-in. */
interface LibraryError {
  /** The library's own error code. */
  readonly code?: unknown;
  /** The OAuth error code, if the provider refused. */
  readonly error?: unknown;
  readonly cause?: unknown;
}

function convertToSignInRefusal(error: unknown): unknown {
  if (error instanceof SignInRefused) return error;
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ProviderAway)
      return new SignInRefused('provider_unavailable', at.reason, {cause: error});
  }
  const {code, error: errorCode} = (error ?? {}) as LibraryError;
  if (typeof errorCode === 'string')
    return new SignInRefused(findSignInProblem(errorCode), maskUnknownErrorCode(errorCode), {cause: error});
  if (typeof code !== 'string' || !code.startsWith('OAUTH_')) return error;
  const problem = problemsOfLibrary[code] ?? 'wrong_answer';
  const claim = findWrongClaim(error);
  return new SignInRefused(problem, claim === undefined ? code : `${code} ${claim}`, {cause: error});
}

/** Converts an OAuth error code: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 */
function findSignInProblem(errorCode: string): SignInProblem {
  if (errorCode === 'access_denied') return 'cancelled';
  const isAway = errorCode === 'temporarily_unavailable' || errorCode === 'server_error';
  return isAway ? 'provider_unavailable' : 'provider_refused';
}

const problemsOfLibrary: Readonly<Record<string, SignInProblem>> = {
  OAUTH_TIMEOUT: 'provider_unavailable',
  OAUTH_ABORT: 'provider_unavailable',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'provider_refused',
};

/** Returns an error code that is safe to show. Anybody can write any code into an address. */
function maskUnknownErrorCode(errorCode: string): string {
  return /^[a-z_]{1,60}$/.test(errorCode) ? errorCode : 'another error';
}

/** Returns the name of the wrong claim, but never its value. */
function findWrongClaim(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const {claim} = (at.cause ?? {}) as {readonly claim?: unknown};
    if (typeof claim === 'string') return claim;
  }
  return undefined;
}
