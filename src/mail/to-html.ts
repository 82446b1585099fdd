import {escapeHtml} from '../domain/core/escape-html.js';
import type {MailBlock, WrittenMail} from '../domain/mail/mail-content.js';

/**
 * Renders a mail as HTML that loads nothing. Styles are inline, since mail clients drop style sheets. Texts have
 * no colour of their own, so that each client shows them in its light or dark one.
 */
export function toHtml({subject, blocks}: WrittenMail, locale: string): string {
  const title = escapeHtml(subject);
  // There are texts only in languages that are written from left to right.
  return `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="ltr" style="color-scheme: light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
</head>
<body style="margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere">
<main style="max-width: 560px; margin: 0 auto">
<h1 style="margin: 0 0 24px; font-size: 20px; line-height: 1.3">${title}</h1>
${blocks.map(renderBlock).join('\n')}
</main>
</body>
</html>
`;
}

const paragraph = 'margin: 0 0 16px';
const button =
  'display: inline-block; padding: 12px 20px; border-radius: 6px; background: #1d4ed8; color: #ffffff; font-weight: 600; text-decoration: none';

function renderBlock(block: MailBlock): string {
  switch (block.type) {
    case 'paragraph':
      return `<p style="${paragraph}">${escapeLines(block.text)}</p>`;
    case 'small':
      return `<p style="${paragraph}; font-size: 14px">${escapeLines(block.text)}</p>`;
    case 'code':
      return `<p style="${paragraph}; font: 700 28px/1.3 ui-monospace, monospace; letter-spacing: 2px">${escapeHtml(block.text)}</p>`;
    case 'quote':
      return `<blockquote style="${paragraph}; padding-left: 12px; border-left: 3px solid #808080">${escapeLines(block.text)}</blockquote>`;
    case 'link':
      return `<p style="${paragraph}; font-size: 14px"><a href="${escapeHtml(block.url)}">${escapeHtml(block.label)}</a></p>`;
    case 'list': {
      const items = block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('');
      return `<p style="margin: 0">${escapeHtml(block.title)}</p>\n<ul style="${paragraph}; padding-left: 24px">${items}</ul>`;
    }
    case 'button': {
      const url = escapeHtml(block.url);
      // Clients that drop styles or links still show the address.
      return `<p style="margin: 24px 0 8px"><a href="${url}" style="${button}">${escapeHtml(block.label)}</a></p>
<p style="${paragraph}; font-size: 14px"><a href="${url}">${url}</a></p>`;
    }
  }
}

function escapeLines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>');
}
