import type {IncomingHttpHeaders} from 'node:http';
import {AppError} from '../domain/errors.js';

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
