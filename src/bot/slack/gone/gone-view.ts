import type {Id} from '../../../domain/core/ids.js';
import type {GoneMember} from '../../../domain/slack/notice-content.js';
import {cutText} from '../../texts/cut-text.js';
import {isolateName} from '../../texts/bidi.js';
import {createNoticeMetadata} from '../../showing/metadata.js';
import {richTextSentence, type OutgoingMessage} from '../blocks/blocks.js';
import {packValue} from '../blocks/button-value.js';
import {actions, slackLimits} from '../blocks/names.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {button, confirmation, paragraph, actionsRowIfAny, textElement} from '../blocks/shapes.js';
import {escapeText} from '../blocks/text.js';

/** Tells the leads of a member whose Slack account was deactivated what that means, with buttons. */
export function presentDeactivatedMember(
  {texts}: SlackTranslation,
  event: Id<'event'>,
  {member, name, teams}: GoneMember,
): OutgoingMessage {
  const {gone} = texts;
  const isOnly = teams.length === 1;
  const buttons = teams.map((team, i) => {
    const of = isolateName(team.name);
    const label = isOnly ? gone.remove : cutText(gone.removeFrom({team: of}), slackLimits.buttonText);
    const value = packValue({team: team.id, member, only: isOnly});
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
  const say = (put: (text: string) => string): string =>
    gone.deactivated({name: put(name), teams: teams.map((team) => put(team.name)).join(', ')});
  return {
    text: say((text) => escapeText(isolateName(text))),
    blocks: [
      paragraph(richTextSentence((gap) => say((text) => gap(textElement(isolateName(text)))))),
      ...actionsRowIfAny(buttons),
    ],
    metadata: createNoticeMetadata(event),
  };
}
