import type {RespondArguments} from '@slack/bolt';
import {isolateName} from '../../texts/bidi.js';
import {createRunButton, formButton} from '../answers/buttons.js';
import {isChannelId, presentSetupAnswer} from '../answers/setup-offer.js';
import {plainTextBlock, presentAnswer, readBlocks} from '../blocks/blocks.js';
import {actionsRow} from '../blocks/shapes.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {findViewer} from '../core/requester.js';

/** Says what the bot does in this channel or conversation, and offers the next step. */
export async function presentIntroduction(
  context: SlackContext,
  request: SlackRequest,
): Promise<RespondArguments> {
  const {channel, translation, triggerId: key} = request;
  const {texts} = translation;
  const {introduction, seeHelp} = texts.typed;
  const {slackWorkspace, member, deadline} = await findViewer(context, request, undefined, 'refuseOutsider');
  const here = slackWorkspace.directory.byChannel(channel);
  const isInTeam =
    member !== undefined &&
    (await context.identities.listTeams(slackWorkspace, member, deadline, 'expected')).length > 0;
  const help = createRunButton({word: 'help', key}, seeHelp);
  if (here === undefined && (isChannelId(channel) || !isInTeam)) {
    const offer = presentSetupAnswer(translation, channel);
    return {
      ...offer,
      text: `${introduction.about} ${offer.text}`,
      blocks: [plainTextBlock(introduction.about), ...(readBlocks(offer) ?? []), actionsRow(...help)],
    };
  }
  const next = here === undefined ? introduction.direct : introduction.here({team: isolateName(here.name)});
  const post = formButton(texts.leads.postMine, {mode: 'auto', replaces: true});
  return presentAnswer(texts, `${introduction.about} ${next}`, '', actionsRow(post, ...help));
}
