import type {Call} from '../../domain/core/access.js';
import type {Commit, EventDraft} from '../../domain/commit/commit.js';
import {createParameterError} from '../../domain/core/errors.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {Resource} from '../../domain/core/resource.js';
import {makeRemovalCommit, planRemovals} from '../core/clear-up.js';
import {listActions} from '../core/kind-rules.js';
import {createTeamsUnchangedGuard} from './find-team.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {createChannelLinkWrites} from './team-channels.js';
import type {ServiceContext} from '../core/context.js';
import {createTeamFinder} from './find-team.js';

export function createTeamDeletion(context: ServiceContext) {
  const {mutate, records, authority, clock, retention, kinds} = context;
  const requireTeam = createTeamFinder(context);
  const rules = listActions(kinds, 'team');

  /**
   * Plans the deletion of a team. The team is removed at once; its standups, perhaps many, return 404 from
   * then on, and a job removes them. Errors: as `TeamService.deleteTeam`.
   */
  async function planDelete(call: Call, reference: string, force: boolean, expected?: Precondition) {
    const [team, directory] = await requireTeam(call, reference);
    const proof = await authority.requireLead(call, team, 'delete it');
    requireRevision(expected, team.revision);
    const standups = await records.count(call.workspace, lists.standupsOfTeam(team.id), call.deadline);
    if (standups > 0 && !force) {
      const detail = `The team "${team.slug}" has ${standups} standup${standups === 1 ? '' : 's'}. To delete the team with its standups, add ?force=true.`;
      throw createParameterError('force', detail, 'team_not_empty');
    }
    const events: EventDraft[] = [
      {type: 'team.deleted', about: suffixOf(team.id), revision: team.revision, team: team.id},
    ];
    const commit: Commit = {
      effect: 'release',
      guards: [
        createTeamsUnchangedGuard(directory),
        ...proof,
        ...(force ? [] : [{check: 'length', list: lists.standupsOfTeam(team.id), below: 1} as const]),
      ],
      writes: [
        {do: 'remove', id: team.id, from: team.revision, lists: [lists.teams()], names: []},
        {do: 'free-name', names: 'team-slug', name: team.slug, suffix: suffixOf(team.id)},
        ...createChannelLinkWrites(team.slack_channel_id, null, suffixOf(team.id)),
        {do: 'disband', team: team.id},
        {do: 'touch', collection: 'teams', suffix: suffixOf(team.id)},
        {do: 'begin-work', work: {kind: 'purge-team', team: team.id}},
      ],
      events,
      reply: {kind: 'empty'},
    };
    return commit;
  }

  return {
    planDelete,
    /** Removes a part of a deleted team's data: see `TeamService.purgeTeam`. */
    async purgeTeam(call: Call, team: Id<'team'>): Promise<boolean> {
      const {workspace, deadline} = call;
      const oldest = clock.now() - retention.events * 1_000;
      // A resource is erased completely once no stored event mentions it any more.
      const howOf = ({updated_at: at}: Resource) => (Date.parse(at) < oldest ? 'erase' : 'remove');
      for (const {list, clear} of rules) {
        if ((await records.count(workspace, list(team), deadline)) === 0) continue;
        let found = 0;
        await mutate(call, async () => {
          const cleared = await planRemovals(records, call, {list: list(team)}, (row) =>
            clear(row, howOf(row)),
          );
          found = cleared.length;
          return makeRemovalCommit(cleared);
        });
        if (found > 0) return true;
      }
      return false;
    },
  };
}
