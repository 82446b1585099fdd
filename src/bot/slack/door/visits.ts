import type {BlockAction, Context, SlackShortcut, SlashCommand, ViewSubmitAction} from '@slack/bolt';
import {readAddress} from './answer-address.js';
import type {Kit, Visit} from './kit.js';
import {originOf} from './origin.js';
import {respondByView, respondInPlace} from './responses.js';

/**
 * The way of answering a press. A press in a message brings an address, and the answer goes there; with
 * `beside` it goes to the thread of that message. A press in a modal or on the Home tab brings none: then
 * `beside` uses the address that the modal's form was opened with, if there is one, `view` a separate view,
 * and `place` replaces the modal.
 */
export type Way = 'beside' | 'view' | 'place';

export async function visitOfPress(kit: Kit, context: Context, body: BlockAction, way: Way): Promise<Visit> {
  // The type has it in every body; a press within a view comes without.
  const own = body.view === undefined ? body.response_url : undefined;
  const modal = body.view?.type === 'modal' ? body.view.id : undefined;
  const visit = {...(await personOf(kit, context, body)), channel: body.channel?.id ?? '', within: modal};
  if (way === 'beside') {
    const url = own ?? addressOf(body.view);
    const thread = (body.message as {readonly thread_ts?: string} | undefined)?.thread_ts;
    return {...visit, responseUrl: url, thread, respond: respondAt(kit, url, thread)};
  }
  if (own !== undefined) return {...visit, responseUrl: own, respond: respondAt(kit, own)};
  if (way === 'place' && modal !== undefined) return {...visit, respond: respondInPlace(kit, visit, modal)};
  return {...visit, byView: true, respond: respondByView(kit, visit)};
}

export async function visitOfSubmission(kit: Kit, context: Context, body: ViewSubmitAction): Promise<Visit> {
  const url = addressOf(body.view);
  const person = await personOf(kit, context, body);
  return {...person, channel: '', responseUrl: url, respond: respondAt(kit, url)};
}

export async function visitOfShortcut(kit: Kit, context: Context, body: SlackShortcut): Promise<Visit> {
  const person = await personOf(kit, context, body);
  const channel = body.type === 'message_action' ? body.channel.id : '';
  return {...person, channel, byView: true, respond: respondByView(kit, person)};
}

export async function visitOfCommand(kit: Kit, context: Context, command: SlashCommand): Promise<Visit> {
  const {user_id: id, user_name: name, team_domain: domain, response_url: url} = command;
  const person = await personOf(kit, context, {...command, user: {id, name}, team: {domain}});
  return {...person, channel: command.channel_id, responseUrl: url, respond: respondAt(kit, url)};
}

/** The person who asks, their origin, and how they read. */
async function personOf(
  {visitors}: Kit,
  context: Context,
  body: {
    readonly user: {readonly id: string; readonly name?: string; readonly username?: string};
    readonly team?: {readonly domain?: string} | null;
    readonly trigger_id: string;
  },
): Promise<Pick<Visit, 'origin' | 'user' | 'domain' | 'triggerId' | 'reader'>> {
  const {id, name, username} = body.user;
  const user = {id, name: name ?? username ?? ''};
  const origin = originOf(context);
  const reader = await visitors.readerOf(origin, user);
  return {origin, user, domain: body.team?.domain, triggerId: body.trigger_id, reader};
}

/** The answer address with which a form was opened. */
function addressOf(view: {readonly private_metadata: string} | undefined): string | undefined {
  return readAddress(view?.private_metadata ?? '')?.url;
}

function respondAt(kit: Kit, url: string | undefined, thread?: string): Visit['respond'] {
  return async (message) => {
    if (url === undefined) return;
    const isBeside = message.replace_original !== true && thread !== undefined;
    await kit.respondTo(url, isBeside ? {...message, thread_ts: thread} : message);
  };
}
