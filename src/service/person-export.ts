import type {AccessToken, Call, Scope} from '../domain/access.js';
import {drawnPart} from '../domain/ids.js';
import {limits, streaming} from '../domain/limits.js';
import {type ListName, lists} from '../domain/lists.js';
import type {Resource, WireJson} from '../domain/resource.js';
import {completeStandup, presentRevision, type Standup} from '../domain/standup.js';
import type {Authority} from './authority.js';
import type {MemberService} from './members.js';
import {createRequireStillAllowed, type StillAllowedParts} from './still-allowed.js';
import type {ExportStandups} from './standup-export.js';
import type {Records} from './stores.js';

/**
 * Opens everything that is kept of a person, a resource a row: themselves, their absences and those that they have entered for others, their places in
 * teams, their blockers, their standups, and their tokens and those that they have made for others, without the secrets; of these what the caller's scopes reach. Absences, blockers and
 * standups are followed by what they said before their changes, the latest first. For themselves and for those who run the workspace.
 * Ends with an error when the token does. Errors: `not_found`, `forbidden`.
 */
export type ExportPerson = (
  call: Call,
  member: string,
) => Promise<{pages(): AsyncGenerator<readonly WireJson[], void, void>}>;

export interface PersonExportParts extends StillAllowedParts {
  readonly authority: Authority;
  readonly members: Pick<MemberService, 'findMember'>;
  readonly exportStandups: ExportStandups;
  readonly records: Pick<Records, 'list' | 'listRevisions'>;
  /** Monotonic ms. */
  readonly monotonic: () => number;
}

/** What is exported of one resource. */
type WithEarlier = (call: Call, json: WireJson) => Promise<WireJson[]>;

export function createExportPerson(parts: PersonExportParts): ExportPerson {
  const {authority, members, exportStandups, records, monotonic} = parts;
  const requireStillAllowed = createRequireStillAllowed(parts);

  async function* readList(
    step: () => Call,
    list: ListName,
    withEarlier: WithEarlier = async (_, json) => [json],
  ): AsyncGenerator<readonly WireJson[], void, void> {
    let below: number | undefined;
    do {
      const now = step();
      const query = {list, limit: limits.pageMax, ...(below !== undefined && {below})};
      const [{rows, more}] = await Promise.all([
        records.list(now.workspace, query, now.deadline),
        requireStillAllowed(now),
      ]);
      yield (await Promise.all(rows.map(({json}) => withEarlier(now, json)))).flat();
      below = more ? rows.at(-1)?.place : undefined;
    } while (below !== undefined);
  }

  /** A resource and, after it, what it said before its changes, the latest first. */
  const withRevisions =
    (present: (earlier: Resource) => Resource): WithEarlier =>
    async ({workspace, deadline}, json) => {
      const {id, revision} = JSON.parse(json) as Resource;
      const range = {from: 1, to: revision - 1};
      const earlier = await records.listRevisions(workspace, drawnPart(id), range, deadline);
      return [json, ...earlier.map((one) => JSON.stringify(present(JSON.parse(one) as Resource)))];
    };
  const withTexts = withRevisions((earlier) => presentRevision(completeStandup(earlier as Standup)));
  const withStates = withRevisions((earlier) => ({...earlier, object: `${earlier.object}_revision`}));

  return async function exportPerson(call, id) {
    const member = await members.findMember(call, id);
    if (call.principal.id !== id) await authority.requireAdmin(call, "export somebody else's data");
    const step = (): Call => ({...call, deadline: monotonic() + streaming.step});
    const reaches = (scope: Scope) => call.scopes.has(scope);

    async function* pages() {
      yield [JSON.stringify(member)];
      yield* readList(step, lists.absencesOf(id), withStates);
      yield* readList(step, lists.absencesEnteredBy(id), withStates);
      if (reaches('teams:read')) yield* readList(step, lists.teamsOfMember(id));
      if (reaches('tokens:manage')) {
        yield* readList(step, lists.accessTokensOf(id));
        yield* readList(step, lists.accessTokensBy(id), async (_, json) =>
          (JSON.parse(json) as AccessToken).holder.id === id ? [] : [json],
        );
      }
      if (!reaches('standups:read')) return;
      yield* readList(step, lists.blockersOf(id), withStates);
      const standups = await exportStandups(step(), {author: id, order: 'asc'});
      for await (const page of standups.pages()) {
        yield (await Promise.all(page.map((json) => withTexts(step(), json)))).flat();
      }
    }
    return {pages};
  };
}
