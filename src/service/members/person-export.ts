import type {AccessToken, Call, Scope} from '../../domain/core/access.js';
import {drawnPart} from '../../domain/core/ids.js';
import {limits, streaming} from '../../domain/core/limits.js';
import {type ListName, lists} from '../../domain/core/lists.js';
import type {Resource, WireJson} from '../../domain/core/resource.js';
import {completeStandup, presentRevision, type Standup} from '../../domain/standups/standup.js';
import type {Authority} from '../core/authority.js';
import type {MemberService} from './members.js';
import {createRequireStillAllowed, type StillAllowedParts} from '../core/still-allowed.js';
import type {ExportStandups} from '../standups/standup-export.js';
import type {Records} from '../core/stores.js';

/**
 * Opens everything that is kept of a person, a resource a row: themselves, their absences and those that they have entered for others, their places in
 * teams, their blockers, their standups, and their tokens and those that they have made for others, without the secrets; of these what the caller's scopes reach. Absences, blockers and
 * standups are followed by what they said before their changes, the latest first. For themselves and for those who run the workspace.
 * Ends with an error when the token does. Errors: `not_found`, `forbidden`.
 */
export type ExportPerson = (
  call: Call,
  member: string,
) => Promise<{readonly id: string; pages(): AsyncGenerator<readonly WireJson[], void, void>}>;

export interface PersonExportParts extends StillAllowedParts {
  readonly authority: Authority;
  readonly members: Pick<MemberService, 'findMember'>;
  readonly exportStandups: ExportStandups;
  readonly records: Pick<Records, 'list' | 'listRevisions'>;
  /** Monotonic ms. */
  readonly monotonic: () => number;
}

/** What is exported of one resource: itself, and what it said before, a few of that at a time. */
type WithEarlier = (json: WireJson) => AsyncGenerator<readonly WireJson[], void, void>;

/** Earlier revisions that are read at once. */
const revisionsAtOnce = 20;

export function createExportPerson(parts: PersonExportParts): ExportPerson {
  const {authority, members, exportStandups, records, monotonic} = parts;
  const requireStillAllowed = createRequireStillAllowed(parts);

  async function* readList(
    step: () => Call,
    list: ListName,
    withEarlier?: WithEarlier,
  ): AsyncGenerator<readonly WireJson[], void, void> {
    let past: number | undefined;
    do {
      const now = step();
      const [{rows, next}] = await Promise.all([
        records.list(now.workspace, {list, past, limit: limits.pageMax}, now.deadline),
        requireStillAllowed(now),
      ]);
      if (withEarlier === undefined) yield rows.map(({json}) => json);
      else for (const {json} of rows) yield* withEarlier(json);
      past = next;
    } while (past !== undefined);
  }

  /** A resource and, after it, what it said before its changes, the latest first. */
  const withRevisions = (step: () => Call, present: (earlier: Resource) => Resource): WithEarlier =>
    async function* readRevisions(json) {
      yield [json];
      const {id, revision} = JSON.parse(json) as Resource;
      for (let to = revision - 1; to > 0; to -= revisionsAtOnce) {
        const now = step();
        const range = {from: Math.max(1, to - revisionsAtOnce + 1), to};
        const [earlier] = await Promise.all([
          records.listRevisions(now.workspace, drawnPart(id), range, now.deadline),
          requireStillAllowed(now),
        ]);
        yield earlier.map((one) => JSON.stringify(present(JSON.parse(one) as Resource)));
      }
    };

  return async function exportPerson(call, reference) {
    const member = await members.findMember(call, reference);
    const {id} = member;
    if (call.principal.id !== id) await authority.requireAdmin(call, "export somebody else's data");
    const step = (): Call => ({...call, deadline: monotonic() + streaming.step});
    const reaches = (scope: Scope) => call.scopes.has(scope);
    const withTexts = withRevisions(step, (earlier) => presentRevision(completeStandup(earlier as Standup)));
    const withStates = withRevisions(step, (earlier) => ({...earlier, object: `${earlier.object}_revision`}));

    async function* pages() {
      yield [JSON.stringify(member)];
      yield* readList(step, lists.absencesOf(id), withStates);
      yield* readList(step, lists.absencesEnteredBy(id), withStates);
      if (reaches('teams:read')) yield* readList(step, lists.teamsOfMember(id));
      if (reaches('tokens:manage')) {
        yield* readList(step, lists.accessTokensOf(id));
        yield* readList(step, lists.accessTokensBy(id), async function* forOthers(json) {
          if ((JSON.parse(json) as AccessToken).holder.id !== id) yield [json];
        });
      }
      if (!reaches('standups:read')) return;
      yield* readList(step, lists.blockersOf(id), withStates);
      const standups = await exportStandups(step(), {author: id, order: 'asc'});
      for await (const page of standups.pages()) {
        for (const json of page) yield* withTexts(json);
      }
    }
    return {id, pages};
  };
}
