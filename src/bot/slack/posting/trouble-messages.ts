import type {Id} from '../../../domain/core/ids.js';
import type {SlackTrouble} from '../../../domain/slack/slack-post.js';
import {cleanName, isolateName} from '../../texts/bidi.js';
import {richTextSentence, type OutgoingMessage} from '../blocks/blocks.js';
import {createNoticeMetadata} from '../../showing/metadata.js';
import {actions} from '../blocks/names.js';
import {classifySlackError} from '../core/slack-errors.js';
import {escapeText} from '../blocks/text.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Texts} from '../../texts/translation.js';
import {paragraph, textElement, channelMention, actionsRowIfAny} from '../blocks/shapes.js';

/**
 * Presents for the leads why a channel shows nothing and how to fix that, and later how it ended. `bot`: the
 * name by which people invite the bot.
 */
export function presentTrouble(
  translation: SlackTranslation,
  event: Id<'event'>,
  trouble: SlackTrouble,
  {team, bot}: {readonly team: string; readonly bot: string},
): OutgoingMessage {
  const {channel, state, code, lost, tried} = trouble;
  const texts = translation.texts.trouble;
  const say = (name: string, where: string, by: string, at: (ms: number) => string): string => {
    const lines: string[] = [];
    if (state === 'open' && code !== undefined)
      lines.push(
        texts.notShown({team: name, channel: where}),
        texts.fix({fix: describeFix(code, texts, by), channel: where, code}),
        texts.kept({at: at(tried)}),
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
  const elements = richTextSentence((gap) =>
    say(gap(textElement(isolateName(team))), gap(channelMention(channel)), cleanName(bot), (ms) =>
      gap(translation.richInstant(ms)),
    ),
  );
  const buttons = [
    ...(state === 'open' && code !== undefined
      ? [createTroubleButton(actions.tryAgain, texts.tryAgain, channel)]
      : []),
    ...(lost.length > 0 ? [createTroubleButton(actions.postAgain, texts.postAgain, channel)] : []),
  ];
  return {
    text: say(
      escapeText(isolateName(team)),
      `<#${channel}>`,
      escapeText(cleanName(bot)),
      translation.instant,
    ),
    blocks: [paragraph(elements), ...actionsRowIfAny(buttons)],
    metadata: createNoticeMetadata(event),
  };
}

type Fix = keyof Texts['trouble']['fixes'];

const fixes: Readonly<Record<string, Fix>> = {
  not_in_channel: 'notIn',
  channel_not_found: 'notFound',
  is_archived: 'archived',
  missing_scope: 'scope',
};

function describeFix(code: string, texts: Texts['trouble'], bot: string): string {
  const fix = texts.fixes[classifySlackError(code) === 'token' ? 'token' : (fixes[code] ?? 'other')];
  return typeof fix === 'string' ? fix : fix({bot});
}

function createTroubleButton(id: string, text: string, value: string) {
  return {
    type: 'button',
    action_id: id,
    text: {type: 'plain_text', text, emoji: true},
    value,
  } as const;
}
