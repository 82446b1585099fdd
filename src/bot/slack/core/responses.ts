import type {RespondArguments} from '@slack/bolt';
import type {KnownBlock, ModalView, Block} from '@slack/types';
import type {WebClient} from '@slack/web-api';
import type {Log} from '../../../domain/core/log.js';
import {errorCodeOf} from './clients.js';
import type {SlackContext, SlackRequest} from './context.js';
import {decodeText} from '../blocks/text.js';
import {modal, section} from '../blocks/shapes.js';
import {readBlocks} from '../blocks/blocks.js';

type Respond = SlackRequest['respond'];
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

/** Answers a person through the address in their request, if it belongs to Slack. Never throws. */
export async function postResponse(
  {log, apiUrl}: {readonly log: Log; readonly apiUrl?: string | undefined},
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

/** Answers without an answer address: in a modal or, after the trigger has expired, by direct message. */
export function createViewResponder(context: SlackContext, request: AnsweredRequest): Respond {
  const {identities, log, generateReference} = context;
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
export function createModalResponder(
  context: SlackContext,
  request: AnsweredRequest,
  modal: string,
): Respond {
  const byView = createViewResponder(context, request);
  return async (message) => {
    try {
      const client = await context.identities.findClient(request.origin, performance.now() + clientMs);
      await client.views.update({view_id: modal, view: convertMessageToModal(request, message)});
    } catch {
      await byView(message);
    }
  };
}

function convertMessageToModal({translation}: AnsweredRequest, message: RespondArguments): ModalView {
  const {title, close} = translation.texts.form;
  // The blocks of the answer are shown too, since they contain the buttons for the next action.
  return modal({title, close}, readBlocks(message) ?? [section(decodeText(message.text ?? ''))]);
}

/** Sends a person a direct message, for content that can be sent in no other way. Errors: those of Slack. */
export async function sendDirectMessage(
  client: WebClient,
  user: string,
  {text = '', blocks}: {readonly text?: string; readonly blocks?: (Block | KnownBlock)[]},
): Promise<void> {
  const inert = {parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false} as const;
  const message = {channel: user, text, ...inert, ...(blocks !== undefined && {blocks})};
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
  await client.chat.postMessage(message);
}
