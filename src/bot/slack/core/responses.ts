import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock, ModalView} from '@slack/types';
import type {WebClient} from '@slack/web-api';
import type {Log} from '../../../domain/core/log.js';
import {errorCodeOf} from './clients.js';
import {sendDirectMessage} from './direct-message.js';
import {presentNote} from '../form/form-view.js';
import type {BotDeps, SlackRequest} from './deps.js';
import {decodeText} from '../blocks/text.js';

type Respond = SlackRequest['respond'];
type RespondParts = Pick<BotDeps, 'identities' | 'log' | 'generateReference'>;
type AnsweredRequest = Pick<SlackRequest, 'origin' | 'user' | 'triggerId' | 'translation' | 'within'>;

const clientMs = 1_000;
const respondMs = 3_000;

/** Slack's own hosts, including those for governments. */
const slackHost = /(?:^|\.)slack(?:-gov)?\.com$/;

/** True for a response URL of Slack, or of the test server in place of Slack at `apiUrl`. */
export function isSlackAddress(address: string, apiUrl: string | undefined): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (apiUrl !== undefined) return url.origin === new URL(apiUrl).origin;
  const {protocol, hostname, port} = url;
  return protocol === 'https:' && port === '' && slackHost.test(hostname);
}

/**
 * Answers a person through the address in their request, but only if that address belongs to Slack. Never
 * throws: a failure can only be logged.
 */
export async function postResponse(
  {log, apiUrl}: {readonly log: Pick<Log, 'warn'>; readonly apiUrl?: string | undefined},
  url: string,
  message: RespondArguments,
): Promise<void> {
  if (!isSlackAddress(url, apiUrl)) {
    log.warn({}, 'did not send a private answer: its address does not belong to Slack');
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
    if (!response.ok) log.warn({status: response.status}, 'Slack rejected a private answer');
  } catch (error) {
    log.warn(
      {error: error instanceof Error ? error.name : 'unknown'},
      'could not send a private answer to Slack',
    );
  }
}

/**
 * Answers a person whose request has no answer address: in a modal or, after the trigger has expired, by
 * direct message. Never throws: if the message cannot be sent, it is logged with a reference.
 */
export function createViewResponder(parts: RespondParts, request: AnsweredRequest): Respond {
  const {identities, log, generateReference} = parts;
  return async (message) => {
    const {text = ''} = message;
    const blocks = readBlocks(message);
    try {
      const client = await identities.findClient(request.origin, performance.now() + clientMs);
      if (await openAnswerModal(client, message)) return;
      await sendDirectMessage(client, request.user.id, {text, ...(blocks && {blocks})});
    } catch (error) {
      log.warn(
        {reference: generateReference(), code: errorCodeOf(error)},
        'could not answer a person in Slack',
      );
    }
  };

  async function openAnswerModal(client: WebClient, message: RespondArguments): Promise<boolean> {
    try {
      const view = convertMessageToModal(request, message);
      // An answer on top of an open modal leaves that modal and what the person has typed in it.
      const show = request.within === undefined ? client.views.open : client.views.push;
      await show({trigger_id: request.triggerId, view});
      return true;
    } catch {
      return false;
    }
  }
}

/** Answers a person by replacing the modal from which they asked, or in a separate modal if that fails. */
export function createModalResponder(parts: RespondParts, request: AnsweredRequest, modal: string): Respond {
  const byView = createViewResponder(parts, request);
  return async (message) => {
    try {
      const client = await parts.identities.findClient(request.origin, performance.now() + clientMs);
      await client.views.update({view_id: modal, view: convertMessageToModal(request, message)});
    } catch {
      await byView(message);
    }
  };
}

function convertMessageToModal({translation}: AnsweredRequest, message: RespondArguments): ModalView {
  const blocks = readBlocks(message);
  const note = presentNote(translation, decodeText(message.text ?? ''));
  // The modal also shows the blocks of the answer, since they contain the buttons for the next action.
  return {...note, ...(blocks && {blocks})};
}

function readBlocks(message: RespondArguments): KnownBlock[] | undefined {
  return 'blocks' in message ? (message.blocks as KnownBlock[] | undefined) : undefined;
}
