import {readFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';

const types: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
};

export interface Shell {
  /** The page at every address of the app: which of them it is decides the app. */
  sendPage(response: ServerResponse, isHead: boolean): void;
  /** False when there is no such file. */
  sendAsset(name: string, response: ServerResponse, isHead: boolean): boolean;
}

/** An identity provider, as the page offers it. `confirms`: whether it can confirm that it is still the same person. */
export interface SignInChoice {
  readonly id: string;
  readonly name: string;
  readonly confirms: boolean;
}

/** `drawNonce`: for each page another, for the styles that the app's components write. */
export function createShell(
  publicUrl: string,
  drawNonce: () => string,
  providers: readonly SignInChoice[],
): Shell {
  const read = (name: string): Buffer => readFileSync(new URL(`./page/${name}`, import.meta.url));
  const choices = providers.map(({id, name, confirms}) => ({id, name, confirms}));
  const html = read('page.html')
    .toString()
    .replace('{{providers}}', escapeHtml(JSON.stringify(choices)));
  const [head = '', tail = ''] = html.split('{{nonce}}');
  const assets = new Map(Object.keys(types).map((name) => [name, read(name)]));
  const secured = pageHeaders(publicUrl);

  return {
    sendPage(response, isHead) {
      const nonce = drawNonce();
      response
        .writeHead(200, {
          ...secured,
          'Content-Security-Policy': policy(nonce),
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': 'no-store',
        })
        .end(isHead ? undefined : `${head}${nonce}${tail}`);
    },
    sendAsset(name, response, isHead) {
      const content = assets.get(name);
      if (content === undefined) return false;
      response
        .writeHead(200, {
          ...secured,
          'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
          'Content-Type': types[name],
          'Content-Length': content.length,
          'Cache-Control': 'public, max-age=300',
        })
        .end(isHead ? undefined : content);
      return true;
    },
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => `&#${one.codePointAt(0)};`);
}

/** Everything comes from this service, no text becomes code, and nothing can be sent elsewhere. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function pageHeaders(publicUrl: string) {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(publicUrl.startsWith('https:') && {
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    }),
  };
}
