import {type Id, suffixOf} from '../../domain/core/ids.js';
import {type ListName, positionOf} from '../../domain/core/lists.js';
import {parsePersonChoice, type PersonChoice} from '../../domain/imports/import.js';
import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';

/** Reads what imports share, and who is who in one. Only commits write it. */
export function createImports({call}: Pick<RedisCommands, 'call'>) {
  return {
    /** Returns the key of the hashes; undefined in a workspace without an import. */
    async findKey(workspace: Id<'workspace'>, deadline: number): Promise<string | undefined> {
      const key = await call<string | null>(deadline, [
        'HGET',
        workspaceKeys(workspace).head(),
        'imported:key',
      ]);
      return key ?? undefined;
    },
    async findPeople(
      workspace: Id<'workspace'>,
      of: Id<'import'>,
      deadline: number,
    ): Promise<ReadonlyMap<string, PersonChoice>> {
      const json = await call<string | null>(deadline, [
        'GET',
        workspaceKeys(workspace).importPeople(suffixOf(of)),
      ]);
      const pairs = JSON.parse(json ?? '[]') as [person: string, choice: string][];
      return new Map(pairs.map(([person, choice]) => [person, parsePersonChoice(choice)]));
    },
    /** Returns which of these rows are not new in the workspace. */
    async listKnown(
      workspace: Id<'workspace'>,
      entries: readonly string[],
      deadline: number,
    ): Promise<ReadonlySet<string>> {
      if (entries.length === 0) return new Set();
      const key = workspaceKeys(workspace).names('imported');
      const found = await call<(string | null)[]>(deadline, ['HMGET', key, ...entries]);
      return new Set(entries.filter((_, i) => (found[i] ?? null) !== null));
    },
    /** Returns whether each list has an entry for its day. */
    hasEntries: (
      workspace: Id<'workspace'>,
      asked: readonly {readonly list: ListName; readonly day: number}[],
      deadline: number,
    ): Promise<readonly boolean[]> =>
      Promise.all(
        asked.map(async ({list, day}) => {
          const range = [String(positionOf(day, 0)), `(${positionOf(day + 1, 0)}`];
          return (
            (await call<number>(deadline, ['ZCOUNT', workspaceKeys(workspace).list(list), ...range])) > 0
          );
        }),
      ),
  };
}
