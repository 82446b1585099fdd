// src/api/openapi/: the parts of the OpenAPI document, such as components, operations, refusals and webhooks.
// Schemas and examples are elsewhere (schemas.ts and examples.ts of each feature).
import {eventTypes} from '../../domain/events/event.js';
import {createComponents, type JsonObject} from './components.js';
import {createGuide} from './guide.js';
import {describeOperation} from './operation.js';
import {describeTags, webhookTag} from './tags.js';
import {describeWebhook} from './webhook.js';
import {problemKinds} from '../http/problems.js';
import type {Route} from '../http/route.js';

/** Creates the OpenAPI 3.1 document from the route table and from the schemas that validate requests. */
export function createOpenApi(
  routes: readonly Route[],
  {publicUrl, version}: {publicUrl: string; version: string},
): JsonObject {
  const components = createComponents();
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = describeOperation(route, routes, components, publicUrl);
  }
  const webhooks = Object.fromEntries(eventTypes.map((type) => [type, describeWebhook(type, components)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Team Standup Service',
      version,
      description: createGuide(publicUrl),
      contact: {name: 'The operator of this installation', url: publicUrl},
      license: {name: 'MIT', identifier: 'MIT'},
    },
    externalDocs: {description: 'Every error, and how to handle it', url: `${publicUrl}/problems`},
    servers: [{url: publicUrl, description: 'This installation'}],
    security: [{bearer: []}],
    tags: describeTags(new Set([...routes.map(({tag}) => tag), webhookTag])),
    'x-problems': problemKinds,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'An access token, without the word `Bearer`. `standup-admin token create` creates one.',
        },
      },
      ...components.all(),
    },
  };
}

/** Creates `docs/openapi.json`, which names no real installation and is the same on every machine. */
export function createCommittedOpenApi(routes: readonly Route[], version: string): string {
  const document = createOpenApi(routes, {publicUrl: 'https://standup.example.net', version});
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
