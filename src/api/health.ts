import type {Request, Response} from 'express';
import {type ProblemCode, problemKinds} from './problems.js';
import type {SigningKeys} from './signing-keys.js';

/** What the service says of itself to whoever runs it; nothing in it is secret. */
export interface Readiness {
  readonly ready: boolean;
  readonly store: string;
  readonly durability: string;
  readonly workspaces: string;
  readonly slack: string;
}

export interface Health {
  /** Alive: the process answers. */
  healthz(request: Request, response: Response): void;
  /** Ready: requests will be served. 503 when not, and while the process is stopping. */
  readyz(request: Request, response: Response): Promise<void>;
}

export function createHealth(readiness: () => Promise<Readiness>): Health {
  return {
    healthz(_, response) {
      response.set('Cache-Control', 'no-store').json({status: 'ok'});
    },
    async readyz(_, response) {
      const {ready, ...facts} = await readiness();
      response
        .status(ready ? 200 : 503)
        .set('Cache-Control', 'no-store')
        .json({status: ready ? 'ready' : 'unavailable', ...facts});
    },
  };
}

/** The public keys that verify access tokens (RFC 7517): the one that signs, and those whose tokens may still be live. */
export function presentJwks(findKeys: SigningKeys['published']) {
  return async (_: Request, response: Response): Promise<void> => {
    const keys = (await findKeys()).map(({jwk}) => jwk);
    response
      .set('Cache-Control', 'public, max-age=300')
      .type('application/jwk-set+json')
      .send(JSON.stringify({keys}));
  };
}

/** The page that a problem's `type` leads to. */
export function problemPage(request: Request, response: Response, next: () => void): void {
  const code = request.params['code'] as ProblemCode;
  if (!Object.hasOwn(problemKinds, code)) return next();
  const {status, title, help} = problemKinds[code];
  response
    .type('html')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="/docs/page.css">` +
        `<main><h1>${title}</h1><p><code>${code}</code> · HTTP ${status}</p><p>${inlineCode(help)}</p><p><a href="/docs">API reference</a></p></main></html>`,
    );
}

function inlineCode(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
