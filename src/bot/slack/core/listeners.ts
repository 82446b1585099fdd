import type {
  BlockElementAction,
  EnvelopedEvent,
  EventFromType,
  RespondArguments,
  SlackShortcut,
  SlashCommand,
  ViewOutput,
  ViewResponseAction,
  ViewSubmitAction,
} from '@slack/bolt';
import type {PlainTextOption} from '@slack/types';
import type {SlackOrigin} from '../../../domain/slack/slack-installation.js';
import {privateAnswer} from '../blocks/blocks.js';
import {parseValue} from '../blocks/shapes.js';
import {markEventHeld} from './held-events.js';
import type {RespondOnce, SlackContext, SlackRequest} from './context.js';
import {readOrigin} from './origin.js';
import {
  readCommandRequest,
  readPressRequest,
  readShortcutRequest,
  readSubmissionRequest,
  type AnswerMode,
} from './read-request.js';
import {explainError} from './refusals.js';
import type {Texts} from '../../texts/translation.js';

/** A press on a button, or a choice in a menu or a calendar. */
export interface ButtonPress {
  readonly request: SlackRequest;
  /** The value of the button, or the choice in the menu or calendar; empty if there is none. */
  readonly text: string;
  /** The value of the button, parsed; empty if it is not from this service. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The view that contains the button, if any. */
  readonly view: ViewOutput | undefined;
  /** The channel's name as Slack sends it; empty if there is none. */
  readonly channelName: string;
  /** The time of the press, in Slack's format. */
  readonly at: string;
}

export interface Submission {
  readonly request: SlackRequest;
  readonly view: ViewOutput;
  /** Called if a failure of our own prevented saving the form, so that we accept the same request again. */
  readonly onUnserved: () => void;
}

/** Listens to a button, menu or calendar. Slack is answered by the first `answer`, or at the end. */
export function listenToButton(
  deps: SlackContext,
  action: string,
  listen: (press: ButtonPress, answer: RespondOnce<RespondArguments>) => Promise<void>,
  mode: AnswerMode = 'beside',
): void {
  const named = {action_id: new RegExp(`^${action}(?::|$)`), type: 'block_actions'} as const;
  deps.bolt.action(named, async ({body, action: pressed, ack, context}) => {
    const text = readActionText(pressed);
    const {view, channel} = body;
    const press = {
      text,
      value: parseValue(text),
      view,
      channelName: channel?.name ?? '',
      at: pressed.action_ts,
    };
    await serveAfterAcknowledging(
      deps,
      await readPressRequest(deps, context, body, mode),
      ack,
      (request, answer) => listen({...press, request}, answer),
    );
  });
}

/** Like `listenToButton`, for a result that appears elsewhere, or later: Slack is answered at once. */
export function listenToAction(
  deps: SlackContext,
  action: string,
  act: (press: ButtonPress) => Promise<RespondArguments | undefined | void>,
  mode?: AnswerMode,
): void {
  const listen = async (press: ButtonPress, answer: RespondOnce<RespondArguments>) => {
    await answer();
    await answer((await act(press)) ?? undefined);
  };
  listenToButton(deps, action, listen, mode);
}

/** Listens to a submitted form. `refuse`: presents an error; without it, the form closes. */
export function listenToView(
  deps: SlackContext,
  name: string,
  submit: (submission: Submission, answer: RespondOnce<ViewResponseAction>) => Promise<void>,
  refuse?: (sentence: string, submission: Submission) => ViewResponseAction,
): void {
  deps.bolt.view<ViewSubmitAction>(
    {callback_id: name, type: 'view_submission'},
    async ({body, view, ack, context}) => {
      const request = await readSubmissionRequest(deps, context, body);
      const submission = {request, view, onUnserved: () => deps.forget(context)};
      const present = refuse && ((sentence: string) => refuse(sentence, submission));
      await serveWithOneAnswer(deps, request.translation.texts, ack, present, (answer) =>
        submit(submission, answer),
      );
    },
  );
}

export function listenToCommand(
  deps: SlackContext,
  name: string | RegExp,
  listen: (
    asked: {readonly request: SlackRequest; readonly command: SlashCommand; readonly onUnserved: () => void},
    answer: RespondOnce<RespondArguments>,
  ) => Promise<void>,
): void {
  deps.bolt.command(name, async ({command, ack, context}) => {
    const request = await readCommandRequest(deps, context, command);
    const asked = {request, command, onUnserved: () => deps.forget(context)};
    await serveWithOneAnswer<RespondArguments>(
      deps,
      request.translation.texts,
      ack,
      privateAnswer,
      (answer) => listen(asked, answer),
    );
  });
}

/** Listens to a global shortcut or one of a message. Answers to a shortcut are modals. */
export function listenToShortcut<Shortcut extends SlackShortcut>(
  deps: SlackContext,
  named: {readonly type: Shortcut['type']; readonly callback_id: string},
  listen: (request: SlackRequest, shortcut: Shortcut, answer: RespondOnce<RespondArguments>) => Promise<void>,
): void {
  deps.bolt.shortcut(named, async ({shortcut, ack, context}) => {
    await serveAfterAcknowledging(
      deps,
      await readShortcutRequest(deps, context, shortcut),
      ack,
      (request, answer) => listen(request, shortcut as SlackShortcut as Shortcut, answer),
    );
  });
}

/** Listens to typing in a menu with search. After a failure the search finds nothing. */
export function listenToSearch(
  deps: SlackContext,
  {block_id, action_id}: {readonly block_id: string; readonly action_id: string},
  find: (typed: string, view: ViewOutput | undefined) => PlainTextOption[],
): void {
  deps.bolt.options<'block_suggestion'>({block_id, action_id}, async ({options, ack}) => {
    const present = () => ({options: []});
    await serveWithOneAnswer<{options: PlainTextOption[]}>(
      deps,
      undefined,
      (found = present()) => ack(found),
      present,
      (answer) => answer({options: find(options.value, options.view)}),
    );
  });
}

/** A Slack event, its installation, and whether Slack has sent the event before. */
interface SlackEvent<Type extends string> {
  readonly event: EventFromType<Type>;
  readonly body: EnvelopedEvent<EventFromType<Type>>;
  readonly origin: SlackOrigin;
  readonly retries: number;
  /** Called if a failure of our own prevented serving the event, so that Slack sends it again. */
  readonly onUnserved: () => void;
}

/** Listens to a Slack event. Failures cannot be shown to anyone. */
export function listenToEvent<Type extends string>(
  deps: SlackContext,
  type: Type,
  listen: (slackEvent: SlackEvent<Type>) => Promise<void>,
): void {
  deps.bolt.event(type, async ({event, body, context}) => {
    const origin = readOrigin(context);
    const onUnserved = () => {
      deps.forget(context);
      markEventHeld(context);
    };
    const happening = {event, body, origin, retries: context.retryNum ?? 0, onUnserved};
    await serveRequest(
      deps,
      undefined,
      () => listen(happening),
      async () => {},
    );
  });
}

function readActionText(pressed: BlockElementAction): string {
  if ('selected_option' in pressed) return pressed.selected_option?.value ?? '';
  if ('selected_date' in pressed) return pressed.selected_date ?? '';
  return pressed.type === 'button' ? (pressed.value ?? '') : '';
}

/** Runs a listener to its end, even while the process shuts down. `refuse` gets the explained error. */
async function serveRequest(
  context: SlackContext,
  texts: Texts | undefined,
  listen: () => Promise<void>,
  refuse: (sentence: string) => Promise<void>,
): Promise<void> {
  const work = listen().catch((error: unknown) => refuse(explainError(context, error, texts).sentence));
  context.track(work);
  await work;
}

/** Serves a request with a single answer, which Slack always gets. `present`: presents a failure. */
async function serveWithOneAnswer<T>(
  context: SlackContext,
  texts: Texts | undefined,
  ack: RespondOnce<T>,
  present: ((sentence: string) => T) | undefined,
  listen: (answer: RespondOnce<T>) => Promise<void>,
): Promise<void> {
  let isAnswered = false;
  async function answer(response?: T): Promise<void> {
    isAnswered = true;
    await ack(response);
  }
  await serveRequest(
    context,
    texts,
    async () => {
      await listen(answer);
      if (!isAnswered) await answer();
    },
    async (sentence) => {
      if (!isAnswered) await answer(present?.(sentence));
    },
  );
}

/** Acknowledges by the first call of `answer`. Without one, the person is told about a failure. */
async function serveAfterAcknowledging(
  context: SlackContext,
  request: SlackRequest,
  ack: () => Promise<void>,
  listen: (request: SlackRequest, answer: RespondOnce<RespondArguments>) => Promise<void>,
): Promise<void> {
  let isAcknowledged = false;
  let hasResponded = false;
  async function respond(message: RespondArguments): Promise<void> {
    hasResponded = true;
    await request.respond(message);
  }
  async function answer(message?: RespondArguments): Promise<void> {
    if (!isAcknowledged) {
      isAcknowledged = true;
      await ack();
    }
    if (message !== undefined) await respond({replace_original: false, ...message});
  }
  await serveRequest(
    context,
    request.translation.texts,
    async () => {
      await listen({...request, respond}, answer);
      await answer();
    },
    (sentence) => answer(hasResponded ? undefined : privateAnswer(sentence)),
  );
}
