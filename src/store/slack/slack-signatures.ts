import {callWhenFull, type RedisCommands} from '../core/connection.js';
import {globalKeys} from '../core/keys.js';

const signatureSeconds = 600;

/** Remembers which Slack requests any process has already handled. */
export function createSlackSignatureStore({call, run}: RedisCommands) {
  return {
    /** Remembers a signature. Returns true if it has not been seen within the last 10 minutes. */
    async remember(hash: string, deadline: number): Promise<boolean> {
      const key = globalKeys.slackSignature(hash);
      const lifetime = ['EX', String(signatureSeconds)] as const;
      return (
        (await callWhenFull<string | null>({run}, deadline, ['SET', key, '1', 'NX', ...lifetime])) !== null
      );
    },
    /** Forgets a signature, so that a request which we failed to answer may be sent again. */
    async forget(hash: string, deadline: number): Promise<void> {
      await call(deadline, ['DEL', globalKeys.slackSignature(hash)]);
    },
  };
}
