import type {RequestContext} from '../../domain/core/access.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import {findResourceKind} from '../../domain/events/change.js';
import type {EventTeams, LogEntry} from '../../domain/events/event.js';
import type {Team, TeamDirectory} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {listTeamsOfResource} from '../core/named-teams-of-json.js';

const noTeams: EventTeams = {ids: [], closes: false};

/**
 * Creates the function that finds the private teams of events, at present. `directory`: the teams, at least as
 * new as the events.
 */
export function createEventTeams({events, records, teams: reached}: ServiceContext) {
  /** Returns the ids of the teams of an event. `json`: the event, if its content may name teams. */
  function listTeams(entry: LogEntry, directory: TeamDirectory, json?: WireJson): Id<'team'>[] {
    const {data, previous_attributes: before} =
      json === undefined ? noContent : (JSON.parse(json) as Content);
    const said = [data ?? {}, before ?? {}].flatMap(listTeamsOfResource);
    const about = findResourceKind(entry.type) === 'team' ? directory.bySuffix(asTeam(entry))?.id : undefined;
    return [...new Set([entry.team, about, ...said])].filter((id) => typeof id === 'string');
  }

  async function makesPrivate({workspace, deadline}: RequestContext, {type, about, revision}: LogEntry) {
    if (type !== 'team.updated') return false;
    const refs = [revision - 1, revision].map((number) => ({suffix: about, revision: number}));
    const [before, after] = await records.findRevisions(workspace, refs, deadline);
    const read = (json: WireJson | undefined) => json && (JSON.parse(json) as Team).visibility;
    return read(before) === 'open' && read(after) === 'private';
  }

  return async function findEventTeams(
    asked: RequestContext,
    entries: readonly LogEntry[],
    directory: TeamDirectory,
  ): Promise<readonly EventTeams[]> {
    const open = entries.filter((entry) => mayNameTeams(entry, directory));
    const bodies = await events.render(asked.workspace, open, asked.deadline);
    const said = new Map(open.map(({id}, i) => [id, bodies[i]]));
    const teams = entries.map((entry) => listTeams(entry, directory, said.get(entry.id)));
    const hidden = await reached.listPrivate(asked, teams.flat(), directory);
    if (hidden.size === 0) return entries.map(() => noTeams);
    return Promise.all(
      entries.map(async (entry, i) => {
        const ids = (teams[i] ?? []).filter((id) => hidden.has(id));
        return ids.length === 0 ? noTeams : {ids, closes: await makesPrivate(asked, entry)};
      }),
    );
  };
}

export type FindEventTeams = ReturnType<typeof createEventTeams>;

interface Content {
  readonly data: object | null;
  readonly previous_attributes?: object;
}

const noContent: Content = {data: null};

const asTeam = ({about}: LogEntry) => about as IdSuffix<'team'>;

/** The kinds of resources whose content may name teams to which their events do not belong. */
const naming: ReadonlySet<string> = new Set(['invite', 'webhook']);
/** The kinds of resources that belong to a team, or may. */
const ofTeams: ReadonlySet<string> = new Set([
  'standup',
  'comment',
  'reaction',
  'blocker',
  'run',
  'team_member',
  'team',
]);

/**
 * True if only the content of an event says which teams it tells of. An absence may have been moved from another
 * team. A report of Slack about a deleted team, and the creation of a team, do not say to which team they belong.
 */
function mayNameTeams(entry: LogEntry, directory: TeamDirectory): boolean {
  const kind = findResourceKind(entry.type);
  if (naming.has(kind) || entry.type === 'absence.updated') return true;
  if (entry.team !== undefined || !ofTeams.has(kind)) return false;
  return kind !== 'team' || directory.bySuffix(asTeam(entry)) === undefined;
}
