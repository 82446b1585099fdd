import type {BlockAction, Context, SlackShortcut, SlashCommand, ViewSubmitAction} from '@slack/bolt';
import type {SlackContext, SlackRequest} from './context.js';
import {readOrigin} from './origin.js';
import {createViewResponder, createModalResponder} from './responses.js';
import {z} from 'zod';
import {parseValue} from '../blocks/shapes.js';

/**
 * The way of answering a press on a button. A press in a message brings an address: the answer goes there, or
 * with `beside` into the thread of the message. A press in a modal or on the Home tab brings no address:
 * - `beside` uses the address with which the form in the modal was opened, if any.
 * - `view` opens another modal.
 * - `modal` replaces the modal.
 */
export type AnswerMode = 'beside' | 'view' | 'modal';

export async function readPressRequest(
  deps: SlackContext,
  context: Context,
  body: BlockAction,
  mode: AnswerMode,
): Promise<SlackRequest> {
  // Bolt's type has `response_url` in every body, but a press within a view comes without one.
  const own = body.view === undefined ? body.response_url : undefined;
  const modal = body.view?.type === 'modal' ? body.view.id : undefined;
  const request = {
    ...(await findRequestPerson(deps, context, body)),
    channel: body.channel?.id ?? '',
    within: modal,
  };
  if (mode === 'beside') {
    const url = own ?? readFormAnswerAddress(body.view);
    const thread = (body.message as {readonly thread_ts?: string} | undefined)?.thread_ts;
    return {...request, responseUrl: url, thread, respond: createAddressResponder(deps, url, thread)};
  }
  if (own !== undefined) return {...request, responseUrl: own, respond: createAddressResponder(deps, own)};
  if (mode === 'modal' && modal !== undefined)
    return {...request, respond: createModalResponder(deps, request, modal)};
  return {...request, byView: true, respond: createViewResponder(deps, request)};
}

export async function readSubmissionRequest(
  deps: SlackContext,
  context: Context,
  body: ViewSubmitAction,
): Promise<SlackRequest> {
  const url = readFormAnswerAddress(body.view);
  const person = await findRequestPerson(deps, context, body);
  return {...person, channel: '', responseUrl: url, respond: createAddressResponder(deps, url)};
}

export async function readShortcutRequest(
  deps: SlackContext,
  context: Context,
  body: SlackShortcut,
): Promise<SlackRequest> {
  const person = await findRequestPerson(deps, context, body);
  const channel = body.type === 'message_action' ? body.channel.id : '';
  return {...person, channel, byView: true, respond: createViewResponder(deps, person)};
}

export async function readCommandRequest(
  deps: SlackContext,
  context: Context,
  command: SlashCommand,
): Promise<SlackRequest> {
  const {user_id: id, user_name: name, team_domain: domain, response_url: url} = command;
  const person = await findRequestPerson(deps, context, {...command, user: {id, name}, team: {domain}});
  return {
    ...person,
    channel: command.channel_id,
    responseUrl: url,
    respond: createAddressResponder(deps, url),
  };
}

async function findRequestPerson(
  {identities}: SlackContext,
  context: Context,
  body: {
    readonly user: {readonly id: string; readonly name?: string; readonly username?: string};
    readonly team?: {readonly domain?: string} | null;
    readonly trigger_id: string;
  },
): Promise<Pick<SlackRequest, 'origin' | 'user' | 'domain' | 'triggerId' | 'translation'>> {
  const {id, name, username} = body.user;
  const user = {id, name: name ?? username ?? ''};
  const origin = readOrigin(context);
  const translation = await identities.translationFor(origin, user);
  return {origin, user, domain: body.team?.domain, triggerId: body.trigger_id, translation};
}

function readFormAnswerAddress(view: {readonly private_metadata: string} | undefined): string | undefined {
  return readModalAddress(view?.private_metadata ?? '')?.url;
}

function createAddressResponder(
  deps: SlackContext,
  url: string | undefined,
  thread?: string,
): SlackRequest['respond'] {
  return async (message) => {
    if (url === undefined) return;
    const isBeside = message.replace_original !== true && thread !== undefined;
    await deps.respondTo(url, isBeside ? {...message, thread_ts: thread} : message);
  };
}

/** Slack accepts private answers for 30 minutes; we use a little less to be safe. */
const answerableMs = 25 * 60_000;

/** The address for a private answer to a modal, its expiry (Unix ms), and whether it replaces the message. */
export const answerAddress = z.object({url: z.string(), until: z.number(), replaces: z.boolean()}).readonly();

type AnswerAddress = z.infer<typeof answerAddress>;

/** Returns the address for private answers; undefined if there is none. `now`: Slack's clock. */
export function buildAnswerAddress(
  {responseUrl: url}: SlackRequest,
  now: number,
  replaces = false,
): AnswerAddress | undefined {
  return url === undefined ? undefined : {url, until: now + answerableMs, replaces};
}

function readModalAddress(metadata: string): AnswerAddress | undefined {
  return answerAddress.safeParse(parseValue(metadata)['answer']).data;
}
