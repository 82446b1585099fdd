import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock, ModalView} from '@slack/types';
import type {WebClient} from '@slack/web-api';
import type {Log} from '../../../domain/core/log.js';
import {errorCodeOf} from './clients.js';
import {sendDirect} from './direct-message.js';
import {presentNote} from '../form/form-view.js';
import type {Kit, Visit} from './kit.js';
import {decodeText} from '../blocks/text.js';

type Respond = Visit['respond'];
type RespondParts = Pick<Kit, 'visitors' | 'log' | 'drawReference'>;
type Asked = Pick<Visit, 'origin' | 'user' | 'triggerId' | 'reader'>;

const clientMs = 1_000;
const respondMs = 3_000;

/** Slack's own hosts, including those for governments. */
const slackHost = /(?:^|\.)slack(?:-gov)?\.com$/;

/** Whether Slack takes answers at an address. `apiUrl`: the address of a stand-in for Slack. */
export function isSlacks(address: string, apiUrl: string | undefined): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (apiUrl !== undefined) return url.origin === new URL(apiUrl).origin;
  const {protocol, hostname, port} = url;
  return protocol === 'https:' && port === '' && slackHost.test(hostname);
}

/**
 * Answers a person through the address that came with their request, if it is Slack's: no other address is
 * ever called. Never throws: a failure is logged, since there is no other way to report it.
 */
export async function respondTo(
  {log, apiUrl}: {readonly log: Pick<Log, 'warn'>; readonly apiUrl?: string | undefined},
  url: string,
  message: RespondArguments,
): Promise<void> {
  if (!isSlacks(url, apiUrl)) {
    log.warn({}, 'a private answer was not sent, since its address is not one of Slack');
    return;
  }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.timeout(respondMs),
    });
    await response.arrayBuffer();
    if (!response.ok) log.warn({status: response.status}, 'a private answer was not taken by Slack');
  } catch (error) {
    log.warn(
      {error: error instanceof Error ? error.name : 'unknown'},
      'a private answer did not reach Slack',
    );
  }
}

/**
 * Answers a person whose request came without an address for answers: in a view, or, once their trigger is
 * used up, by direct message. Never throws: if not even that can be sent, it is logged with a reference.
 */
export function respondByView(parts: RespondParts, asked: Asked): Respond {
  const {visitors, log, drawReference} = parts;
  return async (message) => {
    const {text = ''} = message;
    const blocks = blocksOf(message);
    try {
      const client = await visitors.findClient(asked.origin, performance.now() + clientMs);
      if (await open(client, message)) return;
      await sendDirect(client, asked.user.id, {text, ...(blocks && {blocks})});
    } catch (error) {
      log.warn(
        {reference: drawReference(), code: errorCodeOf(error)},
        'a person in Slack could not be answered',
      );
    }
  };

  async function open(client: WebClient, message: RespondArguments): Promise<boolean> {
    try {
      await client.views.open({trigger_id: asked.triggerId, view: viewOf(asked, message)});
      return true;
    } catch {
      return false;
    }
  }
}

/** Answers a person in place of the modal that they asked from; in a separate view if that fails. */
export function respondInPlace(parts: RespondParts, asked: Asked, modal: string): Respond {
  const byView = respondByView(parts, asked);
  return async (message) => {
    try {
      const client = await parts.visitors.findClient(asked.origin, performance.now() + clientMs);
      await client.views.update({view_id: modal, view: viewOf(asked, message)});
    } catch {
      await byView(message);
    }
  };
}

function viewOf({reader}: Asked, message: RespondArguments): ModalView {
  const blocks = blocksOf(message);
  const note = presentNote(reader, decodeText(message.text ?? ''));
  // The blocks offer the next action.
  return {...note, ...(blocks && {blocks})};
}

function blocksOf(message: RespondArguments): KnownBlock[] | undefined {
  return 'blocks' in message ? (message.blocks as KnownBlock[] | undefined) : undefined;
}
