// The Slack door: Bolt's listeners, what they show, and the jobs that show standups in channels. The only folder that may use `@slack/*`.
// Nothing here decides: listeners translate, call one service function, and present.
import {
  App,
  type AllMiddlewareArgs,
  type AnyMiddlewareArgs,
  ExpressReceiver,
  type ExpressReceiverOptions,
  type RespondArguments,
  type ViewResponseAction,
} from '@slack/bolt';
import {createCalendar} from '../domain/dates.js';
import type {Log} from '../domain/log.js';
import type {Services} from '../service/services.js';
import {clientOptions, createInteractiveClient, createSlackLogger} from './clients.js';
import {answerWords, type CommandParts, postCommand, privately} from './command.js';
import {actions, standupCommand, views} from './names.js';
import {openForm, type FormParts} from './open-form.js';
import {explain} from './refusals.js';
import {passRequest, signatureHash} from './request-guard.js';
import {refuseForm, submitForm} from './submit-form.js';
import {createVisitors, soon} from './visitors.js';

export interface SlackBotParts {
  /** The service's own Express application; the bot must be mounted before any body parser, since Bolt reads the raw body. */
  readonly app: NonNullable<ExpressReceiverOptions['app']>;
  readonly services: Pick<Services, 'standups' | 'teams' | 'people' | 'workspaces'>;
  readonly config: {
    readonly signingSecret: string;
    readonly botToken: string;
    readonly apiUrl?: string | undefined;
    /** Slug of the service workspace; the only one when left out. Looked up when used. */
    readonly workspace?: string | undefined;
  };
  readonly log: Log;
  /** Which signed requests have been taken already, in any process. */
  readonly signatures: {
    remember(hash: string, deadline: number): Promise<boolean>;
    forget(hash: string, deadline: number): Promise<void>;
  };
  /** A short text by which a person and the log speak of the same failure. */
  readonly drawReference: () => string;
  /** Wall time in ms. */
  readonly now: () => number;
}

export interface SlackBot {
  /** Waits, not for long, for what is still being answered. */
  close(): Promise<void>;
}

type Answer<T> = (response?: T) => Promise<void>;

const eventsPath = '/slack/events';
const bodyBytes = 512 * 1024;
const rememberMs = 400;
const respondMs = 3_000;
const closeMs = 3_000;

/** Mounts the Slack door at `POST /slack/events`. */
export function createSlackBot(parts: SlackBotParts): SlackBot {
  const {app, services, config, log, signatures, drawReference, now} = parts;
  const client = createInteractiveClient({...config, log});
  const visitors = createVisitors({services, client, workspace: config.workspace});
  const shared = {
    visitors,
    services,
    client,
    calendar: createCalendar(),
    now,
    log,
    drawReference,
  } satisfies FormParts;
  const running = new Set<Promise<unknown>>();

  app.post(eventsPath, (request, response, next) => {
    if (passRequest(request, now())) return next();
    response.status(401).end();
  });
  const receiver = new ExpressReceiver({
    app,
    signingSecret: config.signingSecret,
    endpoints: eventsPath,
    bodyLimit: bodyBytes,
    logger: createSlackLogger(log),
    customPropertiesExtractor: (request) => ({signature: signatureHash(request)}),
  });
  const bolt = new App({
    receiver,
    // `token` would call auth.test at once and keep trying. This must not throw: Bolt would then answer an empty 200 or 401.
    authorize: async ({teamId}) => ({botToken: config.botToken, ...(teamId !== undefined && {teamId})}),
    convoStore: false,
    logger: createSlackLogger(log),
    clientOptions: clientOptions({apiUrl: config.apiUrl, log}),
  });

  bolt.error(async (error) => {
    log.error({reference: drawReference()}, 'a Slack listener failed', error);
  });
  bolt.use((args) => dropReplay(args));

  bolt.command(standupCommand, async ({command, ack, context}) => {
    const commandParts: CommandParts = {...shared, onUnserved: () => forget(context['signature'])};
    await answering(ack, privately, async (answer) => {
      const words = answerWords(command.text);
      if (words !== undefined) return answer(words);
      if (command.text.trim() !== '') return answer(await postCommand(commandParts, command));
      await answer();
      await openForm(shared, {
        triggerId: command.trigger_id,
        user: {id: command.user_id, name: command.user_name},
        channel: command.channel_id,
        respond: (message) => respondTo(command.response_url, message),
      });
    });
  });

  bolt.action(actions.openForm, async ({body, ack}) => {
    await answering(ack as Answer<never>, undefined, async (answer) => {
      await answer();
      if (body.type !== 'block_actions') return;
      await openForm(shared, {
        triggerId: body.trigger_id,
        user: {id: body.user.id, name: body.user.name ?? body.user.username},
        channel: body.channel?.id ?? '',
        respond: (message) => respondTo(body.response_url, message),
      });
    });
  });

  bolt.view({callback_id: views.standup, type: 'view_submission'}, async ({body, view, ack, context}) => {
    const submitParts = {...shared, onUnserved: () => forget(context['signature'])};
    await answering(ack as Answer<ViewResponseAction>, refuseForm, async (answer) => {
      await answer(await submitForm(submitParts, view, {id: body.user.id, name: body.user.name}));
    });
  });

  // Whatever else Slack sends is answered at once: without an answer the person sees an error after 3 s.
  const others = (name: string) => new RegExp(`^(?!${name}$)`);
  bolt.command(others(standupCommand), async ({command, ack}) => {
    await ack(
      privately(`\`${command.command}\` is not known here. \`${standupCommand} help\` shows what is.`),
    );
  });
  bolt.action(others(actions.openForm), async ({ack}) => ack());
  bolt.view({callback_id: others(views.standup), type: 'view_submission'}, async ({ack}) => ack());
  bolt.view({callback_id: /^/, type: 'view_closed'}, async ({ack}) => ack());
  bolt.shortcut(/^/, async ({ack}) => ack());

  return {
    async close() {
      await soon(Promise.allSettled(running), closeMs);
    },
  };

  /** Runs a listener so that Slack gets an answer whatever happens. `present`: how the answer to this request tells of a failure. */
  async function answering<T>(
    ack: Answer<T>,
    present: ((sentence: string) => T) | undefined,
    listen: (answer: Answer<T>) => Promise<void>,
  ): Promise<void> {
    let answered = false;
    const answer = async (response?: T) => {
      answered = true;
      await (response === undefined ? ack() : ack(response));
    };
    const work = listen(answer).catch(async (error: unknown) => {
      const {sentence} = explain(error, log, drawReference());
      if (!answered) await answer(present?.(sentence));
    });
    running.add(work);
    await work.finally(() => running.delete(work));
  }

  /** A request that has been taken already gets its 200 and has no effect. The store being away lets it pass: idempotency keys hold. */
  async function dropReplay(args: AllMiddlewareArgs & AnyMiddlewareArgs): Promise<void> {
    const fresh = await signatures
      .remember(String(args.context['signature']), performance.now() + rememberMs)
      .catch(() => true);
    if (fresh) return args.next();
    log.info({}, 'a Slack request that came again was left out');
    if ('ack' in args && typeof args.ack === 'function') await args.ack();
  }

  function forget(signature: unknown): void {
    signatures.forget(String(signature), performance.now() + rememberMs).catch(() => {});
  }

  /** Answers a person through the address that came with their request; a failure is logged, since there is no other way to tell them. */
  async function respondTo(url: string, message: RespondArguments): Promise<void> {
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
}
