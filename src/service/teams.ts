import type {Access, Call} from '../domain/access.js';
import type {Blocker} from '../domain/blocker.js';
import type {Calendar} from '../domain/dates.js';
import type {Commit, EventDraft, Guard, Write} from '../domain/commit.js';
import {AppError, fieldError, notFound, parameterError} from '../domain/errors.js';
import {drawnPart, unbornId} from '../domain/ids.js';
import {limits, type Retention} from '../domain/limits.js';
import {type ListName, lists} from '../domain/lists.js';
import {completeQuestion, type NewQuestion, type Question} from '../domain/question.js';
import type {Run} from '../domain/run.js';
import {type Draft, isSame, patched, toDraft} from '../domain/resource.js';
import {movesRuns} from '../domain/schedule-periods.js';
import {completeSchedule, type LatePolicy, type NewSchedule, type Schedule} from '../domain/schedule.js';
import {
  completeTeamJson,
  type SlackDigest,
  type SlackPostMode,
  type Team,
  teamDefaults,
  type TeamDirectory,
  type TeamMember,
} from '../domain/team.js';
import type {Authority} from './authority.js';
import {leaveWrite} from './blocker-records.js';
import {type Answer, type Mutate, type Plan, planNothing} from './mutation.js';
import {type Expected, requireRevision} from './precondition.js';
import type {Page} from './page.js';
import {listRuns} from './run-looks.js';
import {cancelPart, type Part} from './run-plans.js';
import type {Clock, DrawId, Records, Teams} from './stores.js';
import {joinWrites, leaveWrites} from './team-places.js';
import {type Standup, standupListings} from '../domain/standup.js';

export interface NewTeam {
  /** Lower-case letters, digits and dashes; permanent. */
  readonly slug: string;
  /** The slug when left out. */
  readonly name?: string | undefined;
  /** IANA zone; UTC when left out. */
  readonly timezone?: string | undefined;
  readonly slack_channel_id?: string | null | undefined;
  /** `thread` when left out. */
  readonly slack_post_mode?: SlackPostMode | undefined;
  readonly slack_digest?: SlackDigest | undefined;
  readonly names_missing?: boolean | undefined;
  /** It starts today when it does not say. */
  readonly schedule?: NewSchedule | null | undefined;
  readonly paused?: boolean | undefined;
  readonly late_policy?: LatePolicy | undefined;
  readonly questions?: readonly NewQuestion[] | undefined;
}

export type TeamChange = Partial<Omit<NewTeam, 'slug'>>;

type Completed<C> = Omit<C, 'schedule' | 'questions'> & {
  readonly schedule: Schedule | null | undefined;
  readonly questions: readonly Question[] | undefined;
};

export interface TeamService {
  /** Errors: `slug_taken`, `limit_reached`, `validation_failed` for a Slack channel that another team has. */
  createTeam(call: Call, input: NewTeam): Promise<Answer>;
  findTeam(access: Access & {deadline: number}, reference: string): Promise<Team>;
  /** For a form that changes it. Errors: `forbidden` for everybody whom `changeTeam` would refuse. */
  findTeamToChange(access: Access & {deadline: number}, reference: string): Promise<Team>;
  findDirectory(access: Access & {deadline: number}): Promise<TeamDirectory>;
  listTeams(
    access: Access & {deadline: number},
    query: {below?: number | undefined; limit: number},
  ): Promise<Page>;
  /** Errors: `forbidden` for everybody but the team's leads and those who run the workspace. */
  changeTeam(call: Call, reference: string, change: TeamChange, expected?: Expected): Promise<Answer>;
  /** Errors: `team_not_empty` unless `force`, which removes the team's standups with it. */
  deleteTeam(call: Call, reference: string, options: {force: boolean}, expected?: Expected): Promise<Answer>;
  /** Removes some of the standups and places that a deleted team has left behind; true while there are more. */
  purgeTeam(call: Call, team: string): Promise<boolean>;
}

export interface TeamParts {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly teams: Teams;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly drawId: DrawId;
  readonly authority: Authority;
  readonly retention: Retention;
}

/** A standup, a blocker or a place in a team has up to seven keys, and a commit touches at most 200. */
const purgedAtOnce = 25;

export function createTeamService({
  mutate,
  records,
  teams,
  calendar,
  clock,
  drawId,
  authority,
  retention,
}: TeamParts): TeamService {
  async function requireTeam(
    access: Access & {deadline: number},
    reference: string,
  ): Promise<[Team, TeamDirectory]> {
    const directory = await teams.fresh(access.workspace, access.deadline);
    const team = directory.byReference(reference);
    if (team === undefined) throw notFound('team');
    return [team, directory];
  }

  /** A change in the spelling in which it is kept. */
  function completed<C extends TeamChange>(change: C, timezone: string): Completed<C> {
    const {schedule, questions, ...rest} = change;
    const today = calendar.dayIn(timezone, clock.now());
    return {
      ...rest,
      schedule: schedule && completeSchedule(schedule, today),
      questions: questions?.map(completeQuestion),
    };
  }

  async function planCreate(call: Call, input: NewTeam): Promise<Plan> {
    const directory = await teams.fresh(call.workspace, call.deadline);
    if (directory.byReference(input.slug) !== undefined) {
      throw fieldError(
        'slug_taken',
        '#/slug',
        `There is a team "${input.slug}" already. Choose another slug.`,
      );
    }
    if (directory.teams.length >= limits.teamsPerWorkspace) {
      throw new AppError('limit_reached', `A workspace has at most ${limits.teamsPerWorkspace} teams.`);
    }
    const {slug, name = slug, timezone = 'UTC', slack_channel_id = null} = input;
    const before = {object: 'team', slug, name, timezone, slack_channel_id, ...teamDefaults} as const;
    const draft = changed(before, completed(input, timezone));
    requireFreeChannel(directory, draft.slack_channel_id);
    const [drawn, place] = [drawId(), drawId()];
    const id = unbornId('team', drawn);
    return {
      commit: {
        guards: [unchangedSince(directory)],
        writes: [
          {do: 'create', kind: 'team', drawn, draft, lists: [{list: lists.teams()}]},
          {do: 'take-name', names: 'team-slug', name: draft.slug, drawn},
          ...linkChannel(null, draft.slack_channel_id, drawn),
          {do: 'touch', collection: 'teams'},
          ...joinMaker(call, {id, slug: draft.slug}, place),
          ...(draft.schedule === null ? [] : [{do: 'ask-look', team: id} as const]),
        ],
        events: [{type: 'team.created', about: drawn, revision: 1}, ...toldOfMaker(call, id, place)],
        reply: {status: 201, resource: {drawn, revision: 1}},
      },
    };
  }

  async function planChange(
    call: Call,
    reference: string,
    change: TeamChange,
    expected?: Expected,
  ): Promise<Plan> {
    const [team, directory] = await requireTeam(call, reference);
    const proof = await authority.requireLead(call, team, 'change it');
    requireRevision(expected, team.revision);
    const draft = changed(toDraft(team), completed(change, change.timezone ?? team.timezone));
    const drawn = drawnPart(team.id);
    if (isSame(team, draft)) return planNothing(team);
    if (draft.slack_channel_id !== team.slack_channel_id)
      requireFreeChannel(directory, draft.slack_channel_id);
    const pause = draft.paused && !team.paused ? await planPause(call, team) : nothing;
    return {
      commit: {
        guards: [unchangedSince(directory), ...proof, ...pause.guards],
        writes: [
          {do: 'revise', id: team.id, from: team.revision, createdAt: team.created_at, draft},
          ...linkChannel(team.slack_channel_id, draft.slack_channel_id, drawn),
          {do: 'touch', collection: 'teams'},
          ...pause.writes,
          ...(movesRuns(team, draft) ? [{do: 'ask-look', team: team.id} as const] : []),
        ],
        events: [
          {type: 'team.updated', about: drawn, revision: team.revision + 1, team: team.id},
          ...pause.events,
        ],
        reply: {status: 200, resource: {drawn, revision: team.revision + 1}},
      },
    };
  }

  /** The runs that are open are cancelled by the very commit that pauses the team. */
  async function planPause(call: Call, team: Team): Promise<Part> {
    const list = lists.openRunsOfTeam(team.id);
    const open = await listRuns(records, call, list);
    const parts = open.map(cancelPart);
    return {
      guards: [{check: 'shorter', list, than: open.length + 1}, ...parts.flatMap(({guards}) => guards)],
      writes: parts.flatMap(({writes}) => writes),
      events: parts.flatMap(({events}) => events),
    };
  }

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
        {do: 'remove', id: team.id, from: team.revision, lists: [lists.teams()]},
        {do: 'free-name', names: 'team-slug', name: team.slug},
        ...linkChannel(team.slack_channel_id, null, drawnPart(team.id)),
        {do: 'disband', team: team.id},
        {do: 'touch', collection: 'teams'},
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
    createTeam: (call, input) => mutate(call, () => planCreate(call, input)),
    findTeam: async (access, reference) => (await requireTeam(access, reference))[0],
    async findTeamToChange(access, reference) {
      const [team] = await requireTeam(access, reference);
      await authority.requireLead(access, team, 'change it');
      return team;
    },
    findDirectory: ({workspace, deadline}) => teams.fresh(workspace, deadline),
    async listTeams({workspace, deadline}, {below, limit}) {
      const query = {list: lists.teams(), limit, ...(below !== undefined && {below})};
      const {rows, more} = await records.list(workspace, query, deadline);
      return {
        rows: rows.map(({json}) => completeTeamJson(json)),
        next: more ? rows.at(-1)?.place : undefined,
      };
    },
    async changeTeam(call, reference, change, expected) {
      const answer = await mutate(call, () => planChange(call, reference, change, expected));
      return answer.body === undefined ? answer : {...answer, body: completeTeamJson(answer.body)};
    },
    deleteTeam: (call, reference, {force}, expected) =>
      mutate(call, () => planDelete(call, reference, force, expected)),
    async purgeTeam(call, team) {
      // Read inside the plan: another process may be at the same work.
      let more = false;
      const read = async (list: ListName) => {
        const found = await records.list(call.workspace, {list, limit: purgedAtOnce}, call.deadline);
        more ||= found.more;
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

/** A draft with what is given. New questions are a new version of them. */
function changed(before: Draft<Team>, change: Completed<TeamChange>): Draft<Team> {
  const {slug: _, ...patch} = change as Completed<NewTeam>;
  const draft = patched(before, patch);
  const asks = JSON.stringify(draft.questions) !== JSON.stringify(before.questions);
  return asks ? {...draft, questions_version: before.questions_version + 1} : draft;
}

/** Its revisions stay for the events that tell of it; of one that no event tells of any more, nothing stays. `oldest`: since when events are kept (ms). */
function removeStandup(standup: Standup, oldest: number): Write {
  const {id, revision, updated_at} = standup;
  const untold = Date.parse(updated_at) < oldest;
  return {
    do: untold ? 'erase' : 'remove',
    id,
    from: revision,
    lists: standupListings(standup).map(({list}) => list),
  };
}

function removeRun({id, revision, team_id: team}: Run): Write[] {
  const drawn = drawnPart(id);
  return [
    {do: 'remove', id, from: revision, lists: [lists.runsOfTeam(team), lists.openRunsOfTeam(team)]},
    {do: 'drop-steps', run: drawn},
  ];
}

const nothing: Part = {guards: [], writes: [], events: []};

function unchangedSince({version}: TeamDirectory): Guard {
  return {check: 'unchanged', collection: 'teams', version};
}

/** A channel speaks for one team, so that `/standup` in it needs no choice. */
function requireFreeChannel(directory: TeamDirectory, channel: string | null): void {
  const holder = channel === null ? undefined : directory.byChannel(channel);
  if (holder === undefined) return;
  throw fieldError(
    'validation_failed',
    '#/slack_channel_id',
    `\`slack_channel_id\` ${channel} belongs to the team "${holder.slug}" already.`,
  );
}

function linkChannel(before: string | null, after: string | null, drawn: string): Write[] {
  if (before === after) return [];
  return [
    ...(before === null ? [] : [{do: 'free-name', names: 'slack-channel', name: before} as const]),
    ...(after === null ? [] : [{do: 'take-name', names: 'slack-channel', name: after, drawn} as const]),
  ];
}

/** A person who makes a team is its first lead; otherwise they could not post to what they have just made. */
function joinMaker({principal}: Call, team: Pick<Team, 'id' | 'slug'>, place: string): Write[] {
  return principal.type === 'member' ? joinWrites(team, principal, 'lead', place) : [];
}

function toldOfMaker({principal}: Call, team: string, place: string): EventDraft[] {
  return principal.type === 'member' ? [{type: 'team.member_added', about: place, revision: 1, team}] : [];
}
