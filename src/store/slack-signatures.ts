import type {Connection} from './connection.js';
import {globalKeys} from './keys.js';

export interface SlackSignatures {
  /** True for a signature that has not been seen within the last 10 minutes. */
  remember(hash: string, deadline: number): Promise<boolean>;
  /** Lets a request that we failed to serve be sent again. */
  forget(hash: string, deadline: number): Promise<void>;
}

const signatureSeconds = 600;

/** Which requests of Slack have been taken already, in any process. */
export function createSlackSignatures({call}: Pick<Connection, 'call'>): SlackSignatures {
  return {
    async remember(hash, deadline) {
      const args = ['SET', globalKeys.slackSignature(hash), '1', 'NX', 'EX', String(signatureSeconds)];
      return (await call<string | null>(deadline, args)) !== null;
    },
    async forget(hash, deadline) {
      await call(deadline, ['DEL', globalKeys.slackSignature(hash)]);
    },
  };
}
