// Texts in Slack are for people: no slug, id, ISO date or instant, path, or name of a field, whichever error
// the service returns.
import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {explainError} from '../../src/bot/slack/core/refusals.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {AppError, type ErrorCode} from '../../src/domain/core/errors.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {parseTypedCommand} from '../../src/domain/slack/typing.js';
import type {Services} from '../../src/service/services.js';
import {testRedisUrl} from '../support/redis-server.js';
import {calls, fillForm, openStandupForm, openFormByButton, type View} from '../support/slack-form.js';
import {
  admin,
  otherChannel,
  createRecordingLog,
  type SlackHarness,
  startSlack,
} from '../support/slack-harness.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import {asId} from '../support/ids.js';

/** Patterns that only programs should see. The team is called The Crew, and its slug is `platform`. */
const prose: readonly (readonly [string, RegExp])[] = [
  ['a slug', /\bplatform\b/],
  ['an id', /\b[a-z]{2,4}_[0-9A-Za-z]{8,}/],
  ['an ISO date or instant', /\b\d{4}-\d{2}-\d{2}/],
  ['a path', /\/v1\/|\b(?:PATCH|DELETE) |#\//],
  ['the name of a member', /`(?!ooo`)[a-z][a-z_.]*`/],
];

/** Fields that Slack gets and does not show. */
const unseen: ReadonlySet<string> = new Set([
  'private_metadata',
  'value',
  'action_id',
  'block_id',
  'metadata',
  'callback_id',
  'url',
  'channel_id',
  'initial_date',
  'initial_conversation',
  'initial_users',
  'ts',
  'thread_ts',
  'channel',
  'hash',
  'view_id',
  'trigger_id',
  'user_id',
  'external_id',
  'client_msg_id',
  'message_ts',
  'token',
  'user',
]);

function shownTexts(given: unknown, name = ''): string[] {
  if (typeof given === 'string') return unseen.has(name) ? [] : [given];
  if (Array.isArray(given)) return given.flatMap((one) => shownTexts(one, name));
  if (typeof given !== 'object' || given === null || unseen.has(name)) return [];
  return Object.entries(given).flatMap(([key, value]) => shownTexts(value, key));
}

function findProse(given: unknown): string[] {
  return shownTexts(given).flatMap((text) =>
    prose.flatMap(([what, pattern]) => (pattern.test(text) ? [`${what}: ${text}`] : [])),
  );
}

const codes = Object.keys({
  malformed_json: 0,
  invalid_parameter: 0,
  invalid_cursor: 0,
  invalid_idempotency_key: 0,
  authentication_required: 0,
  invalid_token: 0,
  insufficient_scope: 0,
  forbidden: 0,
  scope_escalation: 0,
  not_found: 0,
  not_acceptable: 0,
  slug_taken: 0,
  channel_is_public: 0,
  email_taken: 0,
  slack_user_taken: 0,
  last_owner: 0,
  team_not_empty: 0,
  run_exists: 0,
  no_open_run: 0,
  team_paused: 0,
  import_closed: 0,
  edit_in_slack: 0,
  set_by_configuration: 0,
  limit_reached: 0,
  webhook_disabled: 0,
  cursor_expired: 0,
  precondition_failed: 0,
  payload_too_large: 0,
  unsupported_media_type: 0,
  validation_failed: 0,
  team_not_found: 0,
  date_not_allowed: 0,
  run_closed: 0,
  webhook_url_forbidden: 0,
  idempotency_key_reused: 0,
  rate_limited: 0,
  service_unavailable: 0,
  store_lost: 0,
  storage_full: 0,
  workspace_full: 0,
  workspace_read_only: 0,
  internal_error: 0,
} satisfies Record<ErrorCode, 0>) as ErrorCode[];

/** Errors that a use of Slack can meet. The table of sentences covers the others. */
const reachable: readonly ErrorCode[] = [
  ...(['forbidden', 'not_found', 'limit_reached', 'precondition_failed', 'validation_failed'] as const),
  ...(['team_not_found', 'date_not_allowed', 'run_closed', 'team_paused', 'rate_limited'] as const),
  ...(['idempotency_key_reused', 'service_unavailable', 'internal_error'] as const),
];

const sentence =
  'The run of "platform" for 2026-11-22 closed at 2026-11-22T07:58:00.000Z: PATCH /v1/teams/platform, `date` of tm_0123456789abcdef.';

let refusal: AppError | undefined;

/** Makes each of these services throw `refusal` while it is set. */
function refusing<T extends object>(group: T, names: readonly (keyof T)[]): T {
  const wrapped = names.map((name) => {
    const real = group[name] as (...args: unknown[]) => Promise<unknown>;
    const refuse = async (...args: unknown[]) => {
      if (refusal !== undefined) throw refusal;
      return real(...args);
    };
    return [name, refuse];
  });
  return {...group, ...(Object.fromEntries(wrapped) as Partial<T>)};
}

const withRefusals = (services: Services): Services => ({
  ...services,
  standups: refusing(services.standups, [
    'postStandup',
    'postFromChannel',
    'editStandup',
    'retractStandup',
    'listStandups',
    'listShownStandups',
    'findStandup',
  ]),
  absences: refusing(services.absences, ['enterAbsence', 'skip', 'comeBack', 'deleteAbsence']),
  blockers: refusing(services.blockers, ['findBlocker', 'changeBlocker']),
  teams: refusing(services.teams, ['findTeamToChange', 'createTeam', 'changeTeam']),
  teamDays: refusing(services.teamDays, ['findPersonDay']),
  teamMembers: refusing(services.teamMembers, ['removeTeamMember', 'countExpected']),
  members: refusing(services.members, ['changeMember']),
});

describe('every refusal of the service, wherever a person sees it,', () => {
  let slack: SlackHarness;
  let mobile = asId('');
  let form: View;
  beforeAll(async () => {
    slack = await startSlack({services: withRefusals});
    await slack.core.services.teams.changeTeam(slack.operator(), 'platform', {name: 'The Crew'});
    const made = await slack.core.services.teams.createTeam(slack.operator(), {
      slug: 'mobile',
      name: 'Mobile',
    });
    mobile = made.id!;
    await slack.command('to be a member');
    const {author} = (await slack.standups())[0]!;
    await slack.core.services.people.joinTeam(
      slack.operator(),
      {id: mobile, slug: 'mobile'},
      asId(author.id),
    );
    form = await openFormByButton(slack, {mode: 'new', team: slack.team});
  });
  afterAll(() => slack.close());

  test.each(reachable)('is explained in everyday language: %s', async (code) => {
    refusal = undefined;
    const codeText = code.replaceAll('_', ' ');
    slack.slack.clear();
    const {standups} = slack.core.services;
    const standup = (await slack.standups())[0]!;
    const call = {...slack.operator(), principal: standup.author};
    await standups.editStandup(call, standup.id, {update: `said ${codeText}`});
    slack.slack.clear();
    refusal = new AppError(code, sentence, {
      inputErrors: [{code, detail: sentence, pointer: '#/date'}],
      missing: 'team',
    });
    const onHome = {channel: undefined, response_url: undefined, view: {type: 'home'}};
    const value = JSON.stringify({standup: standup.id, revision: 1});
    const replies = [
      await slack.command(`words ${codeText}`),
      await slack.command(`words for two ${codeText}`, {channel: otherChannel}),
      await slack.submit(fillForm(form, `V_${code}`, {today: 'by form'})),
      await slack.command('today'),
      await slack.command('undo'),
      await slack.command('history'),
      await slack.command('skip dentist'),
      await slack.command('ooo tomorrow'),
      await slack.command('back'),
      await slack.action({action_id: 'undo-standup', value}),
      await slack.action({
        action_id: 'open-form',
        value: JSON.stringify({mode: 'edit', standup: standup.id}),
      }),
      await slack.action({
        action_id: 'undo-absence',
        value: JSON.stringify({absences: ['abs_0000000000000000']}),
      }),
      await slack.action({
        action_id: 'post-text',
        value: JSON.stringify({text: 'x', key: code, team: mobile}),
      }),
      await slack.action({action_id: 'home-resolve', value: 'blk_1'}, onHome),
      await slack.action({action_id: 'home-leave', value: slack.team}, onHome),
      await slack.action({action_id: 'home-settings', value: slack.team}, onHome),
      await slack.action({action_id: 'home-away'}, onHome),
      await slack.event({type: 'app_home_opened', user: admin.id, channel: 'D1', tab: 'home', event_ts: '1'}),
    ];
    refusal = undefined;
    expect(replies.map(({status}) => status)).toEqual(replies.map(() => 200));
    await until(() => slack.slack.of('views.publish').length > 0);
    expect(findProse(replies.map(({body}) => body as unknown))).toEqual([]);
    expect(findProse(slack.slack.calls.map(({body}) => body))).toEqual([]);
    expect(String(replies[0]?.body.text)).toContain(`words ${codeText}`);
  });
});

describe('a refusal because of a team’s settings', () => {
  let clock: TestClock;
  let slack: SlackHarness;
  beforeAll(async () => {
    const redisUrl = await testRedisUrl();
    clock = await createTestClock(redisUrl, Date.parse('2026-11-24T06:00:00Z'));
    slack = await startSlack({redisUrl, time: clock.time});
    await slack.core.services.teams.changeTeam(slack.operator(), 'platform', {
      name: 'The Crew',
      late_policy: {accept: 'never'},
      schedule: {frequency: 'weekly', days: ['tue'], opens: '07:00', closes: '07:58'},
    });
    await slack.command('to be a member');
    const doRuns = async () => {
      while (await slack.core.services.runs.advanceRuns(slack.operator(), suffixOf(slack.team)));
    };
    await doRuns();
    await clock.set(Date.parse('2026-11-24T07:10:00Z'));
    await doRuns();
  });
  afterEach(() => slack.slack.clear());
  afterAll(async () => {
    await slack.close();
    await clock.close();
  });

  test('regression: names the team and the day in everyday language, for a late /standup text and a late form', async () => {
    const form = await openStandupForm(slack, {user: {id: 'U0LATE', name: 'late'}});
    await clock.set(Date.parse('2026-11-24T08:00:00Z'));
    while (await slack.core.services.runs.advanceRuns(slack.operator(), suffixOf(slack.team)));
    const typed = await slack.command('post: too late');
    expect(typed.body.text).toContain(
      'Not posted. The Crew doesn’t accept late updates, and Tuesday 24 November has closed.',
    );
    const sent = await slack.submit(fillForm(form, 'V_LATE', {today: 'by form'}), {
      user: {id: 'U0LATE', name: 'late'},
    });
    expect(sent.body.errors.today).toContain(
      'The Crew doesn’t accept late updates, and Tuesday 24 November has closed',
    );
    expect(findProse([typed.body, sent.body])).toEqual([]);
    expect(typed.body.text).toContain('too late');
  });

  test('regression: names the team of a blocker on Home', async () => {
    const call = {...slack.operator()};
    const member = await slack.core.services.people.findSlackMember(call, admin.id);
    const principal = {type: 'member', id: member!.id, name: member!.name} as const;
    await slack.core.services.blockers.raiseBlocker(
      {...call, principal},
      {team: 'platform', text: 'The key is lost'},
    );
    await slack.event({type: 'app_home_opened', user: admin.id, channel: 'D1', tab: 'home', event_ts: '1'});
    const [home] = await calls(slack, 'views.publish');
    expect(JSON.stringify(home?.body)).toContain('You, The Crew, since');
    expect(findProse(home?.body)).toEqual([]);
  });

  test('names the team in messages, reports and notices that the jobs post', async () => {
    await slack.work();
    expect(slack.slack.of('chat.postMessage').length).toBeGreaterThan(0);
    expect(findProse(slack.slack.calls.map(({body}) => body))).toEqual([]);
  });
});

test.each(codes)('the sentence for %s is in everyday language', (code) => {
  const log = createRecordingLog([]);
  const {sentence: shown} = explainError(
    {log, generateReference: () => 'abcd1234'},
    new AppError(code, sentence),
  );
  expect(shown).toMatch(/^[A-Z].*[.)]$/);
  expect(findProse(shown)).toEqual([]);
});

test('no sentence of the catalogue has an ISO date, an id or a path, except the webhook notices for operators', () => {
  const {webhook: _webhook, ...forPeople} = en;
  // Commands that people type are in the same marks.
  const withoutTyped = (whole: string, command: string) =>
    parseTypedCommand(command) === undefined ? whole : command;
  const gaps = new Proxy({}, {get: () => 91});
  const say = (part: unknown): unknown => {
    if (typeof part === 'function') return say((part as (gaps: object) => unknown)(gaps));
    if (typeof part === 'string') return part.replaceAll(/`([a-z ]+)`/g, withoutTyped);
    if (Array.isArray(part)) return part.map(say);
    return Object.entries(part as object).map(([, inner]) => say(inner));
  };
  const found = [say(forPeople)].flatMap((one) => findProse(one)).filter((one) => !one.startsWith('a slug'));
  expect(found).toEqual([]);
});
