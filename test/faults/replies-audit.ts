import type {Comment} from '../../src/domain/comments/comment.js';
import {channel, botToken} from '../support/slack-harness.js';
import {sendRequest} from '../support/service.js';
import {listAll} from './audit.js';
import type {Talk, Thread, TypedReply} from './replies-people.js';
import type {SlackStage} from './slack-stage.js';

interface SlackMessage {
  readonly ts: string;
  readonly text: string;
  readonly metadata?: {readonly event_type: string; readonly event_payload: Readonly<Record<string, string>>};
}

/** The texts that the comment of a reply may have; undefined stands for no comment. */
function listPossibleTexts({said, isDeletedHere}: TypedReply): (string | undefined)[] {
  if (isDeletedHere) return [undefined];
  const at = said.findLastIndex(({isTaken}) => isTaken);
  const last = at < 0 ? undefined : said[at]?.text;
  // An event that was not answered may have been carried out.
  return [last, ...said.slice(at + 1).map(({text}) => text)];
}

/** Finds violations of these rules: nothing is lost, doubled, changed, imported from the bot, or returns. */
export async function findViolations(stage: SlackStage, talk: Talk): Promise<string[]> {
  const {token} = stage;
  const {url} = stage.service;
  const found = await Promise.all(talk.threads.map((thread) => findViolationsOf(stage, talk, thread)));
  const listed = (await listAll(url, '/v1/comments', token)) as Comment[];
  const known = new Set(talk.threads.map(({standup}) => standup));
  const events = await listAll(url, '/v1/events', token);
  const created = events.filter(({type}) => type === 'comment.created').map(({data}) => String(data.id));
  const roots = await listRoots(stage);
  return [
    ...found.flat(),
    ...listed.filter(({standup}) => !known.has(standup)).map(({id}) => `${id} is of no standup`),
    ...findRepeated(created).map((id) => `${id} has two events`),
    ...findRepeated(roots).map((id) => `${id} has two messages`),
    ...talk.threads
      .filter(({standup, end}) => roots.includes(standup) !== (end === undefined))
      .map(({standup, end}) => `${standup}, ${end ?? 'open'}, is ${end ? '' : 'not '}in Slack`),
  ];
}

async function findViolationsOf(stage: SlackStage, talk: Talk, thread: Thread): Promise<string[]> {
  const {token} = stage;
  const {url} = stage.service;
  const {standup, end} = thread;
  const shown = await sendRequest(url, 'GET', `/v1/standups/${standup}`, {token});
  const messages = await listComments(stage, thread);
  if (end === 'deleted')
    return [
      ...(shown.status === 404 ? [] : [`${standup} is there after its deletion`]),
      ...messages.map(({text}) => `${text} is in Slack after the deletion of ${standup}`),
    ];
  const comments = (await listAll(url, `/v1/comments?standup=${standup}`, token)) as Comment[];
  const written = talk.written.filter((one) => one.thread === thread);
  const typed = talk.typed.filter((one) => one.thread === thread);
  const {comments: count} = shown.body.thread;
  const ids = new Set<string>(written.map(({id}) => id));
  const times = new Set(typed.map(({ts}) => ts));
  const isOurs = ({id, slack}: Comment) =>
    ids.has(id) || (slack !== undefined && times.has(slack.message_ts));
  return [
    ...(count === comments.length ? [] : [`${standup} counts ${count} of ${comments.length} comments`]),
    ...comments.filter((one) => !isOurs(one)).map(({text}) => `nobody wrote "${text}"`),
    ...messages
      .filter(({metadata}) => !ids.has(metadata?.event_payload['comment'] ?? ''))
      .map(({text}) => `"${text}" in Slack is no comment`),
    ...written.flatMap(({id, text, author}) => {
      const here = comments.filter((one) => one.id === id).map((one) => one.text);
      const there = messages
        .filter(({metadata}) => metadata?.event_payload['comment'] === id)
        .map((one) => one.text);
      const wanted = text === undefined ? [] : [`${author.name}: ${text}`];
      const isShown = isEqual(there, wanted);
      // Below a removed message nothing appears, and what was there may be out of date.
      const mayDiffer = end !== undefined && there.length <= 1;
      return [
        ...(isEqual(here, text === undefined ? [] : [text]) ? [] : [`"${text}" is here: ${here.join()}`]),
        ...(isShown || mayDiffer ? [] : [`"${wanted[0]}" is in Slack: ${there.join(' | ')}`]),
      ];
    }),
    ...typed.flatMap((reply) => {
      const here = comments.filter(({slack}) => slack?.message_ts === reply.ts).map(({text}) => text);
      const possible = listPossibleTexts(reply);
      if (here.length <= 1 && possible.includes(here[0])) return [];
      return [`a reply is "${here.join(' | ')}", not "${possible.join('" or "')}": ${describe(reply)}`];
    }),
  ];
}

function describe({said, isDeletedHere}: TypedReply): string {
  const all = said.map(({text, isTaken}) => `${text ?? 'deleted'}${isTaken ? '' : ' (not answered)'}`);
  return [...all, ...(isDeletedHere ? ['deleted here'] : [])].join(', ');
}

/** Lists the bot's messages below a standup's message. */
async function listComments(stage: SlackStage, {root}: Thread): Promise<SlackMessage[]> {
  const body = {channel, ts: root, include_all_metadata: 'true'};
  const {messages} = await stage.callSlack<{messages: SlackMessage[]}>(
    'conversations.replies',
    body,
    botToken,
  );
  return messages.filter(({ts, metadata}) => ts !== root && metadata !== undefined);
}

/** Lists the standups that have a message, once for each message. */
async function listRoots(stage: SlackStage): Promise<string[]> {
  const body = {channel, limit: '999', include_all_metadata: 'true'};
  const {messages} = await stage.callSlack<{messages: SlackMessage[]}>(
    'conversations.history',
    body,
    botToken,
  );
  return messages.flatMap(({metadata}) =>
    metadata?.event_type === 'standup_posted' ? [metadata.event_payload['standup'] ?? ''] : [],
  );
}

function findRepeated(list: readonly string[]): string[] {
  return list.filter((one, at) => list.indexOf(one) !== at);
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}
