import type {ServerResponse} from 'node:http';
import type {BuiltApp} from './built-app.js';
import type {DashboardContext} from './context.js';
import {renderMissingAppPage} from './missing-app.js';

/** The text that stands for the nonce in the prepared page. */
const noncePlaceholder = '{{nonce}}';

/** Creates the page. `metas`: what the app needs before its first request, as `<meta>` by name. */
export function createShell(
  {publicUrl, app, generateNonce, takesCoding}: DashboardContext,
  metas: Readonly<Record<string, string>>,
) {
  const page = app === undefined ? renderMissingAppPage(noncePlaceholder) : renderAppPage(app, metas);
  const secured = createAppPageHeaders(publicUrl);

  return {
    /** Sends the page for any address of the app. The app itself chooses the screen. */
    sendPage(response: ServerResponse, isHead: boolean): void {
      const nonce = generateNonce();
      response
        .writeHead(200, {
          ...secured,
          'Content-Security-Policy': createContentSecurityPolicy(nonce),
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': 'no-store',
        })
        .end(isHead ? undefined : page.replaceAll(noncePlaceholder, nonce));
    },
    /** Sends the service worker of notifications. Returns false when the app is not built. */
    sendWorker(response: ServerResponse, isHead: boolean): boolean {
      if (app === undefined) return false;
      response
        .writeHead(200, {
          ...secured,
          'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
          'Content-Type': 'text/javascript; charset=utf-8',
          'Content-Length': app.worker.length,
          'Cache-Control': 'no-cache',
        })
        .end(isHead ? undefined : app.worker);
      return true;
    },
    /** Sends a file of the app. Returns false when there is no such file. */
    sendAsset(
      name: string,
      acceptEncoding: string | undefined,
      response: ServerResponse,
      isHead: boolean,
    ): boolean {
      const asset = app?.assets.get(name);
      const form = asset?.forms.find(
        ({coding}) => coding === undefined || takesCoding(acceptEncoding, coding),
      );
      if (asset === undefined || form === undefined) return false;
      response
        .writeHead(200, {
          ...secured,
          'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
          'Content-Type': asset.type,
          'Content-Length': form.content.length,
          'Cache-Control': 'public, max-age=31536000, immutable',
          ...(form.coding !== undefined && {'Content-Encoding': form.coding}),
          ...(asset.forms.length > 1 && {Vary: 'Accept-Encoding'}),
        })
        .end(isHead ? undefined : form.content);
      return true;
    },
  };
}

function renderAppPage({loads}: BuiltApp, metas: Readonly<Record<string, string>>): string {
  const metaTags = Object.entries(metas).map(
    ([name, content]) => `<meta name="${name}" content="${escapeAttribute(content)}">`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta property="csp-nonce" nonce="${noncePlaceholder}">
    ${[...loads, ...metaTags].join('\n    ')}
    <title>Team Standup</title>
    <link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
  </head>
  <body>
    <div id="app"></div>
    <noscript><p>The dashboard needs JavaScript. All that it does, the <a href="/docs">API</a> does too.</p></noscript>
  </body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Returns the Content-Security-Policy: files of this service only, no text as code, no data elsewhere. */
function createContentSecurityPolicy(nonce: string): string {
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
    // The one script that a page names itself is the service worker of notifications.
    'trusted-types standup-worker',
  ].join('; ');
}

function createAppPageHeaders(publicUrl: string) {
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
