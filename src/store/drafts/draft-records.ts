import type {DraftPartName} from '../../domain/commit/writes.js';
import {lifetimes} from '../../domain/core/limits.js';
import {type Id, storedSuffix, suffixOf} from '../../domain/core/ids.js';
import type {StoredDraftPart} from '../../domain/drafts/draft.js';
import type {RedisConnection} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';

/** A part of a draft, and the time of its last change (ms). */
export interface DraftPartRecord extends Omit<DraftPartName, 'member'> {
  readonly changedAt: number;
  readonly part: StoredDraftPart;
}

export interface MemberDrafts {
  /** All parts that are stored. Guards see them all. */
  readonly stored: readonly DraftPartRecord[];
  /** The parts that have not expired, by source. The next write deletes the others. */
  readonly parts: readonly DraftPartRecord[];
}

/** Returns the field of a part. No source contains a colon. */
export function formatDraftField({team, date, source}: Omit<DraftPartName, 'member'>): string {
  return `${formatDraftPrefix({team, date})}${source}`;
}

/** Returns the beginning that the fields of one team and day have in common. */
export function formatDraftPrefix({team, date}: Pick<DraftPartName, 'team' | 'date'>): string {
  return `${team}:${date}:`;
}

/** Reads the drafts of standups. Only commits write them. */
export function createDraftRecords({call, clock}: RedisConnection) {
  return {
    async list(workspace: Id<'workspace'>, member: Id<'member'>, deadline: number): Promise<MemberDrafts> {
      const flat = await call<string[]>(deadline, [
        'HGETALL',
        workspaceKeys(workspace).drafts(suffixOf(member)),
      ]);
      const stored: DraftPartRecord[] = [];
      for (let at = 0; at < flat.length; at += 2) {
        const [field = '', value = ''] = flat.slice(at, at + 2);
        const [team = '', date = '', source = ''] = field.split(':');
        const end = value.indexOf(' ');
        const part = JSON.parse(value.slice(end + 1)) as StoredDraftPart;
        const changedAt = Number(value.slice(0, end));
        stored.push({team: storedSuffix<'team'>(team), date, source, changedAt, part});
      }
      stored.sort((one, other) => (one.source < other.source ? -1 : 1));
      const expired = clock.now() - lifetimes.draft * 1_000;
      return {stored, parts: stored.filter(({changedAt}) => changedAt > expired)};
    },
  };
}
