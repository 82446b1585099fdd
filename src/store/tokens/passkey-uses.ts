import {type Id, suffixOf} from '../../domain/core/ids.js';
import {parsePasskeyUse, type PasskeyUse} from '../../domain/tokens/passkey.js';
import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';

/** Reads the counters and last uses of passkeys. Commits write them (`note-passkey-use`). */
export function createPasskeyUses({call}: RedisCommands) {
  return {
    async find(
      workspace: Id<'workspace'>,
      passkeys: readonly Id<'passkey'>[],
      deadline: number,
    ): Promise<PasskeyUse[]> {
      if (passkeys.length === 0) return [];
      const fields = passkeys.map(suffixOf);
      const stored = await call<(string | null)[]>(deadline, [
        'HMGET',
        workspaceKeys(workspace).passkeyUse(),
        ...fields,
      ]);
      return stored.map((text) => parsePasskeyUse(text ?? ''));
    },
  };
}
