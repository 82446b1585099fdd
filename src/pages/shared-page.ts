// src/pages/: pages that the server writes itself, without a script, for readers without an account.
import {createHash} from 'node:crypto';
import {cleanName} from '../domain/core/clean-name.js';
import type {WriteSharedPage} from '../domain/runs/shared-week.js';
import {html, type Html} from './html.js';
import {chooseLanguage, type PageLanguage} from './language.js';
import {writeSharedWeek} from './shared-week.js';

const style = `:root { color-scheme: light dark }
body { margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 720px; margin: 0 auto }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 1.3 }
h2 { margin: 32px 0 8px; font-size: 18px }
h3, caption { margin: 0; padding: 8px 0 4px; font-size: 16px; font-weight: 600; text-align: start }
p { margin: 8px 0 }
.quiet { color: color-mix(in srgb, CanvasText 65%, Canvas) }
.wide { overflow-x: auto }
table { width: 100%; border-collapse: collapse; margin-bottom: 16px; break-inside: avoid; overflow-wrap: break-word }
th, td { padding: 6px 8px; border-bottom: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); text-align: end }
th:first-child { padding-inline-start: 0; text-align: start }
th:last-child, td:last-child { padding-inline-end: 0 }
thead th { font-size: 14px; line-height: 1.3 }
td { font-variant-numeric: tabular-nums; white-space: nowrap }
li { margin: 4px 0 }
@media (width < 480px) { th, td { padding-inline: 3px; font-size: 14px } thead th { font-size: 13px } }
@media print { :root { color-scheme: light } body { padding: 0 } }`;

/** The policy of these pages: nothing is loaded, nothing runs, and only their own style applies. */
export const sharedPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export const writeSharedPage: WriteSharedPage = {
  week(shared, acceptLanguage) {
    const language = chooseLanguage(acceptLanguage);
    return writePage(language, writeSharedWeek(shared, language));
  },
  refusal(reason, requestId, acceptLanguage) {
    const language = chooseLanguage(acceptLanguage);
    const {[reason]: say, reference} = language.texts.refused;
    const ending = reason === 'failed' ? html`<p class="quiet">${reference({id: requestId})}</p>` : html``;
    return writePage(language, {title: say.title, content: html`<p>${say.text}</p>${ending}`});
  },
};

function writePage(
  {locale}: PageLanguage,
  {title, content}: {readonly title: string; readonly content: Html},
) {
  const shown = cleanName(title);
  const page = html`
<html lang="${locale}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${shown}</title>
<style>${{html: style}}</style>
</head>
<body>
<main>
<h1>${shown}</h1>
${content}
</main>
</body>
</html>
`;
  return `<!doctype html>${page.html}`;
}
