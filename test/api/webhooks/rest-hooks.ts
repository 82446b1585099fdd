// Automation platforms as the API meets them: their requests when a person turns an automation on or off, as
// their documentation and common integrations have them.
import type {Json} from '../../support/service.js';

/** Sends a request to the API with the person's token, as the platform builds it. */
export type Ask = (
  method: string,
  path: string,
  given?: {readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>},
) => Promise<{readonly status: number; readonly body: Json}>;

export interface Platform {
  readonly name: string;
  /** Subscribes the address of one automation. Returns what the platform keeps for later. */
  readonly turnOn: (ask: Ask, url: string, event: string) => Promise<Json>;
  readonly turnOff: (ask: Ask, kept: Json) => Promise<number>;
  /** Reads examples, by which a person maps the fields. */
  readonly readSample: (ask: Ask, event: string) => Promise<readonly Json[]>;
}

const readLatestEvents: Platform['readSample'] = async (ask, event) =>
  (await ask('GET', `/v1/events?types=${event}&order=desc&limit=3`)).body.data;

export const platforms: readonly Platform[] = [
  {
    // `performSubscribe` keeps the whole answer as `subscribeData`. `performUnsubscribe` sends a body, too.
    name: 'Zapier',
    turnOn: async (ask, url, event) =>
      (await ask('POST', '/v1/webhooks', {body: {url, events: [event]}})).body,
    turnOff: async (ask, kept) => {
      const headers = {'content-type': 'application/json', accept: 'application/json'};
      return (await ask('DELETE', `/v1/webhooks/${kept.id}`, {headers, body: {hookUrl: kept.url}})).status;
    },
    readSample: readLatestEvents,
  },
  {
    // `checkExists` looks for the address in all pages, `create` keeps the id in the static data of the workflow.
    name: 'n8n',
    async turnOn(ask, url, event) {
      let cursor = '';
      do {
        const {body} = await ask('GET', `/v1/webhooks?limit=100${cursor}`);
        const known = body.data.find((one: Json) => one.url === url && one.events.includes(event));
        if (known !== undefined) return {webhookId: known.id};
        cursor = body.has_more ? `&cursor=${body.next_cursor}` : '';
      } while (cursor !== '');
      const {body} = await ask('POST', '/v1/webhooks', {body: {url, events: [event]}});
      return {webhookId: body.id};
    },
    turnOff: async (ask, {webhookId}) =>
      (await ask('DELETE', `/v1/webhooks/${webhookId}`, {body: {}})).status,
    readSample: readLatestEvents,
  },
  {
    // `attach` maps `{{body.id}}` to `externalHookId`, and `detach` fills it into its address.
    name: 'Make',
    async turnOn(ask, url, event) {
      const {body} = await ask('POST', '/v1/webhooks', {body: {url, events: [event]}});
      return {externalHookId: body.id};
    },
    turnOff: async (ask, {externalHookId}) => (await ask('DELETE', `/v1/webhooks/${externalHookId}`)).status,
    readSample: readLatestEvents,
  },
];
