import type {Request, Response} from 'express';
import type {SigningKeys} from '../access/signing-keys.js';

/** The state that the service reports to operators; nothing in it is secret. */
export interface Readiness {
  readonly ready: boolean;
  readonly store: string;
  /** The problem, if there is one. */
  readonly store_detail?: string;
  readonly durability: string;
  /** A hint while there is none. Their number is not shown. */
  readonly workspaces?: string;
  /** Whether some process does the background work. */
  readonly worker: string;
  readonly slack: string;
  /** The problem, if there is one. */
  readonly slack_detail?: string;
}

export interface HealthHandlers {
  /** Alive: the process answers. */
  healthz: (request: Request, response: Response) => void;
  /** Ready: requests will be served. 503 when not, and while the process is stopping. */
  readyz: (request: Request, response: Response) => Promise<void>;
}

export function createHealth(readiness: () => Promise<Readiness>): HealthHandlers {
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

/**
 * The public keys that verify access tokens (RFC 7517): the one that signs, and those whose tokens may still
 * be valid.
 */
export function presentJwks(findKeys: SigningKeys['published']) {
  return async (_: Request, response: Response): Promise<void> => {
    const keys = (await findKeys()).map(({jwk}) => jwk);
    response
      .set('Cache-Control', 'public, max-age=300')
      .type('application/jwk-set+json')
      .send(JSON.stringify({keys}));
  };
}
