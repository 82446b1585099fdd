import {actions} from '../../src/bot/slack/blocks/names.js';
import {fillForm, openStandupForm} from '../support/slack-form.js';
import {channel, type BotReply, sendSigned} from '../support/slack-harness.js';
import {sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import type {SlackProcess, SlackStage} from './slack-stage.js';

export interface WebPoster {
  readonly id: string;
  readonly name: string;
}

/** The answer of a process to a standup. `again`: the process is not serving, or the outcome is uncertain. */
export type PostAnswer = 'posted' | 'refused' | 'again';

/** Sends the same standup at each call. Rejects if there is no answer. */
export type Send = (to: SlackProcess) => Promise<PostAnswer>;

/** A way in which a person can post a standup. */
export interface PostRoute {
  readonly name: string;
  /** Whether a person posts in Slack and joins the team by doing so. */
  readonly joins: boolean;
  readonly isRefused: boolean;
  /** Makes the data that the standup needs, through a running process. */
  prepare(stage: SlackStage, by: SlackProcess, post: {text: string; person: WebPoster}): Promise<Send>;
}

export const ways: readonly PostRoute[] = [
  {
    name: '/standup',
    joins: true,
    isRefused: false,
    async prepare(stage, _, {text, person}) {
      const send = createSend(commandOf(text, person, await stage.trigger()));
      return async (to) => judge((await send(to)).body?.text);
    },
  },
  {
    name: 'the form',
    joins: true,
    isRefused: false,
    async prepare(stage, by, {text, person}) {
      const form = await openStandupForm({
        slack: by.slack,
        trigger: () => stage.trigger(),
        command: (typed, {trigger = ''} = {}) => createSend(commandOf(typed, person, trigger))(by),
      });
      const send = createSend(
        payloadOf(person, {
          type: 'view_submission',
          trigger_id: await stage.trigger(),
          view: fillForm(form, `V-${person.id}`, {today: text}),
        }),
      );
      return async (to) => {
        const {body} = await send(to);
        return body?.errors === undefined ? 'posted' : judge(Object.values(body.errors).join());
      };
    },
  },
  {
    name: 'the API',
    joins: false,
    isRefused: false,
    prepare: async ({token}, _, {text, person}) => {
      return async ({service}) => {
        const headers = {'idempotency-key': `post-${person.id}`};
        const body = {team: 'platform', update: text};
        const {status} = await sendRequest(service.url, 'POST', '/v1/standups', {token, headers, body});
        return status === 201 ? 'posted' : status === 503 ? 'again' : 'refused';
      };
    },
  },
  {
    name: 'a button, for a day that takes nothing any more',
    joins: true,
    isRefused: true,
    async prepare(stage, _, {text, person}) {
      const value = JSON.stringify({text, key: `key-${person.id}`, date: '2000-01-01'});
      const send = createSend(
        payloadOf(person, {
          type: 'block_actions',
          trigger_id: await stage.trigger(),
          channel: {id: channel, name: 'general'},
          actions: [{type: 'button', action_id: actions.postText, block_id: 'b', action_ts: '1', value}],
        }),
      );
      return async (to) => {
        const answers = () => to.slack.of('respond').filter(({path}) => path.endsWith(`/${person.id}`));
        const before = answers().length;
        await send(to);
        const answer = await until(() => answers()[before], {what: 'a press is answered'});
        return judge(answer.body['text']);
      };
    },
  },
];

function judge(text: unknown): PostAnswer {
  const said = String(text);
  if (said.startsWith('✅ Posted')) return 'posted';
  return /may not have been|Try again/.test(said) ? 'again' : 'refused';
}

type FieldsFor = (to: SlackProcess) => Record<string, string>;

const commandOf =
  (text: string, person: WebPoster, trigger: string): FieldsFor =>
  ({slack}) => ({
    command: '/standup',
    text,
    user_id: person.id,
    user_name: person.name,
    team_id: 'T000000001',
    channel_id: channel,
    trigger_id: trigger,
    response_url: `${slack.url}/respond/${person.id}`,
    api_app_id: 'A1',
  });

const payloadOf =
  (user: WebPoster, payload: object): FieldsFor =>
  ({slack}) => ({
    payload: JSON.stringify({
      team: {id: 'T000000001', domain: 'acme'},
      user: {...user, username: user.name},
      api_app_id: 'A1',
      response_url: `${slack.url}/respond/${user.id}`,
      ...payload,
    }),
  });

/**
 * Returns a function that sends the request. Each call is signed for another second, because Slack signatures
 * count once.
 */
function createSend(fieldsOf: FieldsFor): (to: SlackProcess) => Promise<BotReply> {
  let times = 0;
  return (to) =>
    sendSigned(to.service.url, fieldsOf(to), {timestamp: Math.floor(Date.now() / 1_000) + times++});
}
