import {eventTypes} from '../domain/event.js';
import {createComponents, type Json} from './openapi/components.js';
import {describeOperation} from './openapi/operation.js';
import {describeWebhook} from './openapi/webhook.js';
import type {Route} from './route.js';

const idempotencyRule = `Every POST, PUT, PATCH and DELETE accepts \`Idempotency-Key\` (1–255 visible ASCII characters, quoted or bare; a UUID is good). \
A key belongs to you (workspace + principal) for 24 hours. The first successful response is stored and returned unchanged, with \
\`Idempotent-Replayed: true\`, to every repeat of the same request. A different request with the same key gets 422. Failed requests do not use up \
the key. After a timeout or a 5xx, repeat with the same key.`;

/** The OpenAPI 3.1 document, made from the route table and the very schemas that validate requests. */
export function createOpenApi(
  routes: readonly Route[],
  {publicUrl, version}: {publicUrl: string; version: string},
): Json {
  const components = createComponents();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = describeOperation(route, components, publicUrl);
  }
  const webhooks = Object.fromEntries(eventTypes.map((type) => [type, describeWebhook(type, components)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Team Standup Service',
      version,
      description: `Short team updates: posted by API or Slack, kept once, told by signed webhooks.\n\n## Idempotency\n\n${idempotencyRule}`,
      license: {name: 'MIT', identifier: 'MIT'},
    },
    servers: [{url: publicUrl}],
    security: [{accessToken: []}],
    tags: [...new Set(routes.map(({tag}) => tag))].map((name) => ({name})),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Made by `standup token create`.',
        },
      },
      ...components.all(),
    },
  };
}
