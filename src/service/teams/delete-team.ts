import type {Call} from '../../domain/core/access.js';
import type {Blocker} from '../../domain/blockers/blocker.js';
import type {Commit, EventDraft, Write} from '../../domain/commit/commit.js';
import {parameterError} from '../../domain/core/errors.js';
import {drawnPart} from '../../domain/core/ids.js';
import type {Retention} from '../../domain/core/limits.js';
import {type ListName, lists} from '../../domain/core/lists.js';
import type {Run} from '../../domain/runs/run.js';
import {type Standup, standupListings} from '../../domain/standups/standup.js';
import type {TeamMember} from '../../domain/teams/team.js';
import type {Authority} from '../core/authority.js';
import {leaveWrite} from '../blockers/blocker-records.js';
import {type RequireTeam, unchangedSince} from './find-team.js';
import type {Mutate, Plan} from '../core/mutation.js';
import {type Expected, requireRevision} from '../core/precondition.js';
import type {Clock, Records} from '../core/stores.js';
import {linkChannel} from './team-channels.js';
import {leaveWrites} from './team-places.js';

export interface DeleteTeamParts {
  readonly requireTeam: RequireTeam;
  readonly mutate: Mutate;
  readonly records: Records;
  readonly authority: Authority;
  readonly clock: Clock;
  readonly retention: Retention;
}

export interface TeamDeletion {
  /** Errors as `TeamService.deleteTeam`. */
  planDelete(call: Call, reference: string, force: boolean, expected?: Expected): Promise<Plan>;
  /** As `TeamService.purgeTeam`. */
  purgeTeam(call: Call, team: string): Promise<boolean>;
}

/** A standup, a blocker or a place in a team has up to eight keys, and a commit touches at most 200. */
const purgedAtOnce = 24;

export function createTeamDeletion(parts: DeleteTeamParts): TeamDeletion {
  const {requireTeam, mutate, records, authority, clock, retention} = parts;

  /** The team goes at once; its standups, which may be many, are answered 404 from then on and removed by a job. */
  async function planDelete(
    call: Call,
    reference: string,
    force: boolean,
    expected?: Expected,
  ): Promise<Plan> {
    const [team, directory] = await requireTeam(call, reference);
    const proof = await authority.requireLead(call, team, 'delete it');
    requireRevision(expected, team.revision);
    const standups = await records.count(call.workspace, lists.standupsOfTeam(team.id), call.deadline);
    if (standups > 0 && !force) {
      const detail = `The team "${team.slug}" has ${standups} standup${standups === 1 ? '' : 's'}. Delete it with ?force=true to delete them too.`;
      throw parameterError('force', detail, 'team_not_empty');
    }
    const events: EventDraft[] = [
      {type: 'team.deleted', about: drawnPart(team.id), revision: team.revision, team: team.id},
    ];
    const commit: Commit = {
      effect: 'release',
      guards: [
        unchangedSince(directory),
        ...proof,
        ...(force ? [] : [{check: 'shorter', list: lists.standupsOfTeam(team.id), than: 1} as const]),
      ],
      writes: [
        {do: 'remove', id: team.id, from: team.revision, lists: [lists.teams()], names: []},
        {do: 'free-name', names: 'team-slug', name: team.slug},
        ...linkChannel(team.slack_channel_id, null, drawnPart(team.id)),
        {do: 'disband', team: team.id},
        {do: 'touch', collection: 'teams', drawn: drawnPart(team.id)},
        {do: 'purge-team', team: team.id},
      ],
      events,
      reply: {status: 204},
    };
    return {commit};
  }

  /** Without events of their own: `team.deleted` has told that they go. */
  function planPurge(writes: readonly Write[]): Plan {
    return {commit: {effect: 'release', guards: [], writes, events: [], reply: {status: 204}}};
  }

  return {
    planDelete,
    async purgeTeam(call, team) {
      // Read inside the plan: another process may be at the same work.
      let more = false;
      const read = async (list: ListName) => {
        const found = await records.list(call.workspace, {list, limit: purgedAtOnce}, call.deadline);
        more ||= found.next !== undefined;
        return found.rows;
      };
      await mutate(call, async () => {
        more = false;
        const standups = await read(lists.standupsOfTeam(team));
        if (standups.length > 0) {
          // The places come after the last standup.
          more = true;
          return planPurge(
            standups.map(({json}) =>
              removeStandup(JSON.parse(json) as Standup, clock.now() - retention.events * 1_000),
            ),
          );
        }
        const runs = await read(lists.runsOfTeam(team));
        if (runs.length > 0) {
          more = true;
          return planPurge(runs.flatMap(({json}) => removeRun(JSON.parse(json) as Run)));
        }
        const blockers = await read(lists.blockersOfTeam(team));
        if (blockers.length > 0) {
          more = true;
          return planPurge(blockers.map(({json}) => leaveWrite(JSON.parse(json) as Blocker, 'remove')));
        }
        const places = await read(lists.teamMembers(team));
        return planPurge(places.flatMap(({json}) => leaveWrites(JSON.parse(json) as TeamMember)));
      });
      return more;
    },
  };
}

/** Its revisions stay for the events that tell of it; of one that no event tells of any more, nothing stays. `oldest`: since when events are kept (ms). */
function removeStandup(standup: Standup, oldest: number): Write {
  const {id, revision, updated_at, author} = standup;
  const untold = Date.parse(updated_at) < oldest;
  return {
    do: untold ? 'erase' : 'remove',
    id,
    from: revision,
    lists: standupListings(standup).map(({list}) => list),
    names: [author.id],
  };
}

function removeRun({id, revision, team_id: team}: Run): Write[] {
  const drawn = drawnPart(id);
  return [
    {
      do: 'remove',
      id,
      from: revision,
      lists: [lists.runsOfTeam(team), lists.openRunsOfTeam(team)],
      // It names people by their ids.
      names: [],
    },
    {do: 'drop-steps', run: drawn},
  ];
}
