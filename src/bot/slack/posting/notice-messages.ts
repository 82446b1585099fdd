import type {NoticeContent, NoticeEvent, NoticeWebhook} from '../../../domain/slack/notice-content.js';
import type {InboxNews} from '../../../domain/inbox/inbox.js';
import {presentGreeting, presentNewTeam, presentMembershipNotification} from '../welcome/welcome.js';
import {presentDeactivatedMember} from '../gone/listen.js';
import {presentLeadSummary} from '../report/present-lead-summary.js';
import {formatSentence, type Gaps, type OutgoingMessage, privateAnswer} from '../blocks/blocks.js';
import {escapeText} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {isolateDirection} from '../../texts/bidi.js';
import {failingLimits} from '../../../domain/webhooks/webhook-failing.js';
import {findWebhookName} from '../../../domain/webhooks/webhook.js';
import {createMetadata} from '../../showing/metadata.js';
import {actionsRowIfAny, link, paragraph, richText, richTextSection, textElement} from '../blocks/shapes.js';
import type {SlackTrouble} from '../../../domain/slack/slack-post.js';
import {actions} from '../blocks/names.js';
import {describeFix} from '../core/fixes.js';
import {listenToAction} from '../core/listeners.js';
import {admitRequester} from '../core/requester.js';
import type {SlackContext} from '../core/context.js';

/** Presents an event as a message. `dashboard`: its address; `bot`: the name by which people invite it. */
export function presentNoticeContent(
  translation: SlackTranslation,
  event: NoticeEvent,
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
    case 'inbox':
      return presentInboxNews(translation, event, content.news);
    case 'membership':
      return presentMembershipNotification(translation, event, content.news);
    case 'gone':
      return presentDeactivatedMember(translation, event, content.gone);
    case 'lead_summary':
      return presentLeadSummary(translation, event, content.summary, dashboard);
    case 'beginning':
      return presentNewTeam(translation, event, content.team, content.by);
    case 'greeting':
      return presentGreeting(translation, event, content, dashboard);
  }
}

/** Says who did what with which standup, quotes the text as it is, and links to the standup. */
function presentInboxNews(
  translation: SlackTranslation,
  event: NoticeEvent,
  {reason, by, author, team, date, excerpt, blocker, unread, url}: InboxNews,
): OutgoingMessage {
  const texts = translation.texts.inbox;
  const {elements, text} = formatSentence(translation, ({name: put}) => {
    const name = by === null ? texts.former : put(by);
    const kind = reason === 'mention' && author === null ? 'mentionOnYours' : reason;
    const said = texts[kind]({name, author: put(author ?? ''), state: blocker ?? ''});
    const where = texts.of({said, team: put(team), day: translation.day(date)});
    return unread > 1 ? `${where} ${texts.more({amount: unread - 1})}` : where;
  });
  const quoted = excerpt === null ? [] : [textElement(excerpt)];
  return {
    text: [text, ...(excerpt === null ? [] : [escapeText(isolateDirection(excerpt))]), url].join(' '),
    blocks: [
      richText([
        richTextSection(elements),
        ...(quoted.length === 0 ? [] : [{type: 'rich_text_quote', elements: quoted} as const]),
        richTextSection([link(url, texts.open)]),
      ]),
    ],
    metadata: createMetadata('notice', {event}),
  };
}

/** `failingSince` (ms): none if the webhook is disabled. */
export function presentWebhookNotice(
  translation: SlackTranslation,
  event: NoticeEvent,
  {id, url, description, disabled_reason, disabled_at}: NoticeWebhook,
  {failingSince, dashboard}: {failingSince?: number | undefined; dashboard: string},
): OutgoingMessage {
  // The same text goes to several people, so Slack shows times in each person's time zone.
  const texts = translation.texts.webhook;
  const named = findWebhookName({url, description});
  const {elements, text} = formatSentence(translation, ({name: put, at}) => {
    const name = put(named);
    return failingSince === undefined
      ? texts.disabled({
          name,
          at: at(Date.parse(disabled_at ?? '')),
          forFailing: disabled_reason === 'failing',
        })
      : texts.failing({name, since: at(failingSince), until: at(failingSince + failingLimits.disable.ms)});
  });
  const page = `${dashboard}/webhooks/${id}`;
  const address = [textElement(' '), {type: 'link', url: page} as const];
  return {
    text: `${text} ${page}`,
    blocks: [paragraph([...elements, ...address])],
    metadata: createMetadata('notice', {event}),
  };
}

/** Says why a channel shows nothing and how to fix it, later how it ended. `bot`: the name for `/invite`. */
function presentTrouble(
  translation: SlackTranslation,
  event: NoticeEvent,
  trouble: SlackTrouble,
  {team, bot}: {readonly team: string; readonly bot: string},
): OutgoingMessage {
  const {channel, state, code, lost, tried} = trouble;
  const texts = translation.texts.trouble;
  const say = (gaps: Gaps): string => {
    const [name, where] = [gaps.name(team), gaps.channel(channel)];
    const lines: string[] = [];
    if (state === 'open' && code !== undefined)
      lines.push(
        texts.notShown({team: name, channel: where}),
        texts.fix({fix: describeFix(code, texts, gaps.name(bot)), channel: where, code}),
        texts.kept({at: gaps.at(tried)}),
      );
    const {shown, reports, held} = trouble;
    if (state !== 'open' && shown + reports + held > 0)
      lines.push(
        texts.solved({team: name, channel: where, posts: texts.counts({standups: shown, reports}), held}),
      );
    if (lost.length > 0) {
      const standups = lost.filter(({kind}) => kind === 'standup').length;
      const {length: count} = lost;
      const posts = texts.counts({standups, reports: count - standups});
      lines.push(texts.lost({team: name, channel: where, posts, count}));
    }
    return lines.length === 0 ? texts.over({team: name, channel: where}) : lines.join(' ');
  };
  const {elements, text} = formatSentence(translation, say);
  const buttons = [
    ...(state === 'open' && code !== undefined
      ? [createTroubleButton(actions.tryAgain, texts.tryAgain, channel)]
      : []),
    ...(lost.length > 0 ? [createTroubleButton(actions.postAgain, texts.postAgain, channel)] : []),
  ];
  return {
    text,
    blocks: [paragraph(elements), ...actionsRowIfAny(buttons)],
    metadata: createMetadata('notice', {event}),
  };
}

function createTroubleButton(id: string, text: string, value: string) {
  return {
    type: 'button',
    action_id: id,
    text: {type: 'plain_text', text, emoji: true},
    value,
  } as const;
}

/** Listens to the buttons of the message about a channel that shows nothing, which shows the outcome. */
export function listenToPosting(context: SlackContext): void {
  for (const action of [actions.tryAgain, actions.postAgain]) {
    listenToAction(
      context,
      action,
      async ({request, text}) => {
        const deadline = context.identities.answerBy();
        const {call} = await admitRequester(context, request, deadline);
        // The message is also for authors, who may not lead the team, if no one else can be told.
        await context.services.slackTroubles.resume(call.workspace, text, deadline);
        return privateAnswer(request.translation.texts.trouble.trying);
      },
      'view',
    );
  }
}
