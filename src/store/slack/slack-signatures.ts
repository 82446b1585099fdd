import {callWhenFull, type RedisCommands} from '../core/connection.js';
import {globalKeys} from '../core/keys.js';

export interface SlackSignatures {
  /** Remembers a signature. Returns true if it has not been seen within the last 10 minutes. */
  remember: (hash: string, deadline: number) => Promise<boolean>;
  /** Forgets a signature, so that a request which we failed to answer may be sent again. */
  forget: (hash: string, deadline: number) => Promise<void>;
}

const signatureSeconds = 600;

/** Remembers which Slack requests any process has already handled. */
export function createSlackSignatureStore({call, run}: RedisCommands): SlackSignatures {
  return {
    async remember(hash, deadline) {
      const key = globalKeys.slackSignature(hash);
      const lifetime = ['EX', String(signatureSeconds)] as const;
      return (
        (await callWhenFull<string | null>({run}, deadline, ['SET', key, '1', 'NX', ...lifetime])) !== null
      );
    },
    async forget(hash, deadline) {
      await call(deadline, ['DEL', globalKeys.slackSignature(hash)]);
    },
  };
}
