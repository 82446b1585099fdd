import type {Call, Principal, PrincipalId, RequestContext} from '../../domain/core/access.js';
import {nothing} from '../../domain/commit/commit.js';
import {toInstant} from '../../domain/core/dates.js';
import {type Id, type IdSuffix, isId, suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import type {Page, PageQuery} from '../../domain/core/lists.js';
import {plainText} from '../../domain/core/markdown.js';
import {parseWire, readTextFieldOfJson, type WireJson} from '../../domain/core/resource.js';
import type {Blocker} from '../../domain/blockers/blocker.js';
import type {Comment} from '../../domain/comments/comment.js';
import type {InboxEntry, InboxItem, InboxRead} from '../../domain/inbox/inbox.js';
import type {Reaction} from '../../domain/reactions/reaction.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {TeamDirectory} from '../../domain/teams/team.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import {scanPages} from '../core/paging.js';
import type {TeamReader} from '../core/reach.js';

export interface InboxQuery extends PageQuery {
  /** True for unread items only. */
  readonly unread?: boolean | undefined;
}

/** The inbox of a member. Service accounts have none: theirs is always empty. */
export type Inbox = ReturnType<typeof createInbox>;

export function createInbox({records, teams, inboxes, mutate}: ServiceContext) {
  async function present(
    {workspace, deadline}: RequestContext,
    directory: TeamDirectory,
    entries: readonly InboxEntry[],
  ): Promise<(WireJson<InboxItem> | undefined)[]> {
    const [standups, about, people] = await Promise.all([
      records.findLatest(
        workspace,
        entries.map(({standup}) => standup),
        deadline,
      ),
      records.findLatest(
        workspace,
        entries.map((entry) => entry.about),
        deadline,
      ),
      records.findMany(
        workspace,
        entries.map(({by}) => by),
        deadline,
      ),
    ]);
    return entries.map((entry, i) => {
      const standup = parse<Standup>(standups[i]);
      if (!isShown(standup, directory)) return undefined;
      return JSON.stringify(presentItem(entry, standup, parse(about[i]), people[i]));
    });
  }

  async function listSeen(call: Call, named: readonly IdSuffix<'standup'>[]): Promise<IdSuffix<'standup'>[]> {
    const [directory, standups] = await Promise.all([
      teams.of(call),
      records.findLatest(call.workspace, named, call.deadline),
    ]);
    return named.filter((_, i) => isShown(parse<Standup>(standups[i]), directory));
  }

  return {
    /** Lists the items of the caller's inbox, the newest first. */
    async listInbox(call: Call, {unread = false, ...page}: InboxQuery): Promise<Page<WireJson<InboxItem>>> {
      const {workspace, principal, deadline} = call;
      if (!isId('member', principal.id)) return {rows: [], next: undefined};
      const all = await inboxes.list(workspace, principal.id, deadline);
      const entries = unread ? all.filter((entry) => entry.unread > 0) : all;
      const directory = await teams.of(call);
      return scanPages(
        ({past = Number.POSITIVE_INFINITY, limit}) => {
          const rest = entries.filter(({sequence}) => sequence < past);
          const rows = rest.slice(0, limit).map((entry) => ({...entry, position: entry.sequence}));
          return Promise.resolve({rows, next: rest.length > limit ? rows.at(-1)?.position : undefined});
        },
        page,
        (rows) => present(call, directory, rows),
      );
    },
    /** Lists all items of a member's inbox that the caller may see, without what others wrote. */
    async listItemsOf(call: Call, member: Id<'member'>): Promise<readonly WireJson<InboxItem>[]> {
      const entries = await inboxes.list(call.workspace, member, call.deadline);
      const items = await present(call, await teams.of(call), entries);
      return items.flatMap((json) => {
        if (json === undefined) return [];
        const {latest, ...item} = parseWire(json);
        return JSON.stringify({...item, latest: {...latest, excerpt: null}});
      });
    },
    /** Counts the caller's unread items, up to `limits.inboxUnread`. */
    async countUnread(call: Call): Promise<number> {
      const {workspace, principal, deadline} = call;
      if (!isId('member', principal.id)) return 0;
      const suffixes = await inboxes.listUnread(workspace, principal.id, deadline);
      if (suffixes.length === 0) return 0;
      const [directory, standups] = await Promise.all([
        teams.of(call),
        records.findLatest(workspace, suffixes, deadline),
      ]);
      return standups.filter(
        (json) => json && directory.byReference(readTextFieldOfJson(json, 'team_id')) !== undefined,
      ).length;
    },
    /**
     * Returns the unread item that fits, with the number of its first event, if the reader may see it. What came
     * last in it is the last that its member wanted a message about.
     */
    async findUnread(
      reader: TeamReader,
      member: Id<'member'>,
      fits: (entry: InboxEntry) => boolean,
    ): Promise<{readonly item: InboxItem; readonly since: number} | undefined> {
      const all = await inboxes.list(reader.workspace, member, reader.deadline);
      const entry = all.find((one) => one.unread > 0 && fits(one));
      if (entry === undefined) return undefined;
      const [json] = await present(reader, await teams.of(reader), [{...entry, ...entry.news}]);
      return json && {item: parseWire(json), since: entry.since};
    },
    /**
     * Marks items as read, and mutes their conversations or ends that. Items that are read, and standups that the
     * caller does not see, change nothing.
     */
    readInbox: (call: Call, {standups, until, muted}: InboxRead): Promise<Answer<void>> =>
      mutate<void>(call, async () => {
        const {id: member} = call.principal;
        const named = [...new Set(standups?.map(suffixOf<'standup'>) ?? [])];
        if (!isId('member', member)) return {...nothing, effect: 'release', reply: {kind: 'empty'}};
        const writes = (standups === undefined ? [null] : named).map(
          (standup) => ({do: 'read-inbox', member, standup, until}) as const,
        );
        const seen = muted === undefined ? [] : await listSeen(call, named);
        return {
          ...nothing,
          effect: muted === true ? 'growth' : 'release',
          writes: [
            ...writes,
            ...seen.map((standup) => ({do: 'mute-inbox', member, standup, mutes: muted === true}) as const),
          ],
          reply: {kind: 'empty'},
        };
      }),
  };
}

/** False for a standup that is deleted, or in a team that the reader may not see. */
function isShown(standup: Standup | undefined, directory: TeamDirectory): standup is Standup {
  return standup !== undefined && directory.byReference(standup.team_id) !== undefined;
}

function parse<R>(json: WireJson | undefined): R | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as R);
}

function presentItem(
  {unread, reasons, latest, sequence, at, by: id, muted}: InboxEntry,
  {id: standup, team, team_id, date, author}: Standup,
  about: About | undefined,
  person: {readonly name: string} | undefined,
): InboxItem {
  return {
    object: 'inbox_item',
    standup,
    team,
    team_id,
    date,
    author,
    unread,
    reasons,
    muted,
    latest: {
      reason: latest,
      by: person === undefined ? null : createPrincipal(id, person.name),
      comment: about?.object === 'comment' ? about.id : null,
      blocker: about?.object === 'blocker' ? {id: about.id, state: about.state} : null,
      excerpt: createExcerpt(about),
      sequence,
      at: toInstant(at),
    },
  };
}

function createPrincipal(id: PrincipalId, name: string): Principal {
  return isId('member', id) ? {type: 'member', id, name} : {type: 'service_account', id, name};
}

/** The record of what came last. */
type About = Blocker | Comment | Standup | Reaction;

function createExcerpt(about: About | undefined): string | null {
  if (about === undefined || about.object === 'reaction') return null;
  const text =
    about.object === 'blocker'
      ? about.text
      : plainText(about.object === 'comment' ? about.text : about.update, about.format ?? 'plain');
  // Code points beyond the limit are at most two units each.
  return Array.from(text.slice(0, 2 * limits.inboxExcerpt))
    .slice(0, limits.inboxExcerpt)
    .join('');
}
