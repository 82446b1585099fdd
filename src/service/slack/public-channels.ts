import type {RequestContext} from '../../domain/core/access.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';

/** The subject of a message in a channel: a standup, or something else of a team. */
export type ShownSubject = {readonly standup: Id<'standup'>} | {readonly team: IdSuffix<'team'>};

/** Creates the function that finds out whether a channel would show a private team to everyone in Slack. */
export function createPublicChannelFinder({records, teams, slackGateway}: ServiceContext) {
  async function findTeam(call: RequestContext, subject: ShownSubject): Promise<Team | undefined> {
    const directory = await teams.all(call);
    if (!directory.hasPrivate) return undefined;
    if ('team' in subject) return directory.bySuffix(subject.team);
    const standup = await records.find(call.workspace, subject.standup, call.deadline);
    return standup && directory.byReference(standup.team_id);
  }

  /**
   * True if the channel is public and the team private: the channel may have become public, or the message may
   * stand in an earlier channel of the team. A channel of which Slack says nothing counts as private, as it was
   * when the team got it.
   */
  return async function showsToAll(
    call: RequestContext,
    channel: string,
    subject: ShownSubject,
  ): Promise<boolean> {
    const team = await findTeam(call, subject);
    if (team?.visibility !== 'private') return false;
    return (await slackGateway?.findChannelKind(call.workspace, channel, call.deadline)) === 'public';
  };
}
