import type {PrincipalId, PrincipalReference, RequestContext} from '../../domain/core/access.js';
import {suffixOf, type IdSuffix, isId} from '../../domain/core/ids.js';
import {lists, parseSequenceOfPosition} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import type {StandupAtRevision, StandupBlocker} from '../../domain/slack/standup-content.js';
import type {Records} from '../../store/core/records.js';
import type {SlackPeople} from '../../store/slack/slack-people.js';

/** Reads the content of standup messages. */
export interface StandupContents {
  /** Returns a standup at one revision; undefined if that revision has been erased. */
  findStandup: (
    call: RequestContext,
    suffix: IdSuffix<'standup'>,
    revision: number,
  ) => Promise<StandupAtRevision | undefined>;
  /** Returns the current state of the blockers that a standup has raised. */
  listBlockersOf: (
    call: RequestContext,
    standup: Pick<StandupAtRevision, 'id' | 'author'>,
  ) => Promise<StandupBlocker[]>;
  /** Returns the address of a member's picture; undefined if unknown. */
  findPicture: (call: RequestContext, author: PrincipalId) => Promise<string | undefined>;
  /** Returns the names of the authors of these standups, sorted. Deleted standups are left out. */
  listAuthors: (call: RequestContext, standups: readonly IdSuffix<'standup'>[]) => Promise<string[]>;
}

export interface StandupContentParts {
  readonly records: Pick<Records, 'findBySuffix' | 'findPosition' | 'findRevision' | 'list'>;
  readonly slackPeople: Pick<SlackPeople, 'findPicture'>;
}

/**
 * The number of the author's blockers that are read on each side of the standup's position in their list.
 * Some of its blockers may be elsewhere in the list: an edit raises blockers later, and a deleted standup
 * leaves its blockers to another standup with the same text.
 */
const maxRead = 200;

export function createStandupContents({records, slackPeople}: StandupContentParts): StandupContents {
  /** Returns the name of a person: null if the person is deleted, undefined for the author. */
  async function findPersonName(
    {workspace, deadline}: RequestContext,
    one: PrincipalReference | null,
  ): Promise<string | null | undefined> {
    if (!one) return undefined;
    return (await records.findBySuffix(workspace, suffixOf(one.id), deadline))?.name ?? null;
  }

  return {
    async findStandup(call, suffix, revision) {
      const standup = await records.findRevision(call.workspace, suffix, revision, call.deadline);
      if (standup === undefined) return undefined;
      const {posted_by, edited_by} = standup;
      const [poster, editor] = await Promise.all([
        findPersonName(call, posted_by),
        findPersonName(call, edited_by),
      ]);
      return {...standup, poster, editor};
    },
    async listBlockersOf(call, {id, author}) {
      const {workspace, deadline} = call;
      const own = lists.standupsOfAuthor(author.id);
      const position = await records.findPosition(workspace, own, suffixOf(id), deadline);
      if (position === undefined) return [];
      const at = parseSequenceOfPosition(position);
      const query = {list: lists.blockersOf(author.id), limit: maxRead};
      const [earlier, later] = await Promise.all([
        records.list(workspace, {...query, to: at}, deadline),
        records.list(workspace, {...query, from: at, upward: true}, deadline),
      ]);
      const rows = [...earlier.rows.toReversed(), ...later.rows];
      const fromStandup = rows.map(({json}) => parseWire(json)).filter(({standup}) => standup === id);
      return Promise.all(
        fromStandup.map(async ({id: blocker, text, state, acknowledged_by: by}): Promise<StandupBlocker> => {
          const name = state === 'acknowledged' ? await findPersonName(call, by) : null;
          return {id: blocker, text, state, by: name ?? null};
        }),
      );
    },
    async findPicture({workspace, deadline}, author) {
      if (!isId('member', author)) return undefined;
      const member = await records.findBySuffix(workspace, suffixOf(author), deadline);
      const user = member?.slack_user_id ?? undefined;
      return user === undefined ? undefined : slackPeople.findPicture(workspace, user, deadline);
    },
    async listAuthors({workspace, deadline}, standups) {
      const found = await Promise.all(
        standups.map((suffix) => records.findBySuffix(workspace, suffix, deadline)),
      );
      const names = found.flatMap((standup) => (standup === undefined ? [] : [standup.author.name]));
      return names.toSorted((a, b) => a.localeCompare(b, 'en'));
    },
  };
}
