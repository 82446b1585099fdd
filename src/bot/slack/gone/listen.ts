// Changes of people that only Slack knows of, such as deactivated accounts. Other folders handle what people
// do themselves.
import {deadlines} from '../../../domain/core/limits.js';
import {isId} from '../../../domain/core/ids.js';
import {AppError} from '../../../domain/core/errors.js';
import {isolateName} from '../../texts/bidi.js';
import {privateAnswer, formatSentence, type OutgoingMessage} from '../blocks/blocks.js';
import {actions, slackLimits} from '../blocks/names.js';
import type {FollowProfile} from '../core/follow-profile.js';
import {listenToButton, listenToEvent} from '../core/listeners.js';
import {admitRequester} from '../core/requester.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import type {GoneMember, NoticeEvent} from '../../../domain/slack/notice-content.js';
import {cutText} from '../../texts/cut-text.js';
import {createMetadata} from '../../showing/metadata.js';
import {button, confirmation, paragraph, actionsRowIfAny} from '../blocks/shapes.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';

/** Listens to Slack's `user_change`, and to *Remove from team* in the message about a deactivated member. */
export function listenToDeactivations(context: SlackContext, followProfile: FollowProfile): void {
  const {identities, services} = context;

  listenToEvent(context, 'user_change', async ({event: {user}, origin}) => {
    const slackWorkspace = await identities.findSlackWorkspace(origin, performance.now() + deadlines.job);
    await followProfile({...slackWorkspace, client: slackWorkspace.jobClient}, user, origin);
  });

  listenToButton(context, actions.removeGone, async ({request, value}, answer) => {
    const {team, member, only} = value;
    if (typeof team !== 'string' || typeof member !== 'string' || !isId('member', member)) return;
    const sentence = await removeFromTeam(request, team, member);
    await answer({...privateAnswer(sentence), replace_original: only === true});
  });

  async function removeFromTeam(request: SlackRequest, reference: string, member: string): Promise<string> {
    const {gone, home} = request.translation.texts;
    const {slackWorkspace, call} = await admitRequester(context, request);
    const team = slackWorkspace.directory.byReference(reference);
    if (team === undefined) return home.teamGone;
    try {
      await services.teamMembers.removeTeamMember(call, team.id, member);
    } catch (error) {
      // A member who is no longer in the team counts as removed, so a second press has the same result.
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    }
    return gone.removed({team: isolateName(team.name)});
  }
}

/** Tells the leads of a member whose Slack account was deactivated what that means, with buttons. */
export function presentDeactivatedMember(
  translation: SlackTranslation,
  event: NoticeEvent,
  {member, name, teams}: GoneMember,
): OutgoingMessage {
  const {gone} = translation.texts;
  const isOnly = teams.length === 1;
  const buttons = teams.map((team, i) => {
    const of = isolateName(team.name);
    const label = isOnly ? gone.remove : cutText(gone.removeFrom({team: of}), slackLimits.buttonText);
    const value = {team: team.id, member, only: isOnly};
    return button(`${actions.removeGone}:${i}`, label, value, {
      confirm: confirmation(
        {
          title: gone.remove,
          text: cutText(gone.ask({name: isolateName(name), team: of}), slackLimits.confirmText),
          confirm: gone.confirm,
          deny: gone.keep,
        },
        'danger',
      ),
    });
  });
  const {elements, text} = formatSentence(translation, ({name: put}) =>
    gone.deactivated({name: put(name), teams: teams.map((team) => put(team.name)).join(', ')}),
  );
  return {
    text,
    blocks: [paragraph(elements), ...actionsRowIfAny(buttons)],
    metadata: createMetadata('notice', {event}),
  };
}
