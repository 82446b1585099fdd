import type {Request, Response} from 'express';
import {type ProblemCode, problemKinds} from '../http/problems.js';

const codes = Object.keys(problemKinds) as ProblemCode[];

/** Lists all problems at `/problems`, as a page for people or as JSON for programs that ask for it. */
export function presentProblemIndex(publicUrl: string) {
  const rows = codes.map((code) => {
    const {status, title} = problemKinds[code];
    return `<tr><td>${status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${renderInlineCode(title)}</td></tr>`;
  });
  const html = renderProblemPage(
    'Problems',
    `<p>Every error of the API, by its <code>code</code>.</p><table>${rows.join('')}</table>`,
  );
  const json = {object: 'list', data: codes.map((code) => describeProblem(code, publicUrl))};
  const encoded = {html: Buffer.from(html), json: Buffer.from(JSON.stringify(json))};
  return (request: Request, response: Response) => sendPageOrJson(request, response, encoded);
}

/** Shows one problem, at the URL that is the `type` of an error answer. */
export function presentProblemPage(publicUrl: string) {
  return (request: Request, response: Response, next: () => void) => {
    const code = request.params['code'] as ProblemCode;
    if (!Object.hasOwn(problemKinds, code)) return next();
    const {status, title, help} = problemKinds[code];
    const html = renderProblemPage(
      title,
      `<p><code>${code}</code> · HTTP ${status}</p><p>${renderInlineCode(help)}</p>` +
        '<p><a href="/problems">All problems</a> · <a href="/docs">API reference</a></p>',
    );
    sendPageOrJson(request, response, {html, json: JSON.stringify(describeProblem(code, publicUrl))});
  };
}

function describeProblem(code: ProblemCode, publicUrl: string): object {
  return {code, ...problemKinds[code], type: `${publicUrl}/problems/${code}`};
}

function sendPageOrJson(
  request: Request,
  response: Response,
  content: Record<'html' | 'json', string | Buffer>,
): void {
  response.set('Cache-Control', 'public, max-age=300').vary('Accept');
  const type = request.accepts(['html', 'json']) === 'json' ? 'json' : 'html';
  response.type(type).send(content[type]);
}

function renderProblemPage(title: string, content: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${title}</title><link rel="icon" type="image/svg+xml" href="/docs/icon.svg"><link rel="stylesheet" href="/docs/page.css"></head><body><main><h1>${title}</h1>${content}</main></body></html>`
  );
}

function renderInlineCode(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
