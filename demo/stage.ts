import type {Core} from '../src/compose-core.js';
import {
  type Call,
  type EntryPoint,
  everyScope,
  type Principal,
  type Scope,
} from '../src/domain/core/access.js';
import type {DayPerson} from '../src/domain/runs/team-day.js';
import type {Answer} from '../src/service/core/answers.js';
import {operatorCall} from '../src/service/workspaces/workspaces.js';
import {company, type DemoPerson, people, teams} from './cast.js';
import type {DemoAct, DemoPlan} from './acts.js';
import type {DemoReceivers} from './receivers.js';
import type {Id} from '../src/domain/core/ids.js';
import {asId} from '../test/support/ids.js';

/** The workspace of the demonstration, and functions that act in it. */
export interface DemoStage {
  readonly workspace: Id<'workspace'>;
  /** The members, by the keys of people. */
  readonly members: ReadonlyMap<string, Principal>;
  /** The ids of the webhooks. */
  readonly webhooks: ReadonlyMap<'healthy' | 'failing', string>;
  /** Performs a person's action, if it is possible in the current state. */
  perform(act: DemoAct): Promise<void>;
  /** Creates service accounts and their tokens, on the last day. */
  finish(): Promise<void>;
}

const withinMs = 10_000;
/** True if a person's standup is expected, or was expected and is missing. */
const isExpectedOrMissed = ({status}: DayPerson) => status === 'expected' || status === 'missed';

/** Creates the workspace, its people and teams. */
export async function createStage(
  {services}: Core,
  plan: DemoPlan,
  receivers: DemoReceivers,
): Promise<DemoStage> {
  const {workspaces, members: memberService, teams: teamService, teamMembers, standups, blockers} = services;
  const deadline = () => performance.now() + withinMs;
  const {id: workspace} = await workspaces.createWorkspace(company, deadline());
  const operator = () => operatorCall(workspace, deadline());
  const members = new Map<string, Principal>();
  const webhooks = new Map<'healthy' | 'failing', string>();
  const posted = new Map<string, string>();
  /** The people whose standup is expected, by team and date. */
  const asked = new Map<string, Promise<ReadonlySet<string>>>();

  function createCallAs(key: string, entryPoint: EntryPoint = 'dashboard'): Call {
    const principal = members.get(key);
    if (principal === undefined) throw new Error(`No one is called ${key}.`);
    return {workspace, principal, scopes: everyScope, deadline: deadline(), entryPoint};
  }

  await createPeople();
  await createTeams();

  async function createPeople(): Promise<void> {
    const file = {name: `${company}: company days`, ics: createCalendarFile(plan.companyDays)};
    const make = () => services.holidayCalendars.createCalendar(operator(), file);
    // To create a calendar, the service reads a file within a time limit, which a busy machine may exceed. So
    // a failed creation is retried twice.
    const calendar = await make().catch(make).catch(make);
    const id = calendar.id ?? readId(calendar);
    for (const person of people) {
      const made = await memberService.createMember(operator(), createMemberInput(person, id));
      members.set(person.key, {type: 'member', id: asId(made.id ?? readId(made)), name: person.name});
    }
  }

  async function createTeams(): Promise<void> {
    for (const {slug, name, zone, questions, schedule, people: own} of teams) {
      await teamService.createTeam(operator(), {slug, name, timezone: zone, questions});
      for (const [i, key] of own.entries()) {
        const role = i === 0 ? 'lead' : 'member';
        await teamMembers.setTeamMember(createCallAs('mara'), slug, members.get(key)?.id ?? '', role);
      }
      // All people become members of the team before its first run.
      await teamService.changeTeam(createCallAs('mara'), slug, {schedule});
    }
  }

  /** Finds the people whose standup is expected. The service also knows the days off in their calendars. */
  function findExpectedPeople(team: string, date: string): Promise<ReadonlySet<string>> {
    const key = `${team} ${date}`;
    const found =
      asked.get(key) ??
      services
        .findTeamDay(operator(), team, date)
        .then((day) => new Set(day.people.filter(isExpectedOrMissed).map(({member}) => member.id)));
    asked.set(key, found);
    return found;
  }

  const nameOf = ({team, person, date}: {team: string; person: string; date: string}) =>
    `${team} ${person} ${date}`;

  async function performPost(act: Extract<DemoAct, {do: 'post'}>): Promise<void> {
    const {team, person, date, said, stuck, mood} = act;
    const call = createCallAs(person, act.byProgram ? 'api' : 'dashboard');
    if (!(await findExpectedPeople(team, date)).has(call.principal.id)) return;
    const {questions = []} = teams.find(({slug}) => slug === team) ?? {};
    const values: Readonly<Record<string, string | number | undefined>> = {...said, stuck, mood};
    const answers = questions.flatMap(({key}) => {
      const value = values[key];
      return value === undefined ? [] : [{question: key, value}];
    });
    const source = call.entryPoint === 'api' ? 'api' : 'dashboard';
    const made = await standups.postStandup(call, {team, date, answers, source});
    posted.set(nameOf(act), made.id ?? readId(made));
  }

  async function performEdit(act: Extract<DemoAct, {do: 'edit'}>): Promise<void> {
    const id = posted.get(nameOf(act));
    if (id === undefined) return;
    const call = createCallAs(act.person);
    const {answers} = await standups.findStandup(call, id);
    const said = answers.map(({question, value}) => ({
      question,
      value: question === 'done' ? act.done : value,
    }));
    await standups.editStandup(call, id, {answers: said});
  }

  async function changeBlocker(act: Extract<DemoAct, {do: 'acknowledge' | 'resolve'}>): Promise<void> {
    const call = createCallAs(act.by);
    const author = asId(members.get(act.author)?.id ?? '');
    const {rows} = await blockers.listBlockers(call, {author, state: 'open', limit: 100});
    const found = rows.map(parseBody).find(({text}) => text === act.text);
    if (found === undefined) return;
    const state = act.do === 'resolve' ? 'resolved' : 'acknowledged';
    if (state !== found['state']) await blockers.changeBlocker(call, String(found['id']), {state});
  }

  async function addWebhook(webhook: 'healthy' | 'failing'): Promise<void> {
    const isHealthy = webhook === 'healthy';
    const made = await services.webhooks.createWebhook(createCallAs('dana'), {
      url: receivers.url[webhook],
      events: isHealthy ? ['run.*', 'blocker.*'] : ['standup.*', 'run.*', 'blocker.*'],
      teams: null,
      description: isHealthy ? 'Release board' : 'On-call pager',
    });
    webhooks.set(webhook, made.id ?? readId(made));
  }

  async function addToken(name: string, scopes: readonly Scope[]): Promise<void> {
    const holder = await services.people.ensureServiceAccount(operator(), name);
    await services.tokens.issueToken(operator(), {name: `${name} token`, holder, scopes});
  }

  return {
    workspace,
    members,
    webhooks,
    async perform(act) {
      switch (act.do) {
        case 'post':
          return performPost(act);
        case 'edit':
          return performEdit(act);
        case 'skip': {
          const {team, date, reason} = act;
          await services.absences.skip(createCallAs(act.person), {team, date, reason});
          return;
        }
        case 'away':
          await services.absences.enterAbsence(createCallAs(act.person), {
            ...act.days,
            reason: act.reason,
            kind: 'away',
          });
          return;
        case 'acknowledge':
        case 'resolve':
          return changeBlocker(act);
        case 'subscribe':
          return addWebhook(act.webhook);
        case 'answer':
          return receivers.answer(act.status);
        case 'replay': {
          const [since, until] = [act.since, act.until].map((at) => new Date(at).toISOString());
          const span = {since: since ?? '', until, only: 'all'} as const;
          await services.replays.startReplay(createCallAs('dana'), webhooks.get('failing') ?? '', span);
        }
      }
    },
    async finish() {
      await addToken('Deploy pipeline', ['standups:write', 'teams:read']);
      await addToken('Wallboard', ['standups:read', 'teams:read', 'members:read']);
      await addToken('Data warehouse', ['standups:read', 'events:read']);
    },
  };
}

function createMemberInput({key, name, zone, country, region, role}: DemoPerson, calendar: string) {
  const email = `${key}@tidewater-parcels.example`;
  return {name, email, timezone: zone, role, holidays: {country, region, calendar}};
}

function parseBody(row: unknown): Readonly<Record<string, unknown>> {
  return (typeof row === 'string' ? JSON.parse(row) : row) as Readonly<Record<string, unknown>>;
}

function readId({body}: Answer): Id<'service_account'> {
  return asId(String(parseBody(body)['id']));
}

/** Creates an iCalendar file of holidays. */
function createCalendarFile(days: DemoPlan['companyDays']): string {
  const events = days.flatMap(({date, name}) => [
    'BEGIN:VEVENT',
    `UID:${date}@tidewater-parcels.example`,
    'DTSTAMP:20260101T000000Z',
    `DTSTART;VALUE=DATE:${date.replaceAll('-', '')}`,
    `SUMMARY:${name}`,
    'END:VEVENT',
  ]);
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//tidewater//EN'];
  return [...head, ...events, 'END:VCALENDAR', ''].join('\r\n');
}
