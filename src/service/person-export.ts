import type {Call, Scope} from '../domain/access.js';
import {drawnPart} from '../domain/ids.js';
import {limits, streaming} from '../domain/limits.js';
import {type ListName, lists} from '../domain/lists.js';
import type {WireJson} from '../domain/resource.js';
import {presentRevision, type Standup} from '../domain/standup.js';
import type {Authority} from './authority.js';
import type {MemberService} from './members.js';
import {createRequireStillAllowed, type StillAllowedParts} from './still-allowed.js';
import type {ExportStandups} from './standup-export.js';
import type {Records} from './stores.js';

/**
 * Opens everything that is kept of a person, a resource a row: themselves, their absences, their places in teams, their blockers, their standups with their earlier texts, and
 * their tokens without the secrets; of these what the caller's scopes reach. For themselves and for those who run the workspace. Ends with an
 * error when the token does. Errors: `not_found`, `forbidden`.
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

export function createExportPerson(parts: PersonExportParts): ExportPerson {
  const {authority, members, exportStandups, records, monotonic} = parts;
  const requireStillAllowed = createRequireStillAllowed(parts);

  async function* readList(
    step: () => Call,
    list: ListName,
  ): AsyncGenerator<readonly WireJson[], void, void> {
    let below: number | undefined;
    do {
      const now = step();
      const query = {list, limit: limits.pageMax, ...(below !== undefined && {below})};
      const [{rows, more}] = await Promise.all([
        records.list(now.workspace, query, now.deadline),
        requireStillAllowed(now),
      ]);
      yield rows.map(({json}) => json);
      below = more ? rows.at(-1)?.place : undefined;
    } while (below !== undefined);
  }

  /** A standup and, after it, what it said before its changes, the latest first. */
  async function withRevisions({workspace, deadline}: Call, json: WireJson): Promise<WireJson[]> {
    const {id, revision} = JSON.parse(json) as Standup;
    const range = {from: 1, to: revision - 1};
    const earlier = await records.listRevisions(workspace, drawnPart(id), range, deadline);
    return [json, ...earlier.map((one) => JSON.stringify(presentRevision(JSON.parse(one) as Standup)))];
  }

  return async function exportPerson(call, id) {
    const member = await members.findMember(call, id);
    if (call.principal.id !== id) await authority.requireAdmin(call, "export somebody else's data");
    const step = (): Call => ({...call, deadline: monotonic() + streaming.step});
    const reaches = (scope: Scope) => call.scopes.has(scope);

    async function* pages() {
      yield [JSON.stringify(member)];
      yield* readList(step, lists.absencesOf(id));
      if (reaches('teams:read')) yield* readList(step, lists.teamsOfMember(id));
      if (reaches('tokens:manage')) yield* readList(step, lists.accessTokensOf(id));
      if (!reaches('standups:read')) return;
      yield* readList(step, lists.blockersOf(id));
      const standups = await exportStandups(step(), {author: id, order: 'asc'});
      for await (const page of standups.pages()) {
        yield (await Promise.all(page.map((json) => withRevisions(step(), json)))).flat();
      }
    }
    return {pages};
  };
}
