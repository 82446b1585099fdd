import type {Id} from '../../../domain/core/ids.js';
import type {NoticeContent} from '../../../domain/slack/notice-content.js';
import {presentBeginning, presentPlaceNews} from '../welcome/welcome-view.js';
import {presentGone} from '../gone/gone-view.js';
import {type Message, presentNotice} from './messages.js';
import type {Reader} from '../blocks/reader.js';
import {presentTrouble} from './trouble-messages.js';

/** Presents an event as a message. `dashboard`: its address; `bot`: the name by which it is invited. */
export function presentNoticeContent(
  reader: Reader,
  event: Id<'event'>,
  content: NoticeContent,
  {dashboard, bot}: {readonly dashboard: string; readonly bot: string},
): Message {
  switch (content.kind) {
    case 'webhook':
      return presentNotice(reader, event, content.webhook, {failingSince: content.failingSince, dashboard});
    case 'trouble':
      return presentTrouble(reader, event, content.trouble, {team: content.team, bot});
    case 'place':
      return presentPlaceNews(reader, event, content.news);
    case 'gone':
      return presentGone(reader, event, content.gone);
    case 'beginning':
      return presentBeginning(reader, event, content.team, content.by);
  }
}
