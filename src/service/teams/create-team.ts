import type {Call} from '../../domain/core/access.js';
import type {Commit, EventDraft} from '../../domain/commit/commit.js';
import {createWrite, type Write} from '../../domain/commit/writes.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import {type Id, provisionalId, type IdSuffix} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {NewTeam, Team} from '../../domain/teams/team.js';
import {createTeamsUnchangedGuard} from './find-team.js';
import {
  type ChannelChoice,
  createChannelLinkWrites,
  requireChannelRight,
  requireFreeChannel,
  requirePrivateChannel,
} from './team-channels.js';
import {createTeamDraft} from './team-drafts.js';
import {createAddMembershipWrites} from './membership-writes.js';
import {requireVisibilityRight} from './visibility.js';
import type {ServiceContext} from '../core/context.js';

/** Plans a new team. Errors: as `TeamService.createTeam`. */
export function createTeamCreationPlanner(context: ServiceContext) {
  const {teams, authority, zones: calendar, clock, generateSuffix} = context;

  return async function planCreateTeam(call: Call, input: NewTeam, choice: ChannelChoice): Promise<Commit> {
    const directory = await teams.all(call);
    if (directory.byReference(input.slug) !== undefined) {
      throw fieldError(
        'slug_taken',
        '#/slug',
        `There is a team "${input.slug}" already. Choose another slug.`,
      );
    }
    if (directory.teams.length >= limits.teamsPerWorkspace) {
      throw new AppError('limit_reached', `A workspace has at most ${limits.teamsPerWorkspace} teams.`, {
        reason: 'many_teams',
      });
    }
    const draft = createTeamDraft(input, (timezone) => calendar.dayIn(timezone, clock.now()));
    const after = draft.slack_channel_id;
    const proof = await requireChannelRight(authority, call, choice, {before: null, after});
    requireVisibilityRight(call, draft);
    requireFreeChannel(directory, after, await teams.among(directory, call));
    await requirePrivateChannel(context, call, draft);
    const [suffix, membershipSuffix] = [generateSuffix(), generateSuffix()];
    const id = provisionalId('team', suffix);
    const created = createWrite('team', suffix, draft, [{list: lists.teams()}]);
    return {
      guards: [createTeamsUnchangedGuard(directory), ...proof],
      writes: [
        created,
        {do: 'name', names: 'team-slug', name: draft.slug, suffix},
        ...createChannelLinkWrites(null, draft.slack_channel_id, suffix),
        {do: 'touch', collection: 'teams', suffix},
        ...addCreatorToTeam(call, {id, slug: draft.slug}, membershipSuffix),
        ...(draft.schedule === null ? [] : [{do: 'ask-look', team: suffix} as const]),
      ],
      events: [
        {type: 'team.created', about: suffix, revision: 1},
        ...createMemberAddedEvents(call, id, membershipSuffix),
      ],
      reply: {kind: 'resource', of: created},
    };
  };
}

/** Makes the person who creates a team its first lead; otherwise they could not post in it. */
function addCreatorToTeam(
  {principal}: Call,
  team: Pick<Team, 'id' | 'slug'>,
  membershipSuffix: IdSuffix<'team_member'>,
): readonly Write[] {
  return principal.type === 'member'
    ? createAddMembershipWrites(team, principal, {role: 'lead', accepted: true}, membershipSuffix)
    : [];
}

function createMemberAddedEvents(
  {principal}: Call,
  team: Id<'team'>,
  membershipSuffix: IdSuffix<'team_member'>,
): EventDraft[] {
  return principal.type === 'member'
    ? [{type: 'team.member_added', about: membershipSuffix, revision: 1, team}]
    : [];
}
