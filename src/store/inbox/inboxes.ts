import {type Id, type IdSuffix, storedId, storedSuffix} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import type {InboxEntry, InboxReason} from '../../domain/inbox/inbox.js';
import type {RedisConnection} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';

/** An item of an inbox that may have to be sent, with its due time as it is stored. */
export interface DueNotice {
  readonly member: IdSuffix<'member'>;
  readonly standup: IdSuffix<'standup'>;
  readonly due: string;
}

/** Returns the name of an item in the list of those that may have to be sent. */
export function formatDueNotice({member, standup}: Omit<DueNotice, 'due'>): string {
  return `${member}/${standup}`;
}

/** Reads the inboxes of members. Only commits write them. */
export function createInboxes({call}: Pick<RedisConnection, 'call'>) {
  return {
    /** Lists the items of an inbox, of which there are at most `limits.inboxItems`, the newest first. */
    async list(workspace: Id<'workspace'>, member: Id<'member'>, deadline: number): Promise<InboxEntry[]> {
      const keys = workspaceKeys(workspace);
      const [order, unread, flat, muted] = await Promise.all([
        call<string[]>(deadline, ['ZRANGE', keys.inbox(member), '0', '-1', 'REV', 'WITHSCORES']),
        call<string[]>(deadline, ['ZRANGE', keys.unread(member), '0', '-1']),
        call<string[]>(deadline, ['HGETALL', keys.inboxItems(member)]),
        call<string[]>(deadline, ['ZRANGE', keys.muted(member), '0', '-1']),
      ]);
      const items = new Map(pairUp(flat));
      return pairUp(order).flatMap(([standup, sequence]) => {
        const item = items.get(standup);
        if (item === undefined) return [];
        const entry = parseEntry(standup, Number(sequence), item, unread.includes(standup));
        return {...entry, muted: muted.includes(standup)};
      });
    },
    /** Lists the standups of unread items, by id suffix, the newest first: at most `limits.inboxUnread`. */
    async listUnread(
      workspace: Id<'workspace'>,
      member: Id<'member'>,
      deadline: number,
    ): Promise<IdSuffix<'standup'>[]> {
      const last = String(limits.inboxUnread - 1);
      const key = workspaceKeys(workspace).unread(member);
      return (await call<string[]>(deadline, ['ZRANGE', key, '0', last, 'REV'])).map(storedSuffix<'standup'>);
    },
    /** Returns the first item of the workspace that may have to be sent by `now` (ms); undefined if none is due. */
    async findDue(workspace: Id<'workspace'>, now: number, deadline: number): Promise<DueNotice | undefined> {
      // An item to which something was added is due some microseconds later.
      const range = ['-inf', String(now + 1), 'BYSCORE', 'LIMIT', '0', '1', 'WITHSCORES'];
      const key = workspaceKeys(workspace).noticesDue();
      const [name, due] = await call<string[]>(deadline, ['ZRANGE', key, ...range]);
      if (name === undefined || due === undefined) return undefined;
      const [member = '', standup = ''] = name.split('/');
      return {member: storedSuffix(member), standup: storedSuffix(standup), due};
    },
  };
}

function parseEntry(
  standup: string,
  sequence: number,
  item: string,
  isUnread: boolean,
): Omit<InboxEntry, 'muted'> {
  const [unread, reasons = '', latest = '', by = '', about = '', at, since, ...news] = item.split(' ');
  const [reason, sender = '', subject = ''] = news;
  return {
    standup: storedSuffix<'standup'>(standup),
    sequence,
    unread: isUnread ? Number(unread) : 0,
    reasons: reasons.split(',') as InboxReason[],
    latest: latest as InboxReason,
    by: storedId<'member' | 'service_account'>(by),
    about: storedSuffix(about),
    at: Number(at),
    since: Number(since ?? sequence),
    news:
      reason === undefined
        ? undefined
        : {
            latest: reason as InboxReason,
            by: storedId<'member' | 'service_account'>(sender),
            about: storedSuffix(subject),
          },
  };
}

function pairUp(flat: readonly string[]): [string, string][] {
  return Array.from({length: flat.length / 2}, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
}
