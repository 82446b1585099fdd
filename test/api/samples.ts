// test/api/: the contract of /v1, over real HTTP against the whole service.
// Not here: single scripts and repositories (test/store), the command (test/cli), delivery over the wire
// (test/jobs, test/e2e).
import {randomBytes} from 'node:crypto';
import {isReadOnly, type Route} from '../../src/api/http/route.js';
import {storedId, suffixOf} from '../../src/domain/core/ids.js';
import {createRoutes} from '../../src/api/routes.js';
import type {Services} from '../../src/service/services.js';
import type {Json, TestWorkspace} from '../support/service.js';
import {createAuthenticator} from '../support/software-authenticator.js';
import {createSessionToken} from '../dashboard/test-browser.js';
import {seedReminder} from '../support/seed-reminder.js';
import {seedRun} from '../support/seed-runs.js';
import {addPerson} from './people.js';
import {recordMail} from '../support/mails.js';
import {until} from '../support/until.js';

/** The route table without services: a handler uses its service only when it runs. */
export const routes: readonly Route[] = createRoutes({} as Services);

/** Operations that change something, and therefore accept an idempotency key. */
export const mutations = routes.filter((route) => !isReadOnly(route));

/**
 * A team with one member (who is also in `platform`), one standup, one blocker, one comment, and a webhook with its
 * delivery.
 */
export interface Fixtures {
  readonly team: string;
  readonly slug: string;
  /** Date of the team's run. */
  readonly date: string;
  readonly member: string;
  readonly invite: string;
  /** The link of an invite into the team, without the address of the page. */
  readonly inviteLink: string;
  readonly mail: string;
  readonly absence: string;
  readonly holiday_calendar: string;
  readonly standup: string;
  readonly blocker: string;
  readonly comment: string;
  /** A dry run: the others may make only one import at a time. */
  readonly import: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly replay: string;
  readonly token: string;
  /** A token of a session of a member, and their passkey. */
  readonly session: string;
  readonly passkey: string;
  /** The parts of another passkey, which the session may add. */
  readonly ticket: string;
  readonly credentialId: string;
  readonly clientData: string;
  readonly attestation: string;
  readonly service_account: string;
  readonly erasure: string;
  readonly event: string;
  /** The team's channel, in which no message is shown. */
  readonly trouble: string;
  /** A token of an owner, for operations that refuse service accounts. */
  readonly owner: string;
  /** A token of a member whose reminder of the day waits. */
  readonly reminded: string;
  /** The code of a program that waits for a person. */
  readonly user_code: string;
}

/** The smallest iCalendar file. */
const calendarFile = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'DTSTART;VALUE=DATE:20260901',
  'SUMMARY:Founding day',
  'RRULE:FREQ=YEARLY',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

export interface SampleRequest {
  readonly path: string;
  readonly body?: Json;
  /** The token to use, if the workspace's own token may not send the request. */
  readonly token?: string;
}

/**
 * Makes everything that the operations need, once. For one `route` it makes only what that one needs: each
 * resource takes 10 ms, and tables make them hundreds of times.
 */
export async function addFixtures(
  workspace: TestWorkspace,
  receiver: string,
  route?: Pick<Route, 'path'>,
): Promise<Fixtures> {
  const slug = randomName();
  const asks = (nouns: RegExp) => route === undefined || nouns.test(route.path.split('/')[2] ?? '');
  const reminds = route?.path.endsWith('/reminders') === true;
  /** Runs `act` only if the route is about one of these nouns. */
  const ifAsked = async <T>(nouns: RegExp, act: () => Promise<T>) => (asks(nouns) ? act() : undefined);
  // A member without reminders causes no event later, in the background.
  const person = {
    name: 'Ada Lovelace',
    email: `${slug}@example.com`,
    ...(reminds && {reminders: {enabled: false}}),
  };
  const [team, member, calendar, token, owner, account, erasure] = await Promise.all([
    // A reminder at the opening would be an event without a request.
    make(workspace, '/v1/teams', {slug, prompt_at: 'before_closing'}),
    ifAsked(/^(?:teams|members|drafts|participation|absences|days-off|sign-in-links|mails|imports)$/, () =>
      make(workspace, '/v1/members', person),
    ),
    ifAsked(/^(?:holiday-calendars|teams|workspace)$/, () =>
      make(workspace, '/v1/holiday-calendars', {name: 'Holidays', ics: calendarFile}),
    ),
    ifAsked(/^tokens$/, () => make(workspace, '/v1/tokens', {name: slug})),
    ifAsked(/^(?:sign-in-links|invites|calendar-feeds|share-links|device-logins)$/, () =>
      addPerson(workspace, workspace, {name: 'Olga Owner', role: 'owner'}),
    ),
    ifAsked(/^service-accounts$/, () => make(workspace, '/v1/tokens', {name: slug, service_account: slug})),
    ifAsked(/^erasures$/, () => eraseMember(workspace)),
  ]);
  const past = {date: '2025-12-01', closes_at: '2025-12-01T10:00:00.000Z'};
  const trouble = `C${slug.toUpperCase()}`;
  const [webhook] = await Promise.all([
    ifAsked(/^(?:webhooks|deliveries|events)$/, () =>
      make(workspace, '/v1/webhooks', {url: receiver, events: ['standup.created'], teams: [slug]}),
    ),
    // The examples ask for the run of the team that every workspace has.
    ifAsked(/^(?:teams|participation|export|members)$/, () =>
      Promise.all([
        seedRun(workspace, workspace, {...past, team: slug, team_id: team.id}),
        seedRun(workspace, workspace, past),
      ]),
    ),
    ...(member === undefined ? [] : ['platform', slug]).map((one) =>
      workspace.request('PUT', `/v1/teams/${one}/members/${member.id}`),
    ),
    ifAsked(/^slack$/, async () => {
      const details = {team: suffixOf<'team'>(team.id), code: 'not_in_channel'};
      await workspace.core.store.slackTroubles.note(
        workspace.id,
        trouble,
        details,
        performance.now() + 5_000,
      );
      await workspace.request('PATCH', `/v1/teams/${slug}`, {body: {slack_channel_id: trouble}});
    }),
  ]);
  // Only an open run has reminders.
  for (const one of reminds ? ['platform', slug] : [])
    await workspace.request('POST', `/v1/teams/${one}/runs`);
  const invited = await ifAsked(/^invites$/, () =>
    make(workspace, '/v1/invites', {teams: [{team_id: slug}]}),
  );
  const mail = await ifAsked(/^mails$/, () =>
    recordMail(workspace, workspace, {member: storedId<'member'>(member.id)}, {result: 'sent'}),
  );
  const [absence, standup, blocker] = await Promise.all([
    // In samples of other operations no absence may change the result.
    ifAsked(/^(?:absences|days-off)$/, () =>
      make(workspace, '/v1/absences', {member: member.id, team: slug, reason: 'Vacation'}),
    ),
    // This standup makes the webhook's delivery.
    ifAsked(/^(?:standups|blockers|comments|reactions|inbox|export|webhooks|deliveries|events)$/, () =>
      make(workspace, '/v1/standups', {team: slug, update: 'As it was at first.'}),
    ),
    ifAsked(/^(?:blockers|standups|teams|export)$/, () =>
      make(workspace, '/v1/blockers', {team: slug, text: 'CI is red.'}),
    ),
  ]);
  const comment = await ifAsked(/^comments$/, async () => {
    // Its standup is another one: a sample deletes the first, and all webhooks have a single delivery.
    const {id: commented} = await make(workspace, '/v1/standups', {
      team: route === undefined ? 'platform' : slug,
      update: 'Shipped.',
    });
    return make(workspace, '/v1/comments', {standup: commented, text: 'At first.'});
  });
  const dryRun = await ifAsked(/^imports$/, () =>
    make(workspace, '/v1/imports', {source: 'geekbot', dry_run: true}),
  );
  const reminded = await ifAsked(/^reminders$/, async () => {
    // Its run would be in the way of one that a sample opens for the other team.
    const {id, slug: other} = await make(workspace, '/v1/teams', {slug: `${slug}-reminded`});
    const someone = await addPerson(workspace, workspace, {name: 'Rita Reminded', team: other});
    await seedReminder(workspace, workspace, {member: someone.id, team: id, slug: other});
    return someone.token;
  });
  const login = await ifAsked(/^device-logins$/, () =>
    workspace.core.services.deviceLogins.start(
      {name: 'standup on ada-laptop', scopes: ['tokens:manage']},
      {address: '203.0.113.7', deadline: performance.now() + 5_000},
    ),
  );
  const own = await ifAsked(/^passkeys$/, () => addPasskey(workspace));
  const [delivery, replay] = await Promise.all([
    webhook && firstDelivery(workspace, webhook.id),
    webhook && countReplay(workspace, webhook.id),
    ifAsked(/^drafts$/, () =>
      workspace.request('PUT', `/v1/drafts/${member?.id}`, {
        body: {team: slug, source: 'github', update: 'Merged a change.'},
      }),
    ),
    ifAsked(/^reactions$/, () =>
      workspace.request('POST', '/v1/reactions', {body: {subject: standup.id, add: ['👀']}}),
    ),
    ifAsked(/^(?:standups|export)$/, () =>
      workspace.request('PATCH', `/v1/standups/${standup.id}`, {body: {update: 'As it was.'}}),
    ),
  ]);
  return {
    team: team.id,
    slug,
    date: past.date,
    member: member?.id ?? '',
    invite: invited?.data[0].id ?? '',
    inviteLink: invited?.data[0].url.split('#')[1] ?? '',
    mail: mail ?? '',
    absence: absence?.id ?? '',
    holiday_calendar: calendar?.id ?? '',
    standup: standup?.id ?? '',
    blocker: blocker?.id ?? '',
    comment: comment?.id ?? '',
    import: dryRun?.id ?? '',
    webhook: webhook?.id ?? '',
    delivery: delivery?.id ?? '',
    replay: replay?.id ?? '',
    token: token?.id ?? '',
    session: '',
    passkey: '',
    ticket: '',
    credentialId: '',
    clientData: '',
    attestation: '',
    ...own,
    service_account: account?.holder.id ?? '',
    erasure: erasure ?? '',
    event: delivery?.event_id ?? '',
    trouble,
    owner: owner?.token ?? '',
    reminded: reminded ?? '',
    user_code: login?.user_code ?? '',
  };
}

/** A member with a passkey and the parts of another one. */
export async function addPasskey(workspace: TestWorkspace) {
  const {id} = await make(workspace, '/v1/members', {name: 'Pascal Key'});
  const session = await createSessionToken(workspace, id);
  const ask = async (path: string, body?: Json): Promise<Json> =>
    (await workspace.request('POST', path, {token: session, ...(body !== undefined && {body})})).body;
  const prepare = async () => {
    const {ticket, public_key: options} = await ask('/v1/passkeys/challenge');
    return {ticket, credential: createAuthenticator().create(options)};
  };
  const added = await ask('/v1/passkeys', await prepare());
  const {ticket, credential} = await prepare();
  return {
    session,
    passkey: added.id as string,
    ticket: ticket as string,
    credentialId: credential.id,
    clientData: credential.client_data_json,
    attestation: credential.attestation_object,
  };
}

/** The id of the erasure of a member without data. */
async function eraseMember(workspace: TestWorkspace): Promise<string> {
  const {id} = await make(workspace, '/v1/members', {name: 'Gone'});
  const {headers} = await workspace.request('DELETE', `/v1/members/${id}?erase=true`);
  return headers.get('location')?.split('/').at(-1) ?? '';
}

/** The webhook's only delivery, after its first attempt. */
function firstDelivery(workspace: TestWorkspace, webhook: string): Promise<Json> {
  return until(
    async () => {
      const {body} = await workspace.request('GET', `/v1/webhooks/${webhook}/deliveries`);
      return body.data.find(({state}: Json) => state !== 'pending' && state !== 'delivering');
    },
    {what: 'the first attempt of a delivery'},
  );
}

/** A successful request for every operation; a new one fails until it has a sample here. */
export function sampleOf(
  {operation}: Route,
  {
    team,
    slug,
    date,
    member,
    invite,
    inviteLink,
    mail,
    absence,
    holiday_calendar: calendar,
    standup,
    blocker,
    comment,
    import: ofImport,
    webhook,
    delivery,
    replay,
    token,
    service_account: account,
    erasure,
    event,
    trouble,
    owner,
    reminded,
    session,
    passkey,
    ticket,
    credentialId,
    clientData,
    attestation,
    user_code: code,
  }: Fixtures,
): SampleRequest {
  const samples: Record<string, SampleRequest> = {
    postStandup: {path: '/v1/standups', body: {team: slug, update: 'Something new.'}},
    listStandups: {path: '/v1/standups'},
    exportStandups: {path: '/v1/export?format=csv'},
    exportAbsences: {path: '/v1/export/absences?format=csv'},
    exportParticipation: {path: `/v1/export/participation?format=csv&team=${team}`},
    getStandup: {path: `/v1/standups/${standup}`},
    listStandupRevisions: {path: `/v1/standups/${standup}/revisions`},
    editStandup: {path: `/v1/standups/${standup}`, body: {update: 'As it is now.'}},
    deleteStandup: {path: `/v1/standups/${standup}`},
    getDraft: {path: `/v1/drafts/${member}?team=${team}`},
    setDraftPart: {path: `/v1/drafts/${member}`, body: {team: slug, source: 'git', update: 'Fixed a bug.'}},
    deleteDraftParts: {path: `/v1/drafts/${member}?team=${team}`},
    raiseBlocker: {path: '/v1/blockers', body: {team: slug, text: 'No access to staging.'}},
    listBlockers: {path: '/v1/blockers'},
    getBlocker: {path: `/v1/blockers/${blocker}`},
    changeBlocker: {path: `/v1/blockers/${blocker}`, body: {state: 'acknowledged'}},
    createComment: {path: '/v1/comments', body: {standup, text: 'On it.'}},
    listComments: {path: '/v1/comments'},
    getComment: {path: `/v1/comments/${comment}`},
    editComment: {path: `/v1/comments/${comment}`, body: {text: 'Done.'}},
    deleteComment: {path: `/v1/comments/${comment}`},
    changeReaction: {path: '/v1/reactions', body: {subject: standup, add: ['👍']}},
    listReactions: {path: '/v1/reactions'},
    listInbox: {path: '/v1/inbox'},
    readInbox: {path: '/v1/inbox/read', body: {standups: [standup]}},
    createImport: {path: '/v1/imports', body: {source: 'csv', dry_run: true}},
    addImportRows: {
      path: `/v1/imports/${ofImport}/rows`,
      body: {
        rows: [
          {external_id: '1', team: slug, date: '2024-03-14', author: {name: 'Ada'}, update: 'Long ago.'},
        ],
      },
    },
    finishImport: {path: `/v1/imports/${ofImport}/finish`},
    listImports: {path: '/v1/imports'},
    getImport: {path: `/v1/imports/${ofImport}`},
    cancelImport: {path: `/v1/imports/${ofImport}`},
    createTeam: {path: '/v1/teams', body: {slug: `${slug}-2`}},
    listTeams: {path: '/v1/teams'},
    getTeam: {path: `/v1/teams/${team}`},
    getTeamReaders: {path: `/v1/teams/${team}/readers`},
    changeTeam: {path: `/v1/teams/${team}`, body: {name: 'Another name'}},
    deleteTeam: {path: `/v1/teams/${team}?force=true`},
    previewSchedule: {path: `/v1/teams/${team}/schedule/preview`},
    previewScheduleDraft: {
      path: `/v1/teams/${team}/schedule/preview`,
      body: {schedule: {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '10:00'}},
    },
    openRun: {path: `/v1/teams/${team}/runs`, body: {minutes: 30}},
    remindTeam: {path: `/v1/teams/${team}/reminders`},
    getOwnReminder: {path: '/v1/reminders/own', token: reminded},
    snoozeReminder: {path: '/v1/reminders/snooze', body: {minutes: 15}, token: reminded},
    listRuns: {path: `/v1/teams/${team}/runs`},
    getTeamDay: {path: `/v1/teams/${team}/days/${date}`},
    getRun: {path: `/v1/teams/${team}/runs/${date}`},
    getParticipation: {path: `/v1/teams/${team}/participation?include=days`},
    getTrends: {path: `/v1/teams/${team}/trends?by=day`},
    getTeamWeek: {path: `/v1/teams/${team}/weeks/2026-11-23`},
    getMemberParticipation: {path: `/v1/members/${member}/participation?include=days`},
    listParticipation: {path: '/v1/participation?include=days'},
    listTeamMembers: {path: `/v1/teams/${team}/members`},
    getTeamMember: {path: `/v1/teams/${team}/members/${member}`},
    setTeamMember: {path: `/v1/teams/${team}/members/${member}`, body: {role: 'lead'}},
    removeTeamMember: {path: `/v1/teams/${team}/members/${member}`},
    createMember: {path: '/v1/members', body: {name: 'Grace Hopper', email: `${slug}-2@example.com`}},
    listMembers: {path: '/v1/members'},
    getMember: {path: `/v1/members/${member}`},
    changeMember: {path: `/v1/members/${member}`, body: {name: 'Ada King'}},
    exportMember: {path: `/v1/members/${member}/export`},
    deleteMember: {path: `/v1/members/${member}?erase=true`},
    createInvite: {path: '/v1/invites', body: {emails: [`${slug}-3@example.com`], teams: [{team_id: slug}]}},
    listInvites: {path: '/v1/invites'},
    getInvite: {path: `/v1/invites/${invite}`},
    revokeInvite: {path: `/v1/invites/${invite}`},
    acceptInvite: {path: '/v1/invites/accept', body: {link: inviteLink}, token: owner},
    listMails: {path: '/v1/mails'},
    getMail: {path: `/v1/mails/${mail}`},
    markMailAsBounced: {path: `/v1/mails/${mail}/bounce`, body: {detail: 'No such user.'}},
    listDaysOff: {path: `/v1/days-off?team=${team}`},
    listHolidayRegions: {path: '/v1/holiday-regions?country=DE'},
    listErasures: {path: '/v1/erasures'},
    getErasure: {path: `/v1/erasures/${erasure}`},
    createHolidayCalendar: {path: '/v1/holiday-calendars', body: {name: 'More', ics: calendarFile}},
    listHolidayCalendars: {path: '/v1/holiday-calendars'},
    getHolidayCalendar: {path: `/v1/holiday-calendars/${calendar}`},
    deleteHolidayCalendar: {path: `/v1/holiday-calendars/${calendar}`},
    createAbsence: {path: '/v1/absences', body: {member, team: slug, reason: 'Out of office'}},
    listAbsences: {path: '/v1/absences'},
    getAbsence: {path: `/v1/absences/${absence}`},
    changeAbsence: {path: `/v1/absences/${absence}`, body: {until: null}},
    deleteAbsence: {path: `/v1/absences/${absence}`},
    createWebhook: {
      path: '/v1/webhooks',
      body: {url: 'https://hooks.example/standups', events: ['team.deleted'], enabled: false},
    },
    listWebhooks: {path: '/v1/webhooks'},
    getWebhook: {path: `/v1/webhooks/${webhook}`},
    changeWebhook: {path: `/v1/webhooks/${webhook}`, body: {description: 'Another description'}},
    rotateWebhookSecret: {path: `/v1/webhooks/${webhook}/rotate-secret`},
    deleteWebhook: {path: `/v1/webhooks/${webhook}`},
    getWebhookHealth: {path: `/v1/webhooks/${webhook}/health`},
    listDeliveries: {path: `/v1/webhooks/${webhook}/deliveries`},
    listEventDeliveries: {path: `/v1/events/${event}/deliveries`},
    testWebhook: {path: `/v1/webhooks/${webhook}/test`},
    tryWebhook: {path: `/v1/webhooks/${webhook}/try`},
    getDelivery: {path: `/v1/deliveries/${delivery}`},
    listAttempts: {path: `/v1/deliveries/${delivery}/attempts`},
    redeliver: {path: `/v1/deliveries/${delivery}/redeliver`},
    replayWebhook: {
      path: `/v1/webhooks/${webhook}/replay`,
      body: {since: new Date(Date.now() - 60_000).toISOString(), only: 'all', types: ['standup.deleted']},
    },
    listReplays: {path: `/v1/webhooks/${webhook}/replays`},
    getReplay: {path: `/v1/webhooks/${webhook}/replays/${replay}`},
    cancelReplay: {path: `/v1/webhooks/${webhook}/replays/${replay}`},
    listEvents: {path: '/v1/events'},
    listEventTypes: {path: '/v1/event-types'},
    createToken: {path: '/v1/tokens', body: {name: 'Another', scopes: ['tokens:manage']}},
    createSignInLink: {path: '/v1/sign-in-links', body: {member}, token: owner},
    createCalendarFeed: {path: '/v1/calendar-feeds', body: {name: 'Phone'}, token: owner},
    createShareLink: {path: '/v1/share-links', body: {team, monday: '2026-11-23'}, token: owner},
    getDeviceLogin: {path: `/v1/device-logins/${code}`, token: owner},
    decideDeviceLogin: {path: `/v1/device-logins/${code}`, body: {decision: 'approve'}, token: owner},
    listTokens: {path: '/v1/tokens'},
    getToken: {path: `/v1/tokens/${token}`},
    createPasskeyChallenge: {path: '/v1/passkeys/challenge', token: session},
    createPasskey: {
      path: '/v1/passkeys',
      token: session,
      body: {
        ticket,
        name: 'Laptop',
        credential: {
          id: credentialId,
          client_data_json: clientData,
          attestation_object: attestation,
          transports: ['internal'],
        },
      },
    },
    listPasskeys: {path: '/v1/passkeys', token: session},
    getPasskey: {path: `/v1/passkeys/${passkey}`, token: session},
    changePasskey: {path: `/v1/passkeys/${passkey}`, body: {name: 'Another name'}, token: session},
    deletePasskey: {path: `/v1/passkeys/${passkey}`, token: session},
    revokeToken: {path: `/v1/tokens/${token}`},
    listServiceAccounts: {path: '/v1/service-accounts'},
    deleteServiceAccount: {path: `/v1/service-accounts/${account}`},
    streamEvents: {path: '/v1/events/stream'},
    streamChanges: {path: '/v1/changes/stream'},
    getEvent: {path: `/v1/events/${event}`},
    getWorkspace: {path: '/v1/workspace'},
    changeWorkspace: {path: '/v1/workspace', body: {name: 'Another name'}},
    getSlackConnection: {path: '/v1/slack'},
    disconnectSlack: {path: '/v1/slack'},
    listSlackChannels: {path: '/v1/slack/channels'},
    listSlackTroubles: {path: '/v1/slack/troubles'},
    retrySlackTrouble: {path: `/v1/slack/troubles/${trouble}/retry`},
    getMe: {path: '/v1/me'},
    getSetup: {path: '/v1/setup'},
  };
  const sample = samples[operation];
  if (sample === undefined) throw new Error(`${operation} has no sample request in test/api/samples.ts`);
  return sample;
}

/** A finished replay that only counts. */
export async function countReplay(workspace: TestWorkspace, webhook: string): Promise<Json> {
  const path = `/v1/webhooks/${webhook}/replay`;
  const since = new Date(Date.now() - 60_000).toISOString();
  const {status, text, body} = await workspace.request('POST', path, {body: {since, dry_run: true}});
  if (status !== 202) throw new Error(`POST ${path}: ${status} ${text}`);
  return until(
    async () => {
      const found = await workspace.request('GET', `${path}s/${body.id}`);
      return found.body.state === 'completed' ? found.body : undefined;
    },
    {what: 'the end of a replay'},
  );
}

/** Creates one resource and returns it. */
export async function make(workspace: TestWorkspace, path: string, body: Json): Promise<Json> {
  const answer = await workspace.request('POST', path, {body});
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** All events of a workspace, oldest first. */
export async function eventsOf(workspace: TestWorkspace): Promise<Json[]> {
  const events: Json[] = [];
  for (let cursor = ''; ; ) {
    const {body} = await workspace.request('GET', `/v1/events?limit=100${cursor}`);
    events.push(...body.data);
    if (!body.has_more) return events;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

export function randomName(): string {
  return `t${randomBytes(6).toString('hex')}`;
}
