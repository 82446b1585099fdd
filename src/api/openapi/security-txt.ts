import type {Request, Response} from 'express';

const dayMs = 24 * 3600 * 1_000;
/** The lifetime of the file. RFC 9116 recommends less than a year: an old copy should not be trusted. */
const validDays = 180;

/**
 * Creates `/.well-known/security.txt` (RFC 9116). Its URLs must be https (section 2.5), so over plain http
 * they are left out. `contact`: a `mailto:` or `https:` URL. `now`: the time in ms.
 */
export function presentSecurityTxt(contact: string, publicUrl: string, now: () => number) {
  return (_: Request, response: Response) => {
    const expires = new Date((Math.floor(now() / dayMs) + validDays) * dayMs).toISOString();
    const own = publicUrl.startsWith('https:')
      ? [`Canonical: ${publicUrl}/.well-known/security.txt`, `Policy: ${publicUrl}/security`]
      : [];
    const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en', ...own];
    response
      .set('Cache-Control', 'public, max-age=86400')
      .type('text/plain')
      .send(lines.map((line) => `${line}\n`).join(''));
  };
}

/** The page at the `Policy` URL: how to report a vulnerability, and what happens afterwards. */
export function createSecurityPage(contact: string) {
  const shown = escapeHtml(contact.replace(/^mailto:/, ''));
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Reporting a vulnerability</title><link rel="stylesheet" href="/docs/page.css">' +
    `<main><h1>Reporting a vulnerability</h1><p>Write to <a href="${escapeHtml(contact)}">${shown}</a>: what you did, what you saw, ` +
    'and the <code>X-Request-Id</code> of an answer if there is one. Leave out access tokens and what people wrote.</p>' +
    '<p>Use a workspace of your own, stop at the first proof, and keep it to yourself until there is a fix. Tests of load and against ' +
    'other people’s workspaces are not welcome.</p></main></html>';
  return (_: Request, response: Response) => void response.type('html').send(html);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
