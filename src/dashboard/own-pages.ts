import type {IncomingHttpHeaders} from 'node:http';
import {AppError} from '../domain/core/errors.js';

/**
 * Allows changes only from our own pages. No form and no image can send the header, and a script of another
 * origin can do so only after a preflight, which nothing here answers. The other headers are set by the
 * browser. Errors: `forbidden`.
 */
export function requireOwnPage(headers: IncomingHttpHeaders, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === new URL(publicUrl).origin : site === 'same-origin';
  if (isOwn && headers['x-standup-dashboard'] === '1') return;
  throw new AppError(
    'forbidden',
    'Only the pages of the dashboard itself may ask this. Programs use the API with an access token: POST /v1/tokens makes one.',
  );
}

/**
 * Allows a sign-in only for a navigation of the whole window: for no frame, no image and no prefetch. Errors:
 * `forbidden`.
 */
export function requireNavigation(headers: IncomingHttpHeaders): void {
  const {'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document'} = headers;
  if (mode === 'navigate' && dest === 'document' && headers['sec-purpose'] === undefined) return;
  throw new AppError('forbidden', 'A sign-in is an address to go to. Open it in a window of its own.');
}

/** True when a page of another site leads here, and not one of ours or the person. */
export function comesFromOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** The page of the app to continue at, from an address that anybody may have written. */
export function safeReturnPage(address: string | null): string {
  const known = address ?? '';
  // No escape, backslash or control character, which browsers and servers read differently.
  if (known.length > 500 || !/^\/app(?:[/?][\w./?=&,:~+-]*)?$/.test(known)) return '/app';
  const {pathname, search} = new URL(known, 'http://host');
  const isPlain = pathname + search === known && !known.includes('//');
  return isPlain && !/^\/app\/sign-in(?:\/|$)/.test(pathname) ? known : '/app';
}
