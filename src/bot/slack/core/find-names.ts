import type {Id} from '../../../domain/core/ids.js';
import type {SlackContext, SlackRequest} from './context.js';
import {findProfile, readName} from './profiles.js';
import type {SlackWorkspace} from './slack-identities.js';
import {resolveWithin} from './resolve-within.js';
import type {Texts} from '../../texts/translation.js';
import {namesFromRequest, type SlackNames} from '../rich-text/names.js';
import {listMentionedUserIds, convertMarkupToPlainText} from '../rich-text/to-plain-text.js';

/** The maximum number of people looked up for one text, and of those looked up in Slack. */
const mostMembers = 50;
const mostProfiles = 5;

/** Finds mentioned people in the store, then in Slack if in time. Errors: see `findSlackWorkspace`. */
export async function findNames(
  {services: {people}, timeouts}: Pick<SlackContext, 'services' | 'timeouts'>,
  findSlackWorkspace: () => Promise<SlackWorkspace>,
  given: unknown,
  {
    texts,
    deadline,
    domain,
    inSlack = true,
  }: {
    readonly texts: Texts;
    readonly deadline: number;
    readonly domain?: string | undefined;
    readonly inSlack?: boolean;
  },
): Promise<SlackNames & {readonly members: ReadonlyMap<string, Id<'member'>>}> {
  const ids = listMentionedUserIds(given, mostMembers);
  if (ids.length === 0) return {...namesFromRequest(texts, {domain}), members: new Map()};
  const slackWorkspace = await findSlackWorkspace();
  const users = new Map<string, string>();
  const known = await Promise.all(
    ids.map((id) => people.findSlackMember({workspace: slackWorkspace.workspace, deadline}, id)),
  );
  for (const [i, member] of known.entries()) if (member !== undefined) users.set(ids[i] ?? '', member.name);
  const strangers = inSlack ? ids.filter((id) => !users.has(id)).slice(0, mostProfiles) : [];
  const profiles = await Promise.all(
    strangers.map((id) => resolveWithin(findProfile(slackWorkspace.client, id), timeouts.profile)),
  );
  for (const [i, profile] of profiles.entries()) {
    const name = profile && readName(profile, {id: '', name: ''});
    if (name) users.set(strangers[i] ?? '', name);
  }
  const members = new Map(known.flatMap((member, i) => (member ? [[ids[i] ?? '', member.id] as const] : [])));
  return {...namesFromRequest(texts, {users, domain}), members};
}

/** Like `findNames`, within `ms`. Otherwise only the names that came with the request are known. */
export function findNamesWithin(
  context: SlackContext,
  {origin, translation: {texts}, domain}: SlackRequest,
  given: unknown,
  ms: number,
  inSlack = true,
): Promise<SlackNames> {
  const deadline = performance.now() + ms;
  const findSlackWorkspace = () => context.identities.findSlackWorkspace(origin, deadline);
  return findNames(context, findSlackWorkspace, given, {texts, deadline, domain, inSlack}).catch(() =>
    namesFromRequest(texts, {domain}),
  );
}

/** True for a real channel name: Slack sends another word for direct messages and private channels. */
export function isChannelName(name: string | undefined): name is string {
  return name !== undefined && !/^(?:privategroup|directmessage|mpdm-.*)$/.test(name);
}

/** Returns the text after the command with names, found in the store or else as Slack sent them. */
export async function readCommandText(
  context: SlackContext,
  request: SlackRequest,
  {text, channel_name: channelName}: {readonly text: string; readonly channel_name?: string | undefined},
): Promise<string> {
  const names = await findNamesWithin(context, request, text, context.timeouts.names.command);
  const isHere = (id: string) => id === request.channel && isChannelName(channelName);
  return convertMarkupToPlainText(text, {
    ...names,
    channel: (id, given) => given ?? (isHere(id) ? channelName : undefined),
  });
}
