import {type Scope, scopes} from '../../domain/core/access.js';
import {deliveryStates} from '../../domain/webhooks/delivery.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import {retrySchedule} from '../../domain/webhooks/retry.js';
import {deliveryStateMeanings} from '../../domain/webhooks/delivery.js';
import {mostWaiting} from '../../domain/core/limits.js';

const scopeMeanings: Readonly<Record<Scope, string>> = {
  'standups:read': 'read standups, their earlier versions, and the export',
  'standups:write': 'post standups; edit and delete them',
  'standups:write_any': 'post for another author',
  'comments:write': 'comment on standups and react to them; edit and delete comments',
  'teams:read': 'read teams and their members',
  'teams:write': 'create, change and delete teams; change their members',
  'teams:private':
    'a service account reaches private teams too, with its other scopes; for people their memberships decide',
  'members:read': 'read members',
  'members:write': 'add, change and remove members',
  'webhooks:manage': 'manage webhooks and deliveries',
  'events:read': 'read the event feed and its stream: **all** events of the workspace, see below',
  'tokens:manage': 'create, list and revoke access tokens',
  'workspace:manage': 'read and change the workspace',
};

const number = new Intl.NumberFormat('en-US').format;
const days = (seconds: number) => seconds / (24 * 3600);

/** The rule about idempotency, with the same words as in docs/api.md. */
const idempotencyRule = `Every POST, PUT, PATCH and DELETE that changes something accepts \`Idempotency-Key\` (1–255 visible ASCII characters, quoted or bare; a UUID is good). \
A key belongs to you (workspace + principal) for 24 hours. The first successful response is stored and returned unchanged, with \
\`Idempotent-Replayed: true\`, to every repeat of the same request. A different request with the same key gets 422. Failed requests do not use up \
the key. After a timeout or a 5xx, repeat with the same key.`;

/** The description of the whole API in Markdown: rules that apply to all operations. */
export function createGuide(publicUrl: string): string {
  return `Short team updates: posted by API or Slack, kept once, and sent to other programs by signed webhooks.

## First request

\`\`\`sh
curl -sS ${publicUrl}/v1/standups \\
  -H "Authorization: Bearer $STANDUP_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"team": "platform", "update": "Shipped the importer."}'
\`\`\`

In the [reference](/docs): press **Authorize**, paste the token, open an operation, press **Execute**.

## Authentication

Send \`Authorization: Bearer <ACCESS_TOKEN>\`. A token is a signed JWT (RFC 9068) with a name, scopes and an expiry. It is created by \`standup-admin token create\`
or by another token with \`tokens:manage\`. Its holder is a member or a service account. It is rejected from the moment it is revoked.
The public keys are at [/.well-known/jwks.json](/.well-known/jwks.json).

No scope implies another:

| scope | allows the caller to |
|---|---|
${scopes.map((scope) => `| \`${scope}\` | ${scopeMeanings[scope]} |`).join('\n')}

\`events:read\` shows the whole log of the workspace, for any role and with any other scopes. The log has texts of every team, members' e-mail
addresses, webhook addresses and names of tokens. Grant it only to holders who can see those. No event has secrets.

A scope limits the use of a token; a role limits its holder. Both are checked at every request.

| role | can |
|---|---|
| owner, admin | everything in the workspace |
| service account | the same as an admin, limited by its scopes |
| lead of a team | also change their team, its members, and its standups |
| member | read the workspace; post for their teams; edit and delete their own posts |

## Conventions

Bodies are JSON in UTF-8 with \`snake_case\` members. Instants are RFC 3339 in UTC with milliseconds; a \`date\` is a day in the team's time zone. Ids are
a prefix and 26 characters, such as \`std_01m83t4cm07n5a9d8k2jx6r3hq\`. An id of another workspace returns the same error as one that does not exist.
Requests are strict: an unknown member or parameter is rejected. Responses can get new members, and lists of values such as \`source\`
or \`type\` can grow: ignore unknown ones.

Large responses to GET about standups, teams and members are gzipped for requests with \`Accept-Encoding: gzip\`. Their \`ETag\` then ends in \`.gzip\`, and is
also valid for \`If-Match\` and \`If-None-Match\`.

## Idempotency

${idempotencyRule}

## Revisions

A single resource has its revision as a strong \`ETag\`. With \`If-Match\`, a PUT, PATCH or DELETE is rejected with 412 if the resource has changed since.
With \`If-None-Match\`, a GET of an unchanged resource returns 304. The list of standups has an \`ETag\` of the page, only for \`If-None-Match\`. A PATCH is a JSON merge patch (RFC 7396); one without effect creates no revision and no event.

## Lists

\`limit\` is 1 to ${limits.pageMax}; the default is ${limits.pageDefault}. While \`has_more\` is true, request the next page with \`cursor\` set to \`next_cursor\`, or follow
\`Link: <…>; rel="next"\`. Cursors are opaque and belong to one list with its filters. Send
the same parameters, spelled the same way (a team by its slug and by its id are two spellings). Cursors stay valid when rows are added or deleted: each row that
keeps its position is returned once. A row that moves between requests, such as a standup with a changed \`date\`, can be returned twice or not at all; the export returns each standup once.

## Errors

Every error is \`application/problem+json\` (RFC 9457). Use \`code\` in programs, and show \`detail\` to people. \`errors\` has the location of each error:
\`pointer\` (JSON Pointer into the body), \`parameter\` or \`header\`. \`type\` is the URL of a page with the solution; all pages are at
[/problems](/problems), and under \`x-problems\` in this document. Include \`request_id\` when you ask for help.

## Rate limits

A principal has a limit of requests and of writes each minute, over all its tokens and all processes: 600 and 120, unless the operator
sets other numbers. \`RateLimit-Policy\` and \`RateLimit\` in every response to an authenticated caller have the limits and what is left of them.
Further requests return 429 \`rate_limited\` with \`Retry-After\`. A standup for several teams counts as a
write for each of them. A repeat with an idempotency key counts like any request. Too many failed
authentications from one address also return 429, and do not count against any principal.

## Webhooks

Each event of a webhook is sent to it as a signed POST ([Standard Webhooks](https://www.standardwebhooks.com)) until a 2xx is returned within
15 seconds: up to ${retrySchedule.length} attempts in about three days, or by its \`retry_schedule\`. \`concurrency\` and \`throttle\`
limit its requests, \`ordering\` sets their order, and \`payload\` the content of the body. \`v1a\` adds an Ed25519 signature, to be verified with
\`public_key\`. If a receiver keeps failing, the breaker of its webhook opens: due deliveries are held, and single probes are sent.
\`GET /v1/webhooks/{webhook}/health\` returns the state of the breaker and the waiting deliveries.

A webhook is \`enabled\`, or disabled with a \`disabled_reason\`: \`user\` (a caller disabled it), \`gone\` (the
receiver returned 410, or \`webhook-delivery: disable\`) or \`failing\` (5 days without one success; an event \`webhook.failing\` is sent half-way). Waiting
deliveries are held, and sent when the webhook is enabled again. Events that happen while it is disabled are not queued:
\`POST /v1/webhooks/{webhook}/replay\` sends them, or failed ones, up to 15 days later. Past ${mostWaiting} waiting deliveries a webhook falls behind: it
then reads the event log automatically, in order (\`backlog.behind\` of its health).

To verify a request, take the bytes of the body before any parser. Reject a \`webhook-timestamp\` more than five minutes away from your clock. Compute
the HMAC-SHA256 of \`webhook-id\` + \`.\` + \`webhook-timestamp\` + \`.\` + body with the key that follows \`whsec_\` in base64. Compare its base64, in
constant time, with each \`v1,…\` of \`webhook-signature\`; one must match. Then drop a \`webhook-id\` that you have seen. Complete receivers in
TypeScript, Python, Go and Ruby are in \`docs/webhooks.md\` of the service's repository.

A delivery is one event sent to one webhook:

| state | meaning |
|---|---|
${deliveryStates.map((state) => `| \`${state}\` | ${deliveryStateMeanings[state]} |`).join('\n')}

## Limits

| what | at most |
|---|---|
| a body | ${limits.bodyBytes / 1024} KiB |
| an object in a body | ${limits.objectMembers} members |
| errors in one response | ${limits.inputErrors} |
| \`update\` | ${number(limits.update)} code points |
| \`metadata\` | ${limits.metadataKeys} keys of ${limits.metadataKey} characters with texts of ${limits.metadataValue} |
| \`date\` | ${limits.daysBack} days back, one day ahead |
| teams of a workspace | ${limits.teamsPerWorkspace} |
| webhooks of a workspace, and those that one principal created | ${limits.webhooksPerWorkspace}, ${limits.webhooksPerPrincipal} |
| waiting deliveries of a webhook | ${mostWaiting} |
| live tokens of a holder | ${limits.tokensPerPrincipal} |
| service accounts of a workspace | ${limits.serviceAccountsPerWorkspace}; a new one replaces one without a live token. Those of trusted issuers are not counted, and are kept |
| life of a token | ${days(lifetimes.tokenMax)} days; the default is ${days(lifetimes.tokenDefault)} |
| retention of events, deliveries and attempts | ${days(lifetimes.events)} days, unless the operator sets another period |

## Versioning

The path has the version. Within \`/v1\` there are only additions: operations, optional request members and parameters, response members and headers, event
types, values of open lists, and error codes under a status that the operation already has. Changes that could break a client that follows
these rules need \`/v2\`. A deprecated operation is marked \`deprecated\` here, and every response has \`Deprecation\` (RFC 9745),
\`Sunset\` (RFC 8594) and \`Link; rel="deprecation"\`. At least 12 months later it returns 410 \`endpoint_sunset\`.`;
}
