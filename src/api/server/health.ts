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

export function createHealth(readiness: () => Promise<Readiness>) {
  return {
    /** Always answers 200, which shows that the process is alive. */
    healthz(_: Request, response: Response): void {
      response.set('Cache-Control', 'no-store').json({status: 'ok'});
    },
    /** Answers 200 when the process can serve requests; 503 when it cannot, or while it is stopping. */
    async readyz(_: Request, response: Response): Promise<void> {
      const {ready, ...facts} = await readiness();
      response
        .status(ready ? 200 : 503)
        .set('Cache-Control', 'no-store')
        .json({status: ready ? 'ready' : 'unavailable', ...facts});
    },
  };
}

/** Returns the public keys of access tokens (RFC 7517): the current one, and older ones of valid tokens. */
export function createJwksHandler(findKeys: SigningKeys['published']) {
  return async (_: Request, response: Response): Promise<void> => {
    const keys = (await findKeys()).map(({jwk}) => jwk);
    response
      .set('Cache-Control', 'public, max-age=300')
      .type('application/jwk-set+json')
      .send(JSON.stringify({keys}));
  };
}
