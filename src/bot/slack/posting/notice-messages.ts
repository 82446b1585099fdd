import type {Id} from '../../../domain/core/ids.js';
import type {NoticeContent} from '../../../domain/slack/notice-content.js';
import {presentNewTeam, presentMembershipNotification} from '../welcome/welcome-view.js';
import {presentDeactivatedMember} from '../gone/gone-view.js';
import {type OutgoingMessage, presentWebhookNotice} from './messages.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {presentTrouble} from './trouble-messages.js';

/**
 * Presents an event as a message. `dashboard`: the dashboard's address; `bot`: the name by which people
 * invite the bot.
 */
export function presentNoticeContent(
  translation: SlackTranslation,
  event: Id<'event'>,
  content: NoticeContent,
  {dashboard, bot}: {readonly dashboard: string; readonly bot: string},
): OutgoingMessage {
  switch (content.kind) {
    case 'webhook':
      return presentWebhookNotice(translation, event, content.webhook, {
        failingSince: content.failingSince,
        dashboard,
      });
    case 'trouble':
      return presentTrouble(translation, event, content.trouble, {team: content.team, bot});
    case 'membership':
      return presentMembershipNotification(translation, event, content.news);
    case 'gone':
      return presentDeactivatedMember(translation, event, content.gone);
    case 'beginning':
      return presentNewTeam(translation, event, content.team, content.by);
  }
}
