import type {IncomingHttpHeaders} from 'node:http';
import {AppError} from '../domain/core/errors.js';

/**
 * Only our own pages change anything here. No form and no image can send the header. A script of another
 * origin can only after a preflight, which nothing here answers. The rest is what the browser says of itself.
 * Errors: `forbidden`.
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
 * Only somebody who goes there with the whole window signs in: no frame, no image and nothing that a browser
 * fetches ahead. Errors: `forbidden`.
 */
export function requireNavigation(headers: IncomingHttpHeaders): void {
  const {'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document'} = headers;
  if (mode === 'navigate' && dest === 'document' && headers['sec-purpose'] === undefined) return;
  throw new AppError('forbidden', 'A sign-in is an address to go to. Open it in a window of its own.');
}

/** Whether a page of another site leads here, rather than one of ours or the person. */
export function comesFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** A page of the app to go on at, from an address that anybody may have written. */
export function pageOfApp(address: string | null): string {
  const known = address ?? '';
  // No escape, backslash or control character, which browsers and servers read differently.
  if (known.length > 500 || !/^\/app(?:[/?][\w./?=&,:~+-]*)?$/.test(known)) return '/app';
  const {pathname, search} = new URL(known, 'http://host');
  const isPlain = pathname + search === known && !known.includes('//');
  return isPlain && !/^\/app\/sign-in(?:\/|$)/.test(pathname) ? known : '/app';
}
