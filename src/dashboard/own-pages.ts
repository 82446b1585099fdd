import type {IncomingHttpHeaders} from 'node:http';
import {AppError} from '../domain/core/errors.js';

/**
 * Allows changes only from our own pages. Forms and images of other sites cannot send the required header,
 * and their scripts would need a preflight, which is never allowed. Browsers set the other checked headers
 * themselves. Errors: `forbidden`.
 */
export function requireRequestFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === new URL(publicUrl).origin : site === 'same-origin';
  if (isOwn && headers['x-standup-dashboard'] === '1') return;
  throw new AppError(
    'forbidden',
    'Only the pages of the dashboard itself may ask this. Programs use the API with an access token: POST /v1/tokens makes one.',
  );
}

/** Allows a request only from a program: browsers set these headers themselves. Errors: `forbidden`. */
export function requireProgram(headers: IncomingHttpHeaders): void {
  if (headers.origin === undefined && headers['sec-fetch-site'] === undefined) return;
  throw new AppError('forbidden', 'Only programs without a browser may ask this. People sign in at /app.');
}

/** Allows a sign-in only as a whole page: no frame, image or prefetch. Errors: `forbidden`. */
export function requireNavigation(headers: IncomingHttpHeaders): void {
  const {'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document'} = headers;
  if (mode === 'navigate' && dest === 'document' && headers['sec-purpose'] === undefined) return;
  throw new AppError('forbidden', 'A sign-in is an address to go to. Open it in a window of its own.');
}

/** True when the request comes from a page of another site, and not from our pages or the person. */
export function comesFromOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Returns the page after sign-in. The address may come from anybody: the unusual becomes `/app`. */
export function findSafeReturnPage(address: string | null): string {
  const known = address ?? '';
  // Escapes, backslashes and control characters are refused: browsers and servers may differ on them.
  if (known.length > 500 || !/^\/app(?:[/?][\w./?=&,:~+-]*)?$/.test(known)) return '/app';
  const {pathname, search} = new URL(known, 'http://host');
  const isPlain = pathname + search === known && !known.includes('//');
  return isPlain && !/^\/app\/sign-in(?:\/|$)/.test(pathname) ? known : '/app';
}
