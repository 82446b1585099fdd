import type {Call} from '../../domain/core/access.js';
import type {Write} from '../../domain/commit/writes.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import type {Team, TeamDirectory} from '../../domain/teams/team.js';
import type {Authority, Proof} from '../core/authority.js';
import type {ServiceContext} from '../core/context.js';
import type {IdSuffix} from '../../domain/core/ids.js';

/** How a team gets its channel. `shown`: the caller chose among the channels that Slack showed. */
export type ChannelChoice = 'shown' | 'by-id';

/**
 * Checks that the caller may choose this channel. The bot can post in channels that are closed to the caller,
 * so only owners and admins may choose one by id. Errors: `forbidden`.
 */
export async function requireChannelRight(
  authority: Authority,
  call: Call,
  choice: ChannelChoice,
  {before, after}: {readonly before: string | null; readonly after: string | null},
): Promise<Proof> {
  if (after === null || after === before || choice === 'shown') return [];
  return authority.requireAdmin(
    call,
    'give a team a Slack channel by its id; in Slack a lead chooses one, with /standup in the channel',
  );
}

/**
 * Checks that no other team has the channel, so that `/standup` in the channel needs no choice of a team. `seen`:
 * the teams that the caller may see; another one is not named.
 */
export function requireFreeChannel(
  directory: TeamDirectory,
  channel: string | null,
  seen: TeamDirectory,
): void {
  if (channel === null || directory.byChannel(channel) === undefined) return;
  const holder = seen.byChannel(channel);
  throw fieldError(
    'validation_failed',
    '#/slack_channel_id',
    `\`slack_channel_id\` ${channel} belongs to ${holder === undefined ? 'another team' : `the team "${holder.slug}"`} already.`,
  );
}

/**
 * Refuses a public channel for a private team: everyone in Slack could read it there. Errors:
 * `channel_is_public`; `service_unavailable` while Slack does not say.
 */
export async function requirePrivateChannel(
  {slackChannels, slackGateway}: ServiceContext,
  {workspace, deadline}: Call,
  {slack_channel_id: channel, visibility}: Pick<Team, 'slack_channel_id' | 'visibility'>,
): Promise<void> {
  if (visibility === 'open' || channel === null) return;
  const said = await slackGateway?.findChannelKind(workspace, channel, deadline);
  const known = await slackChannels.listPublic(workspace, [channel], deadline);
  // A channel that was public once may be private now, if Slack says so.
  const kind = said !== 'private' && known.has(channel) ? 'public' : said;
  if (kind === 'unknown')
    throw new AppError('service_unavailable', 'Slack does not say now whether the channel is private.');
  if (kind !== 'public') return;
  throw fieldError(
    'channel_is_public',
    '#/slack_channel_id',
    `The Slack channel ${channel} is public, so everyone there could read this private team. Choose a private channel, or null for none.`,
  );
}

/**
 * Links the new channel to the team (id suffix), so that a post in the channel finds the team. Removes the
 * link of the earlier channel. Null: no channel.
 */
export function createChannelLinkWrites(
  before: string | null,
  after: string | null,
  suffix: IdSuffix<'team'>,
): Write[] {
  if (before === after) return [];
  return [
    ...(before === null ? [] : [{do: 'free-name', names: 'slack-channel', name: before, suffix} as const]),
    ...(after === null ? [] : [{do: 'name', names: 'slack-channel', name: after, suffix} as const]),
  ];
}
