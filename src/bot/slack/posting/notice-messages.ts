import type {Id} from '../../../domain/core/ids.js';
import type {NoticeContent, NoticeWebhook} from '../../../domain/slack/notice-content.js';
import {presentNewTeam, presentMembershipNotification} from '../welcome/welcome-view.js';
import {presentDeactivatedMember} from '../gone/gone-view.js';
import {type OutgoingMessage, richTextSentence} from '../blocks/blocks.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {presentTrouble} from './trouble-messages.js';
import {failingLimits} from '../../../domain/webhooks/webhook-failing.js';
import {isolateName} from '../../texts/bidi.js';
import {createNoticeMetadata} from '../../showing/metadata.js';
import {escapeText} from '../blocks/text.js';
import {paragraph, textElement} from '../blocks/shapes.js';

/** Presents an event as a message. `dashboard`: its address; `bot`: the name by which people invite it. */
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

/**
 * Tells the people who run the workspace about a webhook, by its host: the path may hold a secret.
 * `failingSince` (ms): left out if it is disabled. `dashboard`: its address.
 */
export function presentWebhookNotice(
  translation: SlackTranslation,
  event: Id<'event'>,
  {id, url, description, disabled_reason, disabled_at}: NoticeWebhook,
  {failingSince, dashboard}: {failingSince?: number | undefined; dashboard: string},
): OutgoingMessage {
  // The same text goes to several people, so Slack shows times in each person's time zone.
  const texts = translation.texts.webhook;
  const {host} = new URL(url);
  const named = description === null ? host : `${description} (${host})`;
  /** Returns the sentence as plain text or rich text, depending on the functions that fill its gaps. */
  const say = (name: string, at: (ms: number) => string): string =>
    failingSince === undefined
      ? texts.disabled({
          name,
          at: at(Date.parse(disabled_at ?? '')),
          forFailing: disabled_reason === 'failing',
        })
      : texts.failing({name, since: at(failingSince), until: at(failingSince + failingLimits.disable.ms)});
  const elements = richTextSentence((gap) =>
    say(gap(textElement(isolateName(named))), (ms) => gap(translation.richInstant(ms))),
  );
  const page = `${dashboard}/webhooks/${id}`;
  const link = [textElement(' '), {type: 'link', url: page} as const];
  return {
    text: `${say(escapeText(isolateName(named)), translation.instant)} ${page}`,
    blocks: [paragraph([...elements, ...link])],
    metadata: createNoticeMetadata(event),
  };
}
