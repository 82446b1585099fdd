import {type Scope, scopes} from '../../domain/core/access.js';
import {deliveryStates} from '../../domain/webhooks/delivery.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {retrySchedule} from '../../domain/webhooks/retry.js';
import {deliveryStateMeanings} from '../webhooks/delivery-schemas.js';
import {mostWaiting} from '../http/shared-schemas.js';

const scopeMeanings: Readonly<Record<Scope, string>> = {
  'standups:read': 'read standups, their earlier texts, and the export',
  'standups:write': 'post standups; edit and delete them',
  'standups:write_any': 'post in the name of another author',
  'teams:read': 'read teams and who is in them',
  'teams:write': 'make, change and delete teams; change who is in them',
  'members:read': 'read members',
  'members:write': 'add, change and remove members',
  'webhooks:manage': 'everything about webhooks and deliveries',
  'events:read': 'read the event feed and its stream: **all** that happens in the workspace, see below',
  'tokens:manage': 'make, list and revoke access tokens',
  'workspace:manage': 'read and change the workspace',
};

const number = new Intl.NumberFormat('en-US').format;
const days = (seconds: number) => seconds / (24 * 3600);

/** The rule of idempotency, word for word as in docs/api.md. */
const idempotencyRule = `Every POST, PUT, PATCH and DELETE that changes something accepts \`Idempotency-Key\` (1–255 visible ASCII characters, quoted or bare; a UUID is good). \
A key belongs to you (workspace + principal) for 24 hours. The first successful response is stored and returned unchanged, with \
\`Idempotent-Replayed: true\`, to every repeat of the same request. A different request with the same key gets 422. Failed requests do not use up \
the key. After a timeout or a 5xx, repeat with the same key.`;

/** The rules for all operations, as Markdown: the description of the document. */
export function describeService(publicUrl: string): string {
  return `Short team updates: posted by API or Slack, kept once, told to other programs by signed webhooks.

## First request

\`\`\`sh
curl -sS ${publicUrl}/v1/standups \\
  -H "Authorization: Bearer $STANDUP_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"team": "platform", "update": "Shipped the importer."}'
\`\`\`

In the [reference](/docs): press **Authorize**, paste the token, open an operation, press **Execute**.

## Authentication

Send \`Authorization: Bearer <ACCESS_TOKEN>\`. A token is a signed JWT (RFC 9068) with a name, scopes and an end, made by \`standup token create\`
or by another token with \`tokens:manage\`. It speaks for a member or for a service account, and is refused from the moment it is revoked.
The public keys are at [/.well-known/jwks.json](/.well-known/jwks.json).

No scope implies another:

| scope | allows to |
|---|---|
${scopes.map((scope) => `| \`${scope}\` | ${scopeMeanings[scope]} |`).join('\n')}

\`events:read\` shows the whole log of the workspace, whatever the role and the other scopes: what people wrote for every team, members' e-mail
addresses, webhook addresses, names of tokens. Give it only to whom you would show those. Secrets are in no event.

A scope says what a token may be used for; a role says what its holder may do. Both are asked at every request.

| role | may |
|---|---|
| owner, admin | everything in the workspace |
| service account | what an admin may, bounded by its scopes |
| lead of a team | also change their team, its people, and its standups |
| member | read the workspace; post for teams they are in; edit and delete what they posted |

## Conventions

JSON in UTF-8 with \`snake_case\` members. Instants are RFC 3339 in UTC with milliseconds; a \`date\` is a day in the team's time zone. Ids are
a prefix and 26 characters, such as \`std_01m83t4cm07n5a9d8k2jx6r3hq\`. An id of another workspace is answered exactly as one that does not exist.
Requests are read strictly (an unknown member or parameter is refused); answers may gain members, and lists of values such as \`source\`
or \`type\` may grow: ignore what you do not know.

Large answers to GET about standups, teams and members come gzipped to who sends \`Accept-Encoding: gzip\`. Their \`ETag\` ends in \`.gzip\` then, and is
as good for \`If-Match\` and \`If-None-Match\`.

## Idempotency

${idempotencyRule}

## Revisions

A single resource carries its revision as a strong \`ETag\`. \`If-Match\` on PUT, PATCH and DELETE refuses the change with 412 when somebody else was faster;
\`If-None-Match\` on GET answers 304. The list of standups has an \`ETag\` of what the page says, for \`If-None-Match\` alone. A PATCH is a JSON merge patch (RFC 7396); one without effect makes no revision and no event.

## Lists

\`limit\` is 1 to ${limits.pageMax}, ${limits.pageDefault} when left out. While \`has_more\` is true, ask again with \`cursor\` set to \`next_cursor\`, or follow
\`Link: <…>; rel="next"\`. Cursors are opaque and belong to one list with its filters: send
the same parameters, spelled the same way (a team by its slug and by its id are two spellings). They stay good when rows come and go: each row that
keeps its place is seen once. One that moves meanwhile, as a standup whose \`date\` is changed, may be seen twice or not at all; the export shows each standup once.

## Errors

Every refusal is \`application/problem+json\` (RFC 9457). Decide by \`code\`, show \`detail\` to people, and look in \`errors\` for the places:
\`pointer\` (JSON Pointer into the body), \`parameter\` or \`header\`. \`type\` leads to a page that says what to do; all of them are at
[/problems](/problems), and under \`x-problems\` in this document. Quote \`request_id\` when you ask for help.

## Rate limits

A principal may ask so often a minute, and write so often, over all its tokens and all processes: 600 and 120 unless the operator has
set other numbers. \`RateLimit-Policy\` and \`RateLimit\` in every answer to a known caller say which limits hold and what is left of them.
Beyond them the answer is 429 \`rate_limited\` with \`Retry-After\`. A standup for several teams counts as a
write for each of them. A repeat with an idempotency key counts like any request. Too many failed
authentications from one address are answered 429 as well, and use up nobody's quota.

## Webhooks

Each event that a webhook wants is sent to it as a signed POST ([Standard Webhooks](https://www.standardwebhooks.com)) until it is answered 2xx within
15 seconds: up to ${retrySchedule.length} attempts in about three days, or as its \`retry_schedule\` says. What else a webhook says of how it is served: how many requests at a
time (\`concurrency\`, \`throttle\`), in which order (\`ordering\`), what is in the body (\`payload\`), and whether it is signed with Ed25519 too (\`v1a\`, to
be verified with \`public_key\`). A receiver that keeps failing is spared: the breaker of its webhook opens, what is due is held, and a probe goes out now and
then; \`GET /v1/webhooks/{webhook}/health\` shows it, with what waits. A webhook is \`enabled\`, or disabled with \`disabled_reason\`: \`user\` (somebody did), \`gone\` (the
receiver answered 410, or \`webhook-delivery: disable\`) or \`failing\` (5 days without one success; an event \`webhook.failing\` says so half-way). What waits
meanwhile is held, and sent when the webhook is enabled again. What happens while it is disabled is not queued:
\`POST /v1/webhooks/{webhook}/replay\` sends it, or what has failed, up to 15 days later. Past ${mostWaiting} waiting deliveries a webhook falls behind: it
catches up from the event log by itself, in order (\`backlog.behind\` of its health).

To verify one, take the bytes of the body before any parser; refuse a \`webhook-timestamp\` more than five minutes away from your clock; compute
the HMAC-SHA256 of \`webhook-id\` + \`.\` + \`webhook-timestamp\` + \`.\` + body with the key that follows \`whsec_\` in base64; compare its base64, in
constant time, with each \`v1,…\` of \`webhook-signature\`, of which one must match. Then drop a \`webhook-id\` that you have seen. Receivers in
TypeScript, Python, Go and Ruby that run as they stand are in \`docs/webhooks.md\` of the service's repository.

A delivery is one event to one webhook:

| state | meaning |
|---|---|
${deliveryStates.map((state) => `| \`${state}\` | ${deliveryStateMeanings[state]} |`).join('\n')}

## Limits

| what | at most |
|---|---|
| a body | ${limits.bodyBytes / 1024} KiB |
| an object in a body | ${limits.objectMembers} members |
| faults that a refusal names | ${limits.faults} |
| \`update\` | ${number(limits.update)} code points |
| \`metadata\` | ${limits.metadataKeys} keys of ${limits.metadataKey} characters with texts of ${limits.metadataValue} |
| \`date\` | ${limits.daysBack} days back, one day ahead |
| teams of a workspace | ${limits.teamsPerWorkspace} |
| webhooks of a workspace | ${limits.webhooksPerWorkspace} |
| deliveries of a webhook that wait | ${mostWaiting} |
| live tokens of a holder | ${limits.tokensPerPrincipal} |
| service accounts of a workspace | ${limits.serviceAccountsPerWorkspace}; for another one goes that has no live token; those that trusted issuers name come on top, and stay |
| life of a token | ${days(lifetimes.tokenMax)} days, ${days(lifetimes.tokenDefault)} when not said |
| events, deliveries and attempts are kept | ${days(lifetimes.events)} days, unless the installation says otherwise |

## Versioning

The path names the version. Inside \`/v1\` we only add: operations, optional request members and parameters, response members and headers, event
types, values of open lists, and error codes under a status that the operation has already. Whatever could break a client that follows
these rules is for \`/v2\`. What is going away is marked \`deprecated\` here and announces itself in every answer with \`Deprecation\` (RFC 9745),
\`Sunset\` (RFC 8594) and \`Link; rel="deprecation"\`; 12 months later at the earliest it answers 410 \`endpoint_sunset\`.`;
}
