import type {SlackNames} from '../rich-text/names.js';
import {convertBlocksToPlainText, convertMarkupToPlainText, listObjects} from '../rich-text/to-plain-text.js';
import {cutText} from '../../texts/cut-text.js';

export interface ShownMessage {
  readonly ts?: string | undefined;
  readonly thread_ts?: string | undefined;
  readonly user?: string | undefined;
  readonly username?: string | undefined;
  readonly text?: string | undefined;
  readonly user_profile?: {
    readonly display_name?: string | undefined;
    readonly real_name?: string | undefined;
  };
  readonly bot_profile?: {readonly name?: string | undefined};
  readonly blocks?: unknown;
  readonly attachments?: unknown;
}

const string = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Returns the text of a message: its rich text, or else its text, other blocks, or attachments. */
export function extractPlainText({text, blocks, attachments}: ShownMessage, names: SlackNames): string {
  const composed = listObjects(blocks).filter(({type}) => type === 'rich_text');
  const said =
    string(composed.length === listObjects(blocks).length ? convertBlocksToPlainText(composed, names) : '') ??
    string(convertMarkupToPlainText(text ?? '', names)) ??
    string(convertBlocksToPlainText(blocks, names));
  if (said !== undefined) return said.trim();
  return listObjects(attachments)
    .map(({text: content, fallback}) =>
      convertMarkupToPlainText(string(content) ?? string(fallback) ?? '', names),
    )
    .filter((part) => part !== '')
    .join('\n')
    .trim();
}

export function findMessageAuthor(
  {user = '', username, user_profile: profile, bot_profile: bot}: ShownMessage,
  names: SlackNames,
): string | undefined {
  return (
    names.user(user) ??
    string(profile?.display_name) ??
    string(profile?.real_name) ??
    string(username) ??
    string(bot?.name)
  );
}

/** Returns the address of a message without asking Slack; undefined without the workspace's domain. */
export function buildMessagePermalink(
  domain: string | undefined,
  channel: string,
  {ts = '', thread_ts: thread}: ShownMessage,
): string | undefined {
  if (domain === undefined || !/^[\w-]+(?:\.enterprise)?$/.test(domain)) return undefined;
  if (!/^[A-Z0-9]+$/.test(channel) || !/^\d+\.\d+$/.test(ts)) return undefined;
  const reply = thread !== undefined && /^\d+\.\d+$/.test(thread) && thread !== ts;
  const query = reply ? `?thread_ts=${thread}&cid=${channel}` : '';
  return `https://${domain}.slack.com/archives/${channel}/p${ts.replace('.', '')}${query}`;
}

export function cutTextWithMark(text: string, max: number, mark: string): string {
  return text.length <= max ? text : cutText(text, max - mark.length + 1).slice(0, -1) + mark;
}
