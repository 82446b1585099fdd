// A person's reply below a message of the bot becomes a comment, or its author learns privately why not.
import {createCache} from '../../../domain/core/cache.js';
import {AppError} from '../../../domain/core/errors.js';
import {limits} from '../../../domain/core/limits.js';
import {countCodePoints, isBlank} from '../../../domain/core/text.js';
import {escapeText} from '../blocks/text.js';
import type {SlackContext} from '../core/context.js';
import {findNames} from '../core/find-names.js';
import {keyOfUser} from '../core/origin.js';
import {explainError} from '../core/refusals.js';
import {NotServed, type SlackWorkspace} from '../core/slack-identities.js';
import {convertBlocksToMarkdown} from '../rich-text/to-markdown.js';
import {listObjects} from '../rich-text/to-plain-text.js';
import {buildMessagePermalink, extractPlainText} from '../shortcuts/message-text.js';
import type {HeardReply} from './read-reply.js';

type Said = HeardReply & {readonly kind: 'said'};

/** The part of the process that takes a reply, as Slack reports it or when threads are read later. */
export type ReplyContext = Pick<
  SlackContext,
  'identities' | 'services' | 'slackNow' | 'timeouts' | 'log' | 'generateReference'
>;

/** The age (ms) up to which a message of the bot may not be recorded yet. */
const freshMs = 60_000;

/** The age (ms) up to which an edit makes a comment of a message that we have not heard of. */
const lateMs = 7 * 24 * 3_600_000;

const maxHinted = 10_000;

/** The time (ms) for which a person gets the same hint once. */
const hintMs = 7 * 24 * 3_600_000;

/** Failures that may be over when Slack sends the event again. */
export const passing: ReadonlySet<string> = new Set([
  'service_unavailable',
  'internal_error',
  'storage_full',
  'store_lost',
  'rate_limited',
]);

/** Takes a reply. Returns false if Slack must send it again. `isLast`: nothing sends it again. */
export type ServeReply = ReturnType<typeof createReplyServer>;

export function createReplyServer(context: ReplyContext) {
  const {identities, services, slackNow, timeouts, log} = context;
  const {slackReplies: replies} = services;
  const hinted = createCache<true>(maxHinted, hintMs);

  return serveReply;

  async function serveReply(
    slackWorkspace: SlackWorkspace,
    said: Said,
    {deadline, isLast}: {readonly deadline: number; readonly isLast: boolean},
  ): Promise<boolean> {
    const {workspace, origin} = slackWorkspace;
    const {channel, ts, thread, editedAt} = said;
    const at = {workspace, deadline};
    const root = await replies.findThread(at, {channel, ts: thread});
    if (root === undefined) return !isFresh(thread, slackNow());
    const known = await replies.findMessage(at, {channel, ts});
    // A deleted message, or an old one that is heard of now, makes neither a comment nor a member.
    const isLate = editedAt !== '' && slackNow() - Number(ts) * 1_000 > lateMs;
    if (known?.kind === 'gone' || (known === undefined && isLate)) return true;
    const user = {id: said.user, name: ''};
    const {texts} = await identities.translationFor(origin, user);
    // A comment keeps its text if an edit makes the reply too long: its author must hear that each time.
    const refuseLong = () =>
      known?.kind === 'comment' && Number(editedAt) > Number(known.editedAt)
        ? hint(
            slackWorkspace,
            said,
            `long/${ts}/${editedAt}`,
            texts.replies.tooLongEdit({most: limits.comment}),
          )
        : hint(slackWorkspace, said, 'long', texts.replies.tooLong({most: limits.comment}));
    try {
      const permalink = buildMessagePermalink(readDomain(root.permalink), channel, said.message) ?? null;
      const written = await readText(slackWorkspace, said, {texts, permalink});
      // A reply that makes no comment makes no member either.
      if (written.text === '') return true;
      if (countCodePoints(written.text) > limits.comment) await refuseLong();
      else {
        const call = await identities.admit(slackWorkspace, user, deadline);
        const {standup} = root;
        await replies.takeReply(call, {channel, ts, standup, editedAt, permalink, ...written});
      }
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal_error';
      if (!isLast && passing.has(code)) throw error;
      if (isAboutText(error)) {
        await refuseLong();
        return true;
      }
      const reason =
        code === 'validation_failed' ? texts.replies.unseen : explainError(context, error, texts).sentence;
      const isGuest = error instanceof NotServed;
      await hint(
        slackWorkspace,
        said,
        isGuest ? 'outsider' : code,
        isGuest ? texts.replies.outsider : reason,
      );
    }
    return true;
  }

  /** Returns a reply as Markdown. Files are not copied: the address of their message stands for them. */
  async function readText(
    slackWorkspace: SlackWorkspace,
    {message}: Said,
    {
      texts,
      permalink,
    }: {readonly texts: Parameters<typeof findNames>[3]['texts']; readonly permalink: string | null},
  ): Promise<{readonly text: string; readonly format: 'plain' | 'markdown'}> {
    const {text, blocks, files = []} = message;
    const deadline = performance.now() + timeouts.names.typed;
    const {members, ...names} = await findNames(context, async () => slackWorkspace, [text, blocks], {
      texts,
      deadline,
    });
    const named = new Map([...members].slice(0, limits.mentions));
    const isRich =
      listObjects(blocks).length > 0 && listObjects(blocks).every(({type}) => type === 'rich_text');
    const said = isRich
      ? convertBlocksToMarkdown(blocks, {...names, member: (id) => named.get(id)}).trim()
      : extractPlainText({text, blocks}, names);
    const parts = [said, ...(files.length > 0 && permalink !== null ? [permalink] : [])];
    return {text: parts.filter((part) => !isBlank(part)).join('\n'), format: isRich ? 'markdown' : 'plain'};
  }

  /** Tells the author of a reply, once, why it is no comment. Only they see it. */
  async function hint(
    {origin, client}: SlackWorkspace,
    {channel, thread, user}: Said,
    reason: string,
    sentence: string,
  ): Promise<void> {
    const key = `${keyOfUser(origin, user)}/${reason}`;
    if (hinted.has(key)) return;
    hinted.set(key, true);
    try {
      const at = {channel, user, thread_ts: thread};
      await client.chat.postEphemeral({...at, text: escapeText(sentence), parse: 'none', link_names: false});
    } catch {
      log.warn({}, 'could not answer a person in Slack');
    }
  }
}

/** True if a message of the bot may not be recorded yet. `thread`: its Slack id, which is a time. */
export function isFresh(thread: string | undefined, now: number): boolean {
  return thread !== undefined && now - Number(thread) * 1_000 < freshMs;
}

/** True for a refusal of the text, which the present names of those that it mentions have made too long. */
function isAboutText(error: unknown): boolean {
  const errors = error instanceof AppError ? (error.context.inputErrors ?? []) : [];
  return errors.some(({pointer}) => pointer === '#/text');
}

/** Returns the domain of the Slack workspace from the address of a message in it. */
function readDomain(permalink: string | null): string | undefined {
  return /^https:\/\/([\w-]+(?:\.enterprise)?)\.slack\.com\//.exec(permalink ?? '')?.[1];
}
