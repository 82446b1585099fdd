import type {RecordOf} from '../../domain/records.js';
import {type Call, type AccessToken, createCallByService} from '../../domain/core/access.js';
import {suffixOf, type Id, type IdKind} from '../../domain/core/ids.js';
import {limits, streaming} from '../../domain/core/limits.js';
import type {ListName} from '../../domain/core/lists.js';
import {parseWire, type WireJson, type Resource} from '../../domain/core/resource.js';
import type {ServiceContext} from '../core/context.js';
import {listActions, type PersonExport, type Pages, type PersonSource} from '../core/kind-rules.js';
import {readPage} from '../core/paging.js';
import {requireMember} from '../core/member-references.js';
import {listTeamsOfJson} from '../core/named-teams-of-json.js';
import {createTokenRecords, presentUsedToken, toToken} from '../tokens/token-records.js';
import type {Drafts} from '../drafts/drafts.js';
import type {Inbox} from '../inbox/inbox.js';
import {createStandupExporter} from '../standups/standup-export.js';

const revisionsAtOnce = 20;

/**
 * Opens the export of all data about a person, one resource in each row: the person, then the resources of
 * each kind in service/kinds.ts that the caller's scopes allow. Only the person, owners and admins may
 * export; for an owner, only owners. Ends with an error if the token expires or is revoked. Errors:
 * `not_found`, `forbidden`.
 */
export function createPersonExporter(
  context: ServiceContext,
  {drafts, inbox}: {readonly drafts: Drafts; readonly inbox: Inbox},
) {
  const {requireStillAllowed, authority, records, monotonic, kinds, teams} = context;
  const exportStandups = createStandupExporter(context);
  const tokenRecords = createTokenRecords(context);

  const all = listActions(kinds, 'personExport');
  // Kinds that need no scope come first.
  const rules = [...all.filter(({scope}) => !scope), ...all.filter(({scope}) => scope)];

  /**
   * Leaves out what belongs to private teams that the caller may not see. The person gets everything about
   * themselves, also of teams that they have left.
   */
  async function leaveOutHidden<R>(
    call: Call,
    about: Id<'member'>,
    rows: readonly WireJson<R>[],
  ): Promise<readonly WireJson<R>[]> {
    if (call.principal.id === about) return rows;
    const named = rows.map(listTeamsOfJson);
    const hidden = await teams.listHidden(call, named.flat());
    return rows.filter((_, i) => named[i]?.some((id) => hidden.has(id)) !== true);
  }

  async function* readList<K extends IdKind>(
    step: () => Call,
    about: Id<'member'>,
    list: ListName<K>,
  ): Pages<RecordOf<K>> {
    let past: number | undefined;
    do {
      const now = step();
      const [{rows, next}] = await Promise.all([
        readPage(records, now, {list, past, limit: limits.pageMax}),
        requireStillAllowed(now),
      ]);
      yield await leaveOutHidden(now, about, rows);
      past = next;
    } while (past !== undefined);
  }

  async function* readEarlierRevisions(
    step: () => Call,
    about: Id<'member'>,
    json: WireJson,
    present: NonNullable<PersonExport['presentEarlier']>,
  ): Pages {
    const {id, revision} = parseWire(json as WireJson<Resource>);
    for (let to = revision - 1; to > 0; to -= revisionsAtOnce) {
      const now = step();
      const range = {from: Math.max(1, to - revisionsAtOnce + 1), to};
      const [earlier] = await Promise.all([
        records.listRevisions(now.workspace, suffixOf(id), range, now.deadline),
        requireStillAllowed(now),
      ]);
      const seen = await leaveOutHidden(now, about, earlier);
      yield seen.map((one) => JSON.stringify(present(parseWire(one) as never)));
    }
  }

  return async function exportPerson(
    call: Call,
    reference: string,
  ): Promise<{readonly id: Id<'member'>; pages: () => AsyncGenerator<readonly WireJson[], void, void>}> {
    const member = await requireMember(records, call, reference);
    const {id, role} = member;
    if (call.principal.id !== id) {
      await authority.requireAdmin(call, "export another member's data");
      if (role === 'owner') await authority.requireOwner(call, 'export the data of an owner');
    }
    const isOwn = call.principal.id === id;
    const step = (): Call => ({...call, deadline: monotonic() + streaming.step});
    const source: PersonSource = {
      list: (list) => readList(step, id, list),
      async *tokens(list) {
        for await (const rows of readList(step, id, list)) {
          const found = await tokenRecords.withUse(
            step(),
            rows.map((json) => toToken({json})),
          );
          yield found.map((one): WireJson<AccessToken> => JSON.stringify(presentUsedToken(one)));
        }
      },
      async *standupsOf(author) {
        const filter = {author, order: 'asc'} as const;
        yield* (await exportStandups(step(), filter, isOwn ? createCallByService : undefined)).pages();
      },
    };

    async function* exportPages() {
      yield [JSON.stringify(member)];
      for (const {scope, read, presentEarlier} of rules) {
        if (scope !== undefined && !call.scopes.has(scope)) continue;
        for (const found of read(source, id)) {
          for await (const rows of found) {
            if (presentEarlier === undefined) yield rows;
            else
              for (const json of rows) {
                yield [json];
                yield* readEarlierRevisions(step, id, json, presentEarlier);
              }
          }
        }
      }
      // What the caller may not see, such as a team that has become private, is left out.
      if (call.scopes.has('standups:read')) yield await inbox.listItemsOf(step(), id);
      // Nobody else reads all parts of a draft, also not an admin who exports the member's data.
      if (call.principal.id === id && call.scopes.has('standups:read')) {
        const found = await drafts.listDrafts(step(), id);
        yield found.map((draft) => JSON.stringify(draft));
      }
    }
    return {id, pages: exportPages};
  };
}
