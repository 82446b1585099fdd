import {App, type ExpressReceiverOptions, HTTPModuleFunctions, type ReceiverEvent} from '@slack/bolt';

/** The key in Bolt's context by which a listener says that Slack must send the event again. */
const held = Symbol('held');

interface Verdict {
  [held]: {isHeld: boolean};
}

/** Answers a typed message after its listener has stored it: Bolt would answer before, and lose it. */
export class HoldingApp extends App {
  override async processEvent(received: ReceiverEvent): Promise<void> {
    const body = removeEmptyFields(received.body);
    if (body === undefined) return received.ack();
    const event = {...received, body};
    if (!isMessage(event.body)) return super.processEvent(event);
    // Slack sends an event for each of our own messages, too, and for each change of one.
    if (isOfBot(event.body['event'] as MessageWithin)) return event.ack();
    const verdict: Verdict = {[held]: {isHeld: false}};
    const customProperties = {...event.customProperties, verdict};
    await super.processEvent({...event, ack: async () => {}, customProperties});
    if (verdict[held].isHeld) throw new HeldEvent();
    await event.ack();
  }
}

export class HeldEvent extends Error {
  override readonly name = 'HeldEvent';
}

/** Answers an event with 503, so that Slack sends it again. */
export const refuseHeld: NonNullable<ExpressReceiverOptions['processEventErrorHandler']> = async (args) => {
  const {error, response} = args;
  if (!(error instanceof HeldEvent) || response.headersSent)
    return HTTPModuleFunctions.defaultProcessEventErrorHandler(args);
  response.writeHead(503).end();
  return true;
};

/** Marks an event so that Slack sends it again. `context`: Bolt's context of its listener. */
export function markEventHeld(context: Readonly<Record<string, unknown>>): void {
  const verdict = context['verdict'] as Verdict | undefined;
  if (verdict !== undefined) verdict[held].isHeld = true;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields of an event in which Bolt looks for others. They are an id or an object; `item` and `subteam` an object. */
const nested = ['channel', 'item', 'subteam', 'user'];

/**
 * Removes the nulls from an event, in which Bolt would look for fields, and then answer with 500. Undefined for an
 * event that is none. Other requests have nulls with a meaning, and stay as they are.
 */
function removeEmptyFields(body: ReceiverEvent['body']): ReceiverEvent['body'] | undefined {
  const {event, authorizations} = body as Fields;
  if (body['type'] !== 'event_callback') return body;
  if (!isObject(event) || Array.isArray(event)) return undefined;
  const whole = Object.entries(removeNulls(event)).filter(
    ([name, value]) =>
      !nested.includes(name) ||
      isObject(value) ||
      (typeof value === 'string' && name !== 'item' && name !== 'subteam'),
  );
  return {
    ...body,
    event: Object.fromEntries(whole),
    ...(Array.isArray(authorizations) && {authorizations: authorizations.filter(isObject)}),
  };
}

/** Removes the nulls from an object, and from those directly in it. Deeper ones are content, such as blocks. */
function removeNulls(fields: object, within = true): Fields {
  const filled = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(
    filled.map(([name, value]) =>
      within && isObject(value) && !Array.isArray(value) ? [name, removeNulls(value, false)] : [name, value],
    ),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** True for an event about a message: a typed one, its edit or its removal. */
export function isMessage({type, event}: ReceiverEvent['body']): boolean {
  return type === 'event_callback' && (event as {type?: string} | undefined)?.type === 'message';
}

interface MessageWithin {
  readonly bot_id?: string;
  readonly message?: MessageWithin;
  readonly previous_message?: MessageWithin;
}

function isOfBot(event: MessageWithin): boolean {
  const {message, previous_message: before} = event;
  return [event, message, before].some((one) => one?.bot_id !== undefined);
}
