import type {Request, Response} from 'express';
import type {SigningKeys} from '../access/signing-keys.js';

/** The state of the service, as operators see it. Nothing in it is secret. */
export interface Readiness {
  readonly ready: boolean;
  readonly store: string;
  /** The problem with the store, if there is one. */
  readonly store_detail?: string;
  readonly durability: string;
  /** A hint for operators while there is no workspace. The number of workspaces is not shown. */
  readonly workspaces?: string;
  /** A text that says whether any process does the background work. */
  readonly worker: string;
  readonly slack: string;
  /** The problem with Slack, if there is one. */
  readonly slack_detail?: string;
}

export interface HealthHandlers {
  /** Always answers 200, which shows that the process is alive. */
  healthz: (request: Request, response: Response) => void;
  /** Answers 200 when the process can serve requests; 503 when it cannot, or while it is stopping. */
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
 * Returns the public keys that verify access tokens (RFC 7517): the current one, and older ones whose tokens
 * may still be valid.
 */
export function createJwksHandler(findKeys: SigningKeys['published']) {
  return async (_: Request, response: Response): Promise<void> => {
    const keys = (await findKeys()).map(({jwk}) => jwk);
    response
      .set('Cache-Control', 'public, max-age=300')
      .type('application/jwk-set+json')
      .send(JSON.stringify({keys}));
  };
}
