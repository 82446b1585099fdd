import {App, type ExpressReceiverOptions, HTTPModuleFunctions, type ReceiverEvent} from '@slack/bolt';

import type {MessageEvent} from './read-event.js';

/** The key of a listener's verdict that its event must come again. */
const held = Symbol('held');

interface Verdict {
  [held]: {isHeld: boolean};
}

/**
 * Holds the answer to some events. Bolt answers an event before its listeners run, but text that a person has
 * typed must be stored first: such an event is answered once its listener is done, and not at all when it
 * could not be stored, so that Slack sends it again.
 */
export class HoldingApp extends App {
  override async processEvent(event: ReceiverEvent): Promise<void> {
    if (!isMessage(event.body)) return super.processEvent(event);
    // Each of our own messages, and each change of one, comes back as an event.
    if (isOfBot(event.body['event'] as MessageEvent)) return event.ack();
    const verdict: Verdict = {[held]: {isHeld: false}};
    const customProperties = {...event.customProperties, verdict};
    await super.processEvent({...event, ack: async () => {}, customProperties});
    if (verdict[held].isHeld) throw new HeldEvent();
    await event.ack();
  }
}

/** Thrown in place of an answer. */
export class HeldEvent extends Error {
  override readonly name = 'HeldEvent';
}

/** Makes Slack send an event again. */
export const refuseHeld: NonNullable<ExpressReceiverOptions['processEventErrorHandler']> = async (args) => {
  const {error, response} = args;
  if (!(error instanceof HeldEvent) || response.headersSent)
    return HTTPModuleFunctions.defaultProcessEventErrorHandler(args);
  response.writeHead(503).end();
  return true;
};

/** Marks the event of a listener, by the context that Bolt gave it. */
export function markEventHeld(context: Readonly<Record<string, unknown>>): void {
  const verdict = context['verdict'] as Verdict | undefined;
  if (verdict !== undefined) verdict[held].isHeld = true;
}

function isMessage({type, event}: ReceiverEvent['body']): boolean {
  return type === 'event_callback' && (event as {type?: string} | undefined)?.type === 'message';
}

function isOfBot(event: MessageEvent): boolean {
  const {message, previous_message: before} = event;
  return [event, message, before].some((one) => one?.bot_id !== undefined);
}
