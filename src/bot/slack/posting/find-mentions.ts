import type {Records} from '../../../store/core/records.js';
import {parseWire} from '../../../domain/core/resource.js';
import {wholeText} from '../../../domain/questions/answers.js';
import {lists} from '../../../domain/core/lists.js';
import type {Team} from '../../../domain/teams/team.js';
import {createMentions, type Mentions} from '../rich-text/mentions.js';
import {within} from '../../showing/channel-work.js';
import type {ShownStandup} from './standup-messages.js';
import type {Id, IdSuffix} from '../../../domain/core/ids.js';

/**
 * The people whom a standup of a team (drawn half of its id) may notify by their names; undefined for
 * nobody.
 */
export type FindMentions = (
  workspace: Id<'workspace'>,
  team: IdSuffix<'team'>,
  standup: Pick<ShownStandup, 'update' | 'answers'>,
) => Promise<Mentions | undefined>;

export interface FindMentionsParts {
  readonly records: Pick<Records, 'list'>;
  /** By the drawn half of its id. */
  readonly findTeam: (workspace: Id<'workspace'>, drawn: IdSuffix<'team'>) => Promise<Team | undefined>;
}

/** In a workspace of more people nobody knows that a name is of one alone: then it stays text. */
const mostPeople = 1_000;

/** Members are read only for a text that may name somebody, in a team that lets it tell them. */
export function createFindMentions({records, findTeam}: FindMentionsParts): FindMentions {
  return async (workspace, drawn, {update, answers = []}) => {
    if (!wholeText({update, answers}).includes('@')) return undefined;
    const team = await findTeam(workspace, drawn);
    if (team === undefined || team.slack_mentions === 'none') return undefined;
    const all = await records.list(workspace, {list: lists.members(), limit: mostPeople}, within());
    if (all.next !== undefined) return undefined;
    const told = team.slack_mentions === 'team' ? await listTold(workspace, team) : undefined;
    return createMentions(
      all.rows.map(({json}) => {
        const {id, name, slack_user_id: user} = parseWire(json);
        return {name, user: told === undefined || told.has(id) ? user : null};
      }),
    );
  };

  async function listTold(workspace: Id<'workspace'>, {id}: Team): Promise<ReadonlySet<string>> {
    const {rows} = await records.list(workspace, {list: lists.teamMembers(id), limit: mostPeople}, within());
    return new Set(rows.map(({json}) => parseWire(json).member.id));
  }
}
