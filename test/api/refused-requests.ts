import type {Json} from '../support/service.js';

/** A newcomer's request. `{name}` in a path or a body is replaced by a value of `refusals.test.ts`. */
export interface RefusedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** The holder of the token; by default one with all scopes. */
  readonly as?: 'nobody' | 'stranger' | 'reader' | 'member';
}

const get = (path: string, more: Partial<RefusedRequest> = {}): RefusedRequest => ({
  method: 'GET',
  path,
  ...more,
});
const post = (path: string, body: Json, more: Partial<RefusedRequest> = {}): RefusedRequest => ({
  method: 'POST',
  path,
  body,
  ...more,
});
const patch = (path: string, body: Json, more: Partial<RefusedRequest> = {}): RefusedRequest => ({
  ...post(path, body, more),
  method: 'PATCH',
});
const standup = (body: Json) => post('/v1/standups', {team: 'platform', update: 'Fine.', ...body});
const answers = (question: string, value: Json) =>
  post('/v1/standups', {team: 'platform', answers: [{question, value}]});
const webhook = (body: Json) =>
  post('/v1/webhooks', {url: 'https://hooks.example.com/', events: ['*'], ...body});
const team = (body: Json) => post('/v1/teams', {slug: 'design', ...body});
const question = (body: Json) => team({questions: [{key: 'q', label: 'Q?', type: 'text', ...body}]});
const weekly = {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '11:00'};
const schedule = (body: Json) => patch('/v1/teams/platform', {schedule: {...weekly, ...body}});
const token = (body: Json) => post('/v1/tokens', {name: 'ci', ...body});
const member = (body: Json) => post('/v1/members', {name: 'Grace', ...body});
const absence = (body: Json) => post('/v1/absences', {member: 'ada@example.com', ...body});
const json = {'content-type': 'application/json'};

export const refusedRequests: readonly (readonly [RefusedRequest, string])[] = [
  // Credentials.
  [
    get('/v1/me', {as: 'nobody'}),
    '401 authentication_required: Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`. `standup-admin token create` creates one.',
  ],
  [
    get('/v1/me', {as: 'stranger'}),
    '401 invalid_token: The access token is not valid here: it is malformed, or of another installation. Create a new one.',
  ],
  [
    get('/v1/me', {headers: {authorization: 'Token abc'}, as: 'nobody'}),
    '401 invalid_token: The Authorization header is not of the form `Bearer <ACCESS_TOKEN>`.',
  ],
  [
    get('/v1/members', {as: 'reader'}),
    '403 insufficient_scope: The access token lacks the scope "members:read"; it has standups:read. The scopes of a token never change: create another token.',
  ],
  [
    get('/v1/standups?author=ada@example.com', {as: 'reader'}),
    '403 insufficient_scope: The access token lacks the scope "members:read"; it has standups:read. The scopes of a token never change: create another token.',
  ],
  [
    post('/v1/standups', {team: 'platform', update: 'Hers.', author: 'ada@example.com'}, {as: 'member'}),
    '403 forbidden: Only a lead of the team "platform", or an owner or admin of the workspace, may post for another member.',
  ],
  [
    post('/v1/standups', {team: 'design-system', update: 'Mine.'}, {as: 'member'}),
    '403 forbidden: You are not in the team "design-system", so you cannot post for it. Who leads it can add you.',
  ],
  [
    patch('/v1/standups/{standup}', {update: 'Mine now.'}, {as: 'member'}),
    '403 forbidden: Only its author ci, a lead of the team "platform", or an owner or admin of the workspace, may change it.',
  ],
  [
    patch('/v1/teams/platform', {name: 'Mine'}, {as: 'member'}),
    '403 forbidden: Only a lead of the team "platform", or an owner or admin of the workspace, may change it.',
  ],
  [
    post('/v1/webhooks', {url: 'https://hooks.example.com/', events: ['*']}, {as: 'member'}),
    '403 forbidden: Only an owner or an admin of the workspace may see or change webhooks.',
  ],
  // Paths and methods.
  [
    post('/v1/standup', {team: 'platform', update: 'Fine.'}),
    '404 not_found: There is nothing at this address. Did you mean /v1/standups? GET http://localhost:3000/docs describes the API.',
  ],
  [
    get('/v1/team/platform'),
    '404 not_found: There is nothing at this address. Did you mean /v1/teams/platform? GET http://localhost:3000/docs describes the API.',
  ],
  [
    get('/standups'),
    '404 not_found: There is nothing at this address. Did you mean /v1/standups? GET http://localhost:3000/docs describes the API.',
  ],
  [
    get('/v2/standups'),
    '404 not_found: There is nothing at this address. Did you mean /v1/standups? GET http://localhost:3000/docs describes the API.',
  ],
  [
    get('/v1/teams/platform/run/2026-11-25'),
    '404 not_found: There is nothing at this address. Did you mean /v1/teams/platform/runs/2026-11-25? GET http://localhost:3000/docs describes the API.',
  ],
  [
    get('/v1/standups/{standup}/history'),
    '404 not_found: There is nothing at this address. Below it there is /v1/standups/{standup}/revisions. GET http://localhost:3000/docs describes the API.',
  ],
  [
    get('/v1/teams/platform/schedule'),
    '404 not_found: There is nothing at this address. Below it there is /v1/teams/platform/readers, /v1/teams/platform/schedule/preview, /v1/teams/platform/members, /v1/teams/platform/members/{member}, /v1/teams/platform/runs, /v1/teams/platform/reminders, /v1/teams/platform/runs/{date}, /v1/teams/platform/participation, /v1/teams/platform/trends, /v1/teams/platform/weeks/{monday}, /v1/teams/platform/days/{date}. GET http://localhost:3000/docs describes the API.',
  ],
  [get('/v1/teams/%E0'), '400 bad_request: The address is not percent-encoded UTF-8, in which ü is %C3%BC.'],
  [
    {method: 'DELETE', path: '/v1/standups'},
    '405 method_not_allowed: This address answers GET, HEAD, OPTIONS, POST, and no DELETE.',
  ],
  [
    {method: 'PUT', path: '/v1/standups/{standup}'},
    '405 method_not_allowed: This address answers DELETE, GET, HEAD, OPTIONS, PATCH, and no PUT.',
  ],
  [
    get('/v1/standups/std_0'),
    '404 not_found: There is no standup "std_0" in this workspace. Such ids look like std_01h455vb4pex5vsknk084sn02q, and GET /v1/standups lists them.',
  ],
  [
    get('/v1/standups/{team}'),
    '404 not_found: There is no standup "{team}" in this workspace. Such ids look like std_01h455vb4pex5vsknk084sn02q, and GET /v1/standups lists them.',
  ],
  [
    get('/v1/standups/{unknown}'),
    '404 not_found: There is no standup "{unknown}" in this workspace. Such ids look like std_01h455vb4pex5vsknk084sn02q, and GET /v1/standups lists them.',
  ],
  [
    get('/v1/teams/platfrom'),
    '404 not_found: There is no team "platfrom" in this workspace. Did you mean "platform"?',
  ],
  [
    get('/v1/members/ada'),
    '404 not_found: There is no member "ada" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    get('/v1/members/ada@exmaple.com'),
    '404 not_found: There is no member "ada@exmaple.com" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    get('/v1/members/me'),
    '404 not_found: "me" is a service account here, and no member: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me".',
  ],
  [
    get('/v1/teams/platform/runs/today'),
    '400 invalid_parameter: The date in the address must be a calendar day that exists, as YYYY-MM-DD, such as 2026-11-23; it is "today".',
  ],
  [
    get('/v1/teams/platform/runs/2026-13-01'),
    '400 invalid_parameter: The date in the address must be a calendar day that exists, as YYYY-MM-DD, such as 2026-11-23; it is "2026-13-01".',
  ],
  [
    get('/v1/teams/platform/runs/2026-11-01'),
    '404 not_found: The team "platform" has no run of 2026-11-01: a run is there once it has opened. GET /v1/teams/platform/runs lists them.',
  ],
  [
    get('/v1/teams/platfrom/runs/2026-11-01'),
    '404 not_found: There is no team "platfrom" in this workspace. Did you mean "platform"?',
  ],
  [
    {method: 'PUT', path: '/v1/teams/platform/members/ada@exmaple.com'},
    '404 not_found: There is no member "ada@exmaple.com" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    get('/v1/teams/platform/members/grace@example.com'),
    '404 not_found: There is no member "grace@example.com" in the team "platform", as an id, an e-mail address or a Slack user. GET /v1/teams/platform/members lists its members.',
  ],
  [
    get('/v1/webhooks/standups'),
    '404 not_found: There is no webhook "standups" in this workspace. Such ids look like whk_01h455vb4pex5vsknk084sn02q, and GET /v1/webhooks lists them.',
  ],
  [
    get('/v1/events/1'),
    '404 not_found: There is no event "1" in this workspace. Such ids look like evt_01h455vb4pex5vsknk084sn02q, and GET /v1/events lists them.',
  ],
  // Parameters.
  [get('/v1/standups?limit=0'), '400 invalid_parameter: `limit` must be a number from 1 to 100; it is 0.'],
  [
    get('/v1/standups?limit=1000'),
    '400 invalid_parameter: `limit` must be a number from 1 to 100; it is "1000".',
  ],
  [get('/v1/standups?limit=5&limit=6'), '400 invalid_parameter: `limit` is given more than once.'],
  [
    get('/v1/standups?cursor=abc'),
    '400 invalid_cursor: `cursor` is not a cursor of this list with these filters. Leave it out to start again.',
  ],
  [
    get('/v1/standups?team=platfrom'),
    '422 team_not_found: There is no team "platfrom" in this workspace. Did you mean "platform"?',
  ],
  [
    get('/v1/standups?author=Ada'),
    '400 invalid_parameter: `author` must name a member. There is no member "Ada" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    get('/v1/standups?author=ada@exmaple.com'),
    '400 invalid_parameter: `author` must name a member. There is no member "ada@exmaple.com" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    get('/v1/standups?date=25.11.2026'),
    '400 invalid_parameter: `date` must be a calendar day that exists, as YYYY-MM-DD, such as 2026-11-23; it is "25.11.2026".',
  ],
  [
    get('/v1/standups?date=2026-11-25&date_from=2026-11-01'),
    '400 invalid_parameter: `date` cannot be combined with `date_from` or `date_to`: send `date` alone, or these.',
  ],
  [
    get('/v1/standups?created_after=2026-11-25'),
    '400 invalid_parameter: `created_after` must be an instant such as 2026-11-23T09:00:00Z (write the + of an offset as %2B); it is "2026-11-25".',
  ],
  [
    get('/v1/standups?from=2026-11-01'),
    '400 invalid_parameter: `from` is not a parameter of this request, which has `limit`, `cursor`, `team`, `author`, `date`, `date_from`, `date_to`, `created_after`, `created_before`, `source`, `q`, `order`.',
  ],
  [
    get('/v1/standups?order=newest'),
    '400 invalid_parameter: `order` must be "asc" or "desc"; it is "newest".',
  ],
  [
    get('/v1/standups?source=Slack'),
    '400 invalid_parameter: `source` must be the name of a source, such as "api" or "slack"; it is "Slack".',
  ],
  [get('/v1/export?format=xlsx'), '400 invalid_parameter: `format` must be "ndjson" or "csv"; it is "xlsx".'],
  [
    get('/v1/absences?member=ada@exmaple.com'),
    '400 invalid_parameter: `member` must name a member. There is no member "ada@exmaple.com" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    get('/v1/absences?from=2026-12-01&until=2026-11-01'),
    '400 invalid_parameter: `until` must not be before `from`.',
  ],
  [
    get('/v1/blockers?state=closed'),
    '400 invalid_parameter: `state` must be "open" or "raised" or "acknowledged" or "resolved"; it is "closed".',
  ],
  [
    get('/v1/blockers?author=Ada'),
    '400 invalid_parameter: `author` must name a member. There is no member "Ada" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    get('/v1/members?role=boss'),
    '400 invalid_parameter: `role` must be owner, admin or member; it is "boss".',
  ],
  [
    get('/v1/teams/platform/runs?state=done'),
    '400 invalid_parameter: `state` must be "open", "closed", "missed" or "cancelled"; it is "done".',
  ],
  [
    get('/v1/teams/platform/participation?since=2020-01-01'),
    '400 invalid_parameter: From 2020-01-01 to 2026-11-25 are more than 366 days: ask for fewer at once.',
  ],
  [
    get('/v1/teams/platform/trends?by=month'),
    '400 invalid_parameter: `by` must be "day" or "week"; it is "month".',
  ],
  [
    get('/v1/teams/platform/schedule/preview?limit=100'),
    '400 invalid_parameter: `limit` must be a number from 1 to 50; it is 100.',
  ],
  [
    get('/v1/events?type=standup.created'),
    '400 invalid_parameter: `type` is not a parameter of this request, which has `limit`, `cursor`, `wait`, `order`, `types`, `since`, `until`, `about`, `actor`. Did you mean "types"?',
  ],
  [get('/v1/events?order=newest'), '400 invalid_parameter: `order` must be "asc" or "desc"; it is "newest".'],
  [
    get('/v1/events?since=yesterday'),
    '400 invalid_parameter: `since` must be an instant such as 2026-11-23T09:00:00Z (write the + of an offset as %2B); it is "yesterday".',
  ],
  [
    get('/v1/events?about=platform'),
    '400 invalid_parameter: `about` must be the id of a team, a member or another thing that events tell of, such as "team_01h455vb4pex5vsknk084sn02q"; it is "platform".',
  ],
  [
    get('/v1/events?actor=ada@example.com'),
    '400 invalid_parameter: `actor` must be the id of a member, a service account or an access token, or "system" or "operator"; it is "ada@example.com".',
  ],
  [
    get('/v1/events/stream?types=standup.create'),
    '400 invalid_parameter: `types` must be event types such as "standup.created" or "standup.*", with commas between them. Did you mean "standup.created" or "standup.updated"?',
  ],
  [
    {method: 'DELETE', path: '/v1/teams/platform'},
    '409 team_not_empty: The team "platform" has 1 standup. To delete the team with its standups, add ?force=true.',
  ],
  [
    {method: 'DELETE', path: '/v1/teams/platform?force=yes'},
    '400 invalid_parameter: `force` must be true or false; it is "yes".',
  ],
  // Headers and the form of bodies.
  [
    standupWith({'idempotency-key': 'not good'}),
    '400 invalid_idempotency_key: `Idempotency-Key` must be 1 to 255 visible ASCII characters without spaces, such as a UUID.',
  ],
  [
    {method: 'DELETE', path: '/v1/standups/{standup}', headers: {'if-match': '3'}},
    '400 invalid_parameter: `If-Match` must be an entity tag in its quotes, such as "3", a list of them, or *; it is 3.',
  ],
  [
    {method: 'DELETE', path: '/v1/standups/{standup}', headers: {'if-match': '"7"'}},
    '412 precondition_failed: The resource has changed: it is at revision 1 now. Read it again, and repeat the change with `If-Match: "1"`.',
  ],
  [
    get('/v1/me', {headers: {accept: 'text/html'}}),
    '406 not_acceptable: This address returns application/json, which `Accept` does not allow.',
  ],
  [
    post('/v1/standups', 'team=platform&update=Fine', {headers: {'content-type': 'text/plain'}}),
    '415 unsupported_media_type: Send the body as JSON, with `Content-Type: application/json`; it is "text/plain".',
  ],
  [
    post('/v1/standups', "{'team': 'platform'}", {headers: json}),
    '400 malformed_json: The body is not JSON: unexpected character at position 1. Names and texts need double quotes: {"name": "value"}.',
  ],
  [
    post('/v1/standups', '', {headers: json}),
    '422 validation_failed: The body is required (object, which has `team`, `teams`, `update`, `format`, `answers`, `blockers`, `resolved`, `date`, `metadata`, `author`).',
  ],
  [
    post('/v1/standups', [{team: 'platform', update: 'Fine.'}]),
    '422 validation_failed: The body must be of type object, which has `team`, `teams`, `update`, `format`, `answers`, `blockers`, `resolved`, `date`, `metadata`, `author`; it is an array.',
  ],
  // Standups.
  [
    post('/v1/standups', {}),
    '422 validation_failed: `team` is required (string, such as "platform"). `update` is required (string, such as "Shipped the importer.").',
  ],
  [
    post('/v1/standups', {team: 'platform'}),
    '422 validation_failed: `update` is required (string, such as "Shipped the importer.").',
  ],
  [
    post('/v1/standups', {team: 'platform', text: 'Fine.'}),
    '422 validation_failed: `text` is not a member of the body, which has `team`, `teams`, `update`, `format`, `answers`, `blockers`, `resolved`, `date`, `metadata`, `author`. `update` is required (string, such as "Shipped the importer.").',
  ],
  [standup({update: ''}), '422 validation_failed: `update` must not be empty or only white space.'],
  [
    standup({update: 7}),
    '422 validation_failed: `update` must be of type string, such as "Shipped the importer. Today: the retry page."; it is 7.',
  ],
  [
    standup({update: 'x'.repeat(4_001)}),
    '422 validation_failed: `update` is 4001 characters long; at most 4000 are allowed.',
  ],
  [
    standup({team: 'platfrom'}),
    '422 team_not_found: There is no team "platfrom" in this workspace. Did you mean "platform"?',
  ],
  [
    standup({team: 'Platform Team'}),
    '422 team_not_found: There is no team "Platform Team" in this workspace. There are: "platform", "design-system".',
  ],
  [
    standup({teams: ['platform']}),
    '422 validation_failed: `teams` cannot be combined with `team`: send one of them.',
  ],
  [
    standup({date: '25.11.2026'}),
    '422 validation_failed: `date` must be a calendar day that exists, as YYYY-MM-DD, such as 2026-11-23; it is "25.11.2026".',
  ],
  [
    standup({date: '2020-01-01'}),
    '422 date_not_allowed: A standup for "platform" may be dated from 2025-11-25 to 2026-11-26 (today there is 2026-11-25), not 2020-01-01.',
  ],
  [
    standup({metadata: {build: 7}}),
    '422 validation_failed: `metadata.build` must be of type string; it is 7.',
  ],
  [
    standup({metadata: 'build'}),
    '422 validation_failed: `metadata` must be of type object, such as {"build":"1432"}; it is "build".',
  ],
  [
    standup({author: 'ada@exmaple.com'}),
    '422 validation_failed: `author` must name a member. There is no member "ada@exmaple.com" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    answers('moood', 3),
    '422 validation_failed: `answers.0.question` names no question that is asked ("moood", team "platform"). Did you mean "mood"?',
  ],
  [
    answers('mood', 'good'),
    '422 validation_failed: `answers.0.value` must be a whole number from 1 to 5; it is "good" (question "mood" of the team "platform": How do you feel?).',
  ],
  [
    answers('place', 'Ofice'),
    '422 validation_failed: `answers.0.value` must be one of "Home", "Office"; it is "Ofice" (question "place" of the team "platform": Where are you?). Did you mean "Office"?',
  ],
  // Teams.
  [post('/v1/teams', {}), '422 validation_failed: `slug` is required (string, such as "platform").'],
  [
    team({slug: 'Design Team'}),
    '422 validation_failed: `slug` must be 1 to 40 lower-case letters, digits and inner dashes, such as "platform"; it is "Design Team".',
  ],
  [team({slug: 'platform'}), '409 slug_taken: There is a team "platform" already. Choose another slug.'],
  [
    team({timezone: 'Berlin'}),
    '422 validation_failed: `timezone` must be an IANA time zone such as "Europe/Berlin"; it is "Berlin". Did you mean "Europe/Berlin"?',
  ],
  [
    team({slack_channel_id: '#design'}),
    '422 validation_failed: `slack_channel_id` must be the id of a Slack channel, such as "C024BE91L"; it is "#design".',
  ],
  [
    question({type: 'int'}),
    '422 validation_failed: `questions.0.type` must be one of text, choice, number, yes_no, mood; it is "int".',
  ],
  [
    question({key: 'Next step'}),
    '422 validation_failed: `questions.0.key` must be 1 to 40 lower-case letters, digits and inner underscores, such as "next_step"; it is "Next step".',
  ],
  [
    question({fill_from: 'plan'}),
    '422 validation_failed: `questions.0.fill_from` must be the key of a question of type "text" among these.',
  ],
  [
    question({type: 'number', min: 5, max: 1}),
    '422 validation_failed: `questions.0.max` must be `min` (5) or more, or no one can answer; it is 1.',
  ],
  [
    question({type: 'choice', options: ['one']}),
    '422 validation_failed: `questions.0.options` must have at least 2 options, such as ["Yes", "No"].',
  ],
  [
    schedule({frequency: 'daily'}),
    '422 validation_failed: `schedule.frequency` must be one of weekly, monthly; it is "daily".',
  ],
  [
    schedule({days: ['monday']}),
    '422 validation_failed: `schedule.days.0` must be one of "mon", "tue", "wed", "thu", "fri", "sat", "sun"; it is "monday".',
  ],
  [
    schedule({opens: '9am'}),
    '422 validation_failed: `schedule.opens` must be a time of day such as "09:30"; it is "9am".',
  ],
  [
    schedule({reminders: [180]}),
    '422 validation_failed: `schedule.reminders.0` must be at most 120 minutes before closing, when the run opens.',
  ],
  [
    patch('/v1/teams/platform', {late_policy: 'always'}),
    '422 validation_failed: `late_policy` must be of type object, such as {"accept":"until","minutes":30}; it is "always".',
  ],
  [
    patch('/v1/teams/platform', {late_policy: {accept: 'until'}}),
    '422 validation_failed: `late_policy.minutes` is required (number, such as 30).',
  ],
  [
    post('/v1/teams/design-system/reminders', {}),
    '409 no_open_run: No run of the team "design-system" is open, so there is no one to remind. POST /v1/teams/design-system/runs opens one.',
  ],
  [
    post('/v1/teams/platform/runs', {minutes: 10}),
    '409 run_exists: On 2026-11-25 the team "platform" has a run of its schedule already, which is closed. The next one can be opened tomorrow.',
  ],
  [
    post('/v1/teams/design-system/runs', {minutes: 0}),
    '422 validation_failed: `minutes` must be at least 1 minute; it is 0.',
  ],
  // People.
  [
    member({email: 'grace'}),
    '422 validation_failed: `email` must be an e-mail address such as "ada@example.com"; it is "grace".',
  ],
  [
    member({email: 'ada@example.com'}),
    '409 email_taken: Another member has the e-mail address "ada@example.com" already. Search for that member, or use another value.',
  ],
  [member({role: 'boss'}), '422 validation_failed: `role` must be owner, admin or member; it is "boss".'],
  [
    member({holidays: {country: 'Germany'}}),
    '422 validation_failed: `holidays.country` must be an ISO 3166-1 country code, such as "DE"; it is "Germany".',
  ],
  [
    member({timezone: 'CEST'}),
    '422 validation_failed: `timezone` must be an IANA time zone such as "Europe/Berlin"; it is "CEST".',
  ],
  [
    patch('/v1/members/{ada}', {reminders: {quiet_from: '22:00'}}),
    '422 validation_failed: `reminders` must have both `quiet_from` and `quiet_until`, such as "22:00" and "07:00", or both null.',
  ],
  [
    post('/v1/absences', {from: '2026-12-01'}),
    '422 validation_failed: `member` must name the absent member, by id, e-mail address or Slack user, such as "ada@example.com": a service account has no absences of its own.',
  ],
  [
    absence({member: 'ada@exmaple.com'}),
    '422 validation_failed: `member` must name a member. There is no member "ada@exmaple.com" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    absence({from: 'tomorrow'}),
    '422 validation_failed: `from` must be a calendar day that exists, as YYYY-MM-DD, such as 2026-11-23; it is "tomorrow".',
  ],
  [
    absence({from: '2026-12-05', until: '2026-12-01'}),
    '422 validation_failed: `until` must not be before `from` (2026-12-05); it is 2026-12-01.',
  ],
  [absence({kind: 'vacation'}), '422 validation_failed: `kind` must be away or skip; it is "vacation".'],
  [
    absence({kind: 'skip', from: '2026-12-01', until: '2026-12-02'}),
    '422 validation_failed: A skip is of one day: `until` must be `from` (2026-12-01) or left out; it is 2026-12-02.',
  ],
  [
    absence({team: 'design-system'}),
    '422 validation_failed: `team` must be one that the absent is in: Ada is not in the team "design-system". Leave it out for all teams.',
  ],
  [
    post('/v1/reactions', {subject: 'std_01h455vb4pex5vsknk084sn02q', add: ['👍👍']}),
    '422 validation_failed: `add.0` must be one emoji, or a name such as ":party_parrot:"; it is "👍👍".',
  ],
  [
    post('/v1/reactions', {subject: 'std_01h455vb4pex5vsknk084sn02q'}),
    '422 validation_failed: `add` is required (array, such as ["👍"]).',
  ],
  [
    post('/v1/blockers', {team: 'platform'}),
    '422 validation_failed: `text` is required (string, such as "No access to the staging database.").',
  ],
  [
    post('/v1/blockers', {team: 'platform', text: 'CI', author: 'ada@exmaple.com'}),
    '422 validation_failed: `author` must name a member. There is no member "ada@exmaple.com" in this workspace: a member is named by id (mem_…), e-mail address, Slack user (U…) or "me". Did you mean "ada@example.com"?',
  ],
  [
    patch('/v1/blockers/{blocker}', {state: 'closed'}),
    '422 validation_failed: `state` must be "raised" or "acknowledged" or "resolved"; it is "closed".',
  ],
  [
    patch('/v1/blockers/{blocker}', {state: 'raised', text: ''}),
    '422 validation_failed: `text` must not be empty or only white space.',
  ],
  // Webhooks.
  [
    post('/v1/webhooks', {url: 'https://hooks.example.com/'}),
    '422 validation_failed: `events` is required (array, such as ["standup.*"]).',
  ],
  [
    webhook({url: 'localhost:4000'}),
    '422 webhook_url_forbidden: The URL must begin with https://. Did you mean https://localhost:4000 or http://localhost:4000?',
  ],
  [
    webhook({url: 'hooks.example.com/standups'}),
    '422 webhook_url_forbidden: The URL cannot be read. Did you mean https://hooks.example.com/standups or http://hooks.example.com/standups?',
  ],
  [
    webhook({url: 'ftp://hooks.example.com/'}),
    '422 webhook_url_forbidden: The URL must begin with https://. Did you mean https://hooks.example.com/ or http://hooks.example.com/?',
  ],
  [
    webhook({url: 'https://hooks.example.com:22/'}),
    '422 webhook_url_forbidden: The port must be 80, 443, or 1024 and above; it is 22.',
  ],
  [
    webhook({url: 'https://me:secret@hooks.example.com/'}),
    '422 webhook_url_forbidden: The URL must not contain a user name or password: send them in `headers`, such as {"authorization": "Bearer …"}.',
  ],
  [
    webhook({events: ['standup.create']}),
    '422 validation_failed: `events.0` must be an event type such as "standup.created", a whole noun such as "standup.*", or "*"; it is "standup.create". Did you mean "standup.created" or "standup.updated"?',
  ],
  [
    webhook({events: ['standups.*']}),
    '422 validation_failed: `events.0` must be an event type such as "standup.created", a whole noun such as "standup.*", or "*"; it is "standups.*". Did you mean "standup.*"?',
  ],
  [
    webhook({events: ['standup']}),
    '422 validation_failed: `events.0` must be an event type such as "standup.created", a whole noun such as "standup.*", or "*"; it is "standup". Did you mean "standup.*" or "standup.created" or "standup.updated"?',
  ],
  [
    webhook({events: 'standup.created'}),
    '422 validation_failed: `events` must be of type array, such as ["standup.*"]; it is "standup.created".',
  ],
  [
    webhook({events: []}),
    '422 validation_failed: `events` must name at least one event type, such as "standup.created".',
  ],
  [
    webhook({teams: ['platfrom']}),
    '422 team_not_found: There is no team "platfrom" in this workspace. Did you mean "platform"?',
  ],
  [
    webhook({headers: {'content-type': 'text/plain'}}),
    '422 validation_failed: `headers.content-type` is a header that the service sets itself, or never sends: leave it out.',
  ],
  [
    webhook({secret: 'mine'}),
    '422 validation_failed: `secret` is not a member of the body, which has `url`, `events`, `teams`, `description`, `headers`, `enabled`, `concurrency`, `retry_schedule`, `ordering`, `payload`, `plain_text`, `api_version`, `signature_versions`, `tls`, `throttle`.',
  ],
  [webhook({payload: 'small'}), '422 validation_failed: `payload` must be "full" or "thin"; it is "small".'],
  [
    post('/v1/webhooks/{webhook}/replay', {since: 'yesterday'}),
    '422 validation_failed: `since` must be an instant such as 2026-11-23T09:00:00Z; it is "yesterday".',
  ],
  [
    post('/v1/webhooks/{webhook}/replay', {since: '2026-11-25T00:00:00Z', types: ['standup.create']}),
    '422 validation_failed: `types.0` must be an event type such as "standup.created"; it is "standup.create". Did you mean "standup.created" or "standup.updated"?',
  ],
  [
    post('/v1/webhooks/{webhook}/rotate-secret', {overlap_seconds: -1}),
    '422 validation_failed: `overlap_seconds` must be a whole number from 0 to 604800; it is -1.',
  ],
  // Tokens and other resources.
  [post('/v1/tokens', {}), '422 validation_failed: `name` is required (string, such as "deploy bot").'],
  [
    token({scopes: ['standup:read']}),
    '422 validation_failed: `scopes.0` must be one of standups:read, standups:write, standups:write_any, comments:write, teams:read, teams:write, teams:private, members:read, members:write, webhooks:manage, events:read, tokens:manage, workspace:manage; it is "standup:read". Did you mean "standups:read"?',
  ],
  [
    token({expires_in: '90 days'}),
    '422 validation_failed: `expires_in` must be a whole number of seconds from 60 (a minute) to 31622400 (366 days); it is "90 days".',
  ],
  [
    token({expires_in: 10}),
    '422 validation_failed: `expires_in` must be a whole number of seconds from 60 (a minute) to 31622400 (366 days); it is 10.',
  ],
  [
    token({member: 'ada@exmaple.com'}),
    '403 forbidden: A service account may make tokens only for service accounts: name one by `service_account`.',
  ],
  [
    token({member: 'ada@example.com', service_account: 'ci'}),
    '422 validation_failed: `service_account` cannot stand beside `member`: a token has one holder.',
  ],
  [
    post('/v1/holiday-calendars', {name: 'Office', ics: 'closed on Friday'}),
    '422 validation_failed: `ics` is no iCalendar file: it has no line "BEGIN:VCALENDAR".',
  ],
  [
    patch('/v1/workspace', {retention_days: 1}),
    '422 validation_failed: `retention_days` must be at least 30 days; it is 1.',
  ],
];

function standupWith(headers: Record<string, string>): RefusedRequest {
  return {...standup({}), headers: {...json, ...headers}};
}
