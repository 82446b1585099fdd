import type {Connection} from './connection.js';
import {workspaceKeys} from './keys.js';

export interface LiveTokens {
  /** Whether a credential (id of a token, or of a principal that a trusted issuer names) may still be used; `lost` when the whole workspace's data is gone, which is not the token's fault. */
  check(workspace: string, token: string, deadline: number): Promise<'live' | 'dead' | 'lost'>;
}

export function createLiveTokens({call}: Pick<Connection, 'call'>): LiveTokens {
  return {
    async check(workspace, token, deadline) {
      const keys = workspaceKeys(workspace);
      const [live, head] = await Promise.all([
        call<number>(deadline, ['EXISTS', keys.credential(token)]),
        call<number>(deadline, ['EXISTS', keys.head()]),
      ]);
      if (live === 1) return 'live';
      return head === 1 ? 'dead' : 'lost';
    },
  };
}
