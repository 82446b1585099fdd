// Every action that a person can do in the bot, for the latency test: its request, and the expected result.
import {expect} from '@jest/globals';
import {actions, fieldValue, shortcuts, teamFields, views} from '../../src/bot/slack/blocks/names.js';
import type {SlackCall} from '../support/slack-failure-server.js';
import type {BotReply, SlackHarness} from '../support/slack-harness.js';
import {readInitialText, createTypedInputState} from '../support/slack-form.js';
import {until} from '../support/until.js';

/** One person who does one thing. */
export interface InteractionScene {
  readonly slack: SlackHarness;
  readonly person: {readonly id: string; readonly name: string};
  /** The text that the person writes, if any. It is unique. */
  readonly text: string;
  readonly trigger: string;
  /** Results of `prepare`: the view to submit, the button to press. */
  view?: Record<string, unknown>;
  button?: {action_id: string; value?: string; type?: string};
  reply?: BotReply;
}

/** The outcome that an answer states for the text. */
export type SaveOutcome = 'saved' | 'not saved' | 'not certain';

export interface Interaction {
  readonly name: string;
  /** Prepares the interaction before Redis is slowed down. */
  prepare?(scene: InteractionScene): Promise<void>;
  send(scene: InteractionScene): Promise<BotReply>;
  /**
   * Checks the answer and later calls against the expected result. Returns the time (monotonic ms) of the
   * result if it was not the answer.
   */
  sees(scene: InteractionScene, reply: BotReply): Promise<number | undefined>;
  /** The stated outcome, for actions that save a text. */
  saves?(reply: BotReply): SaveOutcome;
}

const command = (text: string | ((scene: InteractionScene) => string)) => (scene: InteractionScene) =>
  scene.slack.command(typeof text === 'string' ? text : text(scene), {
    user: scene.person,
    trigger: scene.trigger,
  });

/** Makes the person a member with a standup of today. */
async function post({slack, person}: InteractionScene): Promise<void> {
  // On a busy machine the store may be too late for one of many at once.
  const isPosted = async () => {
    const {body} = await slack.command('what was said before', {user: person});
    return String(body.text).startsWith('✅ Posted');
  };
  await until(isPosted, {what: 'a standup is posted', withinMs: 40_000});
}

/** Opens the form for the person and fills it in. */
async function fill(scene: InteractionScene): Promise<void> {
  const {slack, person, text} = scene;
  // On a busy machine the form may open empty first; then it is opened again.
  const view = await until(
    async () => {
      const trigger = await slack.trigger();
      await slack.command('', {user: person, trigger});
      const [opened] = await until(() => {
        const own = openings({...scene, trigger});
        return own.length > 0 && own;
      });
      const shown = opened?.body['view'] as {callback_id: string; blocks: FormBlock[]};
      return shown.callback_id === views.standup && shown;
    },
    {what: 'a form opens with what it has', withinMs: 40_000},
  );
  const values = view.blocks.flatMap(({block_id: id, optional, element}) => {
    if (id === undefined || element?.type !== 'rich_text_input') return [];
    const value = optional ? readInitialText(element) : text;
    return [[id, {[element.action_id]: createTypedInputState(element.type, value)}]];
  });
  scene.view = {...view, id: `V${person.id}`, hash: 'h', state: {values: Object.fromEntries(values)}};
}

interface FormBlock {
  readonly block_id?: string;
  readonly optional?: boolean;
  readonly element?: {readonly type: string; readonly action_id: string; readonly initial_value?: unknown};
}

function openings({slack, trigger}: InteractionScene): SlackCall[] {
  return slack.slack.of('views.open').filter(({body}) => body['trigger_id'] === trigger);
}

function responses({slack, person}: InteractionScene): SlackCall[] {
  return slack.slack.of('respond').filter(({path}) => path.endsWith(`/${person.id}`));
}

/** A sentence in the answer itself. */
async function answer(_: InteractionScene, {body}: BotReply): Promise<undefined> {
  expect(body.text).toMatch(/\w/);
  return undefined;
}

/** The request is accepted, and nothing has to be seen. */
const nothing = async () => undefined;

/**
 * A view within the life of the trigger, or a private sentence with the reason why not. An empty view is
 * filled later, or says why not.
 */
async function viewOrSentence(scene: InteractionScene, {body}: BotReply): Promise<number | undefined> {
  if (body?.text !== undefined) return answer(scene, {body, status: 200, text: ''});
  const [seen] = await until(
    () => {
      const calls = [...openings(scene), ...responses(scene)];
      return calls.length > 0 && calls;
    },
    {what: 'something to see', withinMs: 8_000},
  );
  if (seen?.method === 'respond') expect(seen.body['text']).toMatch(/\w/);
  return seen?.at;
}

const handIn = ({slack, person, view}: InteractionScene) => slack.submit(view ?? {}, {user: person});

/** A form that stays open with its text states the outcome. */
const handedIn = async (_: InteractionScene, {text, body}: BotReply) => {
  if (text !== '') expect(body.response_action).toMatch(/^(errors|update|clear)$/);
  return undefined;
};

function outcomeOfForm({text, body}: BotReply): SaveOutcome {
  if (text === '' || body.response_action !== 'errors') return 'saved';
  const sentence = Object.values(body.errors as Record<string, string>).join(' ');
  return sentence.startsWith('Not saved') ? 'not saved' : 'not certain';
}

function outcomeOfCommand({body}: BotReply): SaveOutcome {
  if (body.text.startsWith('✅ Posted')) return 'saved';
  return body.text.startsWith('Not posted') ? 'not saved' : 'not certain';
}

/** The whole text comes back, with every outcome. */
async function answerWithText({text}: InteractionScene, {body}: BotReply): Promise<undefined> {
  expect(body.text).toContain(text);
  return undefined;
}

const press =
  (button: {action_id: string; value?: string; type?: string}, more: Record<string, unknown> = {}) =>
  ({slack, person, trigger, ...scene}: InteractionScene) =>
    slack.action(scene.button ?? button, {trigger_id: trigger, ...more}, {user: person});

const named: readonly Interaction[] = [
  {
    name: '/standup <text>',
    prepare: post,
    send: command(({text}) => text),
    sees: answerWithText,
    saves: outcomeOfCommand,
  },
  {
    name: '/standup <text>, a newcomer',
    send: command(({text}) => text),
    sees: answerWithText,
    saves: outcomeOfCommand,
  },
  {name: '/standup', prepare: post, send: command(''), sees: viewOrSentence},
  {name: '/standup, a newcomer', send: command(''), sees: viewOrSentence},
  {name: '/standup help', send: command('help'), sees: answer},
  {name: '/standup today', prepare: post, send: command('today'), sees: viewOrSentence},
  {name: '/standup report', prepare: post, send: command('report'), sees: viewOrSentence},
  {name: '/standup missing', prepare: post, send: command('missing'), sees: viewOrSentence},
  {name: '/standup edit', prepare: post, send: command('edit'), sees: viewOrSentence},
  {name: '/standup settings', send: command('settings'), sees: viewOrSentence},
  {
    name: 'a search for a time zone',
    send: ({slack, person}) =>
      slack.send({
        payload: JSON.stringify({
          type: 'block_suggestion',
          team: {id: 'T000000001', domain: 'acme'},
          user: person,
          action_id: fieldValue,
          block_id: teamFields.zone,
          value: 'berlin',
          view: {private_metadata: '{}'},
        }),
      }),
    sees: async (_, {body}) => {
      expect(JSON.stringify(body.options)).toContain('Europe/Berlin');
      return undefined;
    },
  },
  {
    name: 'an unknown command',
    send: ({slack, person}) => slack.command('x', {command: '/standups', user: person}),
    sees: answer,
  },
  {name: 'the form handed in', prepare: fill, send: handIn, sees: handedIn, saves: outcomeOfForm},
  {
    name: 'the form handed in, to edit',
    prepare: async (scene) => {
      await post(scene);
      await fill(scene);
    },
    send: handIn,
    sees: handedIn,
    saves: outcomeOfForm,
  },
];

/** Every named button, pressed with a value that the bot does not know. */
const buttons: readonly Interaction[] = Object.entries(actions).map(([name, id]) => ({
  name: `button ${name}`,
  prepare: post,
  send: press({action_id: id, value: 'x'}),
  sees: nothing,
}));

const byShortcut: readonly Interaction[] = Object.entries(shortcuts).map(([name, id]) => ({
  name: `shortcut ${name}`,
  prepare: post,
  send: ({slack, person, trigger, text}) =>
    slack.shortcut(
      id,
      {
        trigger_id: trigger,
        ...(id === shortcuts.addMessage && {message: {type: 'message', text, user: 'U2', ts: '1.0'}}),
      },
      {user: person},
    ),
  sees: nothing,
}));

/** The Home, whole or small. */
async function home({slack, person}: InteractionScene): Promise<number | undefined> {
  const [seen] = await until(
    () => {
      const own = slack.slack.of('views.publish').filter(({body}) => body['user_id'] === person.id);
      return own.length > 0 && own;
    },
    {what: 'a Home', withinMs: 8_000},
  );
  return seen?.at;
}

const onHome = {channel: undefined, response_url: undefined, view: {type: 'home'}};
const onTheHomeTab: readonly Interaction[] = [
  {
    name: 'the Home tab opened',
    send: ({slack, person}) => slack.event({type: 'app_home_opened', user: person.id, tab: 'home'}),
    sees: home,
  },
  ...[actions.homeAgain, actions.homeLeave].map((id) => ({
    name: `button ${id}`,
    send: (scene: InteractionScene) => press({action_id: id, value: scene.slack.team}, onHome)(scene),
    sees: home,
  })),
  {
    name: 'button home-post',
    send: (scene) => press({action_id: actions.homePost, value: scene.slack.team}, onHome)(scene),
    sees: viewOrSentence,
  },
];

const unknown: readonly Interaction[] = [
  {name: 'an unknown button', send: press({action_id: 'unknown'}), sees: nothing},
  {
    name: 'an unknown shortcut',
    send: ({slack, person, trigger}) => slack.shortcut('unknown', {trigger_id: trigger}, {user: person}),
    sees: nothing,
  },
  {
    name: 'an unknown view',
    send: ({slack, person}) =>
      slack.submit({id: 'V1', callback_id: 'unknown', state: {values: {}}}, {user: person}),
    sees: nothing,
  },
];

export const interactions: readonly Interaction[] = [
  ...named,
  ...buttons,
  ...byShortcut,
  ...onTheHomeTab,
  ...unknown,
];
