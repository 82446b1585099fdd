import {eventTypes} from '../../domain/events/event.js';
import type {Route} from '../http/route.js';

/** Creates a guide for language models (llmstxt.org), with the operations of the route table. */
export function createLlmsTxt(routes: readonly Route[], publicUrl: string): string {
  const tags = [...new Set(routes.map(({tag}) => tag))];
  const operations = tags.map((tag) => {
    const lines = routes
      .filter((route) => route.tag === tag)
      .map((route) => formatOperationLine(route, publicUrl));
    return `### ${tag}\n\n${lines.join('\n')}`;
  });
  return `# Team Standup Service

> People post short updates (standups) for their team, by API or by \`/standup\` in Slack. The service keeps them, shows them in the team's Slack
> channel, and sends them to other programs by signed webhooks. This is its HTTP API: JSON, under ${publicUrl}/v1.

- Authentication: \`Authorization: Bearer <ACCESS_TOKEN>\` on every request. The operator creates the token
  (\`standup-admin token create\`). It has scopes; \`GET /v1/me\` returns them.
- Post a standup: \`POST /v1/standups\` with \`Content-Type: application/json\` and \`{"team": "<slug or id>", "update": "<text>"}\`. The response is
  201 with the standup. \`GET /v1/teams\` returns the teams; an unknown team is rejected with 422 \`team_not_found\`.
- Repeat safely: send an \`Idempotency-Key\` (a UUID) with every POST, PUT, PATCH and DELETE, and the same key again after a timeout or a 5xx.
- Unknown members and parameters are rejected. Ignore unknown members of responses.
- Lists: \`limit\` (1 to 100) and \`cursor\`; continue with \`next_cursor\` while \`has_more\` is true.
- Changes: PATCH is a JSON merge patch; \`If-Match\` with the \`ETag\` protects against overwriting.
- Errors are \`application/problem+json\`: use \`code\` in programs, and read \`detail\` and \`errors\` for what to fix. 429 and 503 have \`Retry-After\`.
- Webhooks follow Standard Webhooks: verify \`webhook-signature\` (HMAC-SHA256 of \`webhook-id.webhook-timestamp.body\` with the secret of the
  creation's response) over the body's raw bytes, and drop a \`webhook-id\` that was seen before.
- Assistants can use the Model Context Protocol at ${publicUrl}/mcp, with the same access token.
- Event types: ${eventTypes.map((type) => `\`${type}\``).join(', ')}.

## Documents

- [OpenAPI document](${publicUrl}/openapi.json): every operation, schema, example and webhook
- [Index](${publicUrl}/v1): the paths that can be read, as JSON, without a token
- [Reference](${publicUrl}/docs): the same for people
- [Problems](${publicUrl}/problems): every error code with its solution; JSON with \`Accept: application/json\`
- [Public keys](${publicUrl}/.well-known/jwks.json): keys that verify access tokens

## Operations

${operations.join('\n\n')}

## Optional

- [Standard Webhooks](https://www.standardwebhooks.com): libraries that verify webhooks, in many languages
`;
}

function formatOperationLine(
  {method, path, operation, tag, summary, scope}: Route,
  publicUrl: string,
): string {
  const needs = scope === undefined ? 'any token' : `scope \`${scope}\``;
  return `- [${method} ${path}](${publicUrl}/docs#/${encodeURIComponent(tag)}/${operation}): ${summary} (${needs})`;
}
