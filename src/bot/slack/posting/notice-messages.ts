import type {Id} from '../../../domain/core/ids.js';
import type {NoticeContent} from '../../../domain/slack/notice-content.js';
import {presentBeginning, presentPlaceNews} from '../welcome/welcome-view.js';
import {presentGone} from '../gone/gone-view.js';
import {type Message, presentNotice} from './messages.js';
import {presentTrouble} from './trouble-messages.js';

/** Presents an event as a message. `dashboard`: its address; `bot`: the name by which it is invited. */
export function presentNoticeContent(
  event: Id<'event'>,
  content: NoticeContent,
  {dashboard, bot}: {readonly dashboard: string; readonly bot: string},
): Message {
  switch (content.kind) {
    case 'webhook':
      return presentNotice(event, content.webhook, {failingSince: content.failingSince, dashboard});
    case 'trouble':
      return presentTrouble(event, content.trouble, {team: content.team, bot});
    case 'place':
      return presentPlaceNews(event, content.news);
    case 'gone':
      return presentGone(event, content.gone);
    case 'beginning':
      return presentBeginning(event, content.team, content.by);
  }
}
