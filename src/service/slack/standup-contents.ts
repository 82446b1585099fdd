import type {PrincipalId, PrincipalReference, RequestContext} from '../../domain/core/access.js';
import {suffixOf, type IdSuffix, isId} from '../../domain/core/ids.js';
import {lists, parseSequenceOfPosition} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import type {
  Nameable,
  StandupAtRevision,
  StandupBlocker,
  StandupContent,
} from '../../domain/slack/standup-content.js';
import {standupText} from '../../domain/questions/answers.js';
import type {ServiceContext} from '../core/context.js';

/**
 * The number of the author's blockers that are read on each side of the standup's position in their list.
 * Some of its blockers may be elsewhere in the list: an edit raises blockers later, and a deleted standup
 * leaves its blockers to another standup with the same text.
 */
const maxRead = 200;

export function createStandupContents({records, slackPeople}: ServiceContext) {
  /** Returns the name of a person: null if the person is deleted, undefined for the author. */
  async function findPersonName({workspace, deadline}: RequestContext, one: PrincipalReference | null) {
    if (!one) return undefined;
    return (await records.findBySuffix(workspace, suffixOf(one.id), deadline))?.name ?? null;
  }

  return {
    /** Returns a standup at one revision; undefined if that revision has been erased. */
    async findStandup(
      call: RequestContext,
      suffix: IdSuffix<'standup'>,
      revision: number,
    ): Promise<StandupAtRevision | undefined> {
      const standup = await records.findRevision(call.workspace, suffix, revision, call.deadline);
      if (standup === undefined) return undefined;
      const {posted_by, edited_by} = standup;
      const [poster, editor] = await Promise.all([
        findPersonName(call, posted_by),
        findPersonName(call, edited_by),
      ]);
      return {...standup, poster, editor};
    },
    /** Returns the current state of the blockers that a standup has raised. */
    async listBlockersOf(
      call: RequestContext,
      {id, author}: Pick<StandupAtRevision, 'id' | 'author'>,
    ): Promise<StandupBlocker[]> {
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
    async findPicture(
      {workspace, deadline}: RequestContext,
      author: PrincipalId,
    ): Promise<string | undefined> {
      if (!isId('member', author)) return undefined;
      const member = await records.findBySuffix(workspace, suffixOf(author), deadline);
      const user = member?.slack_user_id ?? undefined;
      return user === undefined ? undefined : slackPeople.findPicture(workspace, user, deadline);
    },
    /** Returns the names of the authors of these standups, sorted. Deleted standups are left out. */
    async listAuthors(
      {workspace, deadline}: RequestContext,
      standups: readonly IdSuffix<'standup'>[],
    ): Promise<string[]> {
      const found = await Promise.all(
        standups.map((suffix) => records.findBySuffix(workspace, suffix, deadline)),
      );
      const names = found.flatMap((standup) => (standup === undefined ? [] : [standup.author.name]));
      return names.toSorted((a, b) => a.localeCompare(b, 'en'));
    },
  };
}

/** The maximum number of people: in a larger workspace, names may not be unique, so they stay text. */
const mostPeople = 1_000;

/**
 * Lists the people that a team's standup may mention and so notify; undefined if there are none. Members are
 * read only if the team allows notifications and the text may mention someone.
 */
export function createNameablePeopleLister({records, teams}: ServiceContext) {
  return async (
    {workspace, deadline}: RequestContext,
    suffix: IdSuffix<'team'>,
    {update, answers = [], format}: Pick<StandupContent, 'update' | 'answers' | 'format'>,
  ): Promise<Nameable[] | undefined> => {
    // In Markdown, names in the text mention no one.
    if (format === 'markdown' || !standupText({update, answers}).includes('@')) return undefined;
    const team = (await teams.all({workspace, deadline})).bySuffix(suffix);
    if (team === undefined || team.slack_mentions === 'none') return undefined;
    const all = await records.list(workspace, {list: lists.members(), limit: mostPeople}, deadline);
    if (all.next !== undefined) return undefined;
    const people = all.rows.map(({json}) => parseWire(json));
    if (team.slack_mentions !== 'team') return people.map(({name, slack_user_id: user}) => ({name, user}));
    const own = await records.list(
      workspace,
      {list: lists.teamMembers(team.id), limit: mostPeople},
      deadline,
    );
    const memberIds: ReadonlySet<string> = new Set(own.rows.map(({json}) => parseWire(json).member.id));
    return people.map(({id, name, slack_user_id: user}) => ({name, user: memberIds.has(id) ? user : null}));
  };
}
