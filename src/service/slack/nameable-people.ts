import type {ServiceContext} from '../core/context.js';
import type {RequestContext} from '../../domain/core/access.js';
import type {IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import {standupText} from '../../domain/questions/answers.js';
import type {Nameable, StandupContent} from '../../domain/slack/standup-content.js';

/** Lists the people that a team's standup may mention and so notify; undefined if there are none. */
export type ListNameable = (
  call: RequestContext,
  team: IdSuffix<'team'>,
  standup: Pick<StandupContent, 'update' | 'answers'>,
) => Promise<Nameable[] | undefined>;

/** The maximum number of people: in a larger workspace, names may not be unique, so they stay text. */
const mostPeople = 1_000;

/**
 * Creates the function that lists these people. Members are read only if the team allows notifications and
 * the text may mention someone.
 */
export function createNameablePeopleLister({records, teams}: ServiceContext): ListNameable {
  return async ({workspace, deadline}, suffix, {update, answers = []}) => {
    if (!standupText({update, answers}).includes('@')) return undefined;
    const team = (await teams.fresh(workspace, deadline)).bySuffix(suffix);
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
