export interface PageText {
  readonly title: string;
  readonly text: string;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Presents a small page without styles or scripts, which the security headers of `/slack` would block. */
export function presentPage(
  {title, text}: PageText,
  links: readonly {readonly href: string; readonly label: string}[],
  language: string,
): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${links.map(({href, label}) => `<p><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>`).join('\n')}
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}
