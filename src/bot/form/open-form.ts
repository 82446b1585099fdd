import type {RespondArguments} from '@slack/bolt';
import type {ModalView} from '@slack/types';
import {type WebClient, WebAPIPlatformError} from '@slack/web-api';
import {everyScope} from '../../domain/access.js';
import {addDays, type Calendar} from '../../domain/dates.js';
import {AppError} from '../../domain/errors.js';
import type {Log} from '../../domain/log.js';
import type {Standup} from '../../domain/standup.js';
import type {Services} from '../../service/services.js';
import {privately} from '../blocks.js';
import type {Visit} from '../kit.js';
import {type FormData, presentForm, presentLoading, presentNote} from './form-view.js';
import {actions} from '../names.js';
import {explain} from '../refusals.js';
import {todayOf} from '../text.js';
import {noTeam, type Place, soon, type Visitors} from '../visitors.js';

export interface FormParts {
  readonly visitors: Visitors;
  readonly services: Pick<Services, 'standups'>;
  readonly calendar: Calendar;
  /** Wall time in ms. */
  readonly now: () => number;
  readonly log: Log;
  readonly drawReference: () => string;
}

/** A trigger lives 3 s: what is not known by then is shown later. */
const patienceMs = 700;
const loadMs = 5_000;

/** Opens the form within the life of its trigger, with what could be read by then; makes no other call to Slack before. */
export async function openForm(parts: FormParts, request: Visit): Promise<void> {
  const {visitors, log, drawReference} = parts;
  const began = performance.now();
  const loading = settle(loadForm(parts, request));
  const client = await soon(
    visitors.findClient(request.origin, began + loadMs).catch(() => undefined),
    patienceMs,
  );
  const first = await soon(loading, began + patienceMs - performance.now());
  if (first !== undefined && 'error' in first) {
    return request.respond(privately(explain(first.error, log, drawReference()).sentence));
  }
  // Nothing to open it with: not even whose token it would need is known yet.
  if (client === undefined) return request.respond(presentRetry());
  let opened: {id: string; hash: string};
  try {
    const view = first === undefined ? presentLoading() : presentForm(first.data);
    const answer = await client.views.open({trigger_id: request.triggerId, view});
    opened = {id: answer.view?.id ?? '', hash: answer.view?.hash ?? ''};
  } catch (error) {
    log.warn({code: codeOf(error)}, 'the standup form could not be opened');
    return request.respond(presentRetry());
  }
  if (first !== undefined) return;
  const late = await loading;
  const view =
    'error' in late
      ? presentNote(explain(late.error, log, drawReference()).sentence)
      : presentForm(late.data);
  await replaceView(parts, client, request, opened, view);
}

/** With the hash it was opened with: a view that has changed since is left alone. */
async function replaceView(
  {log}: FormParts,
  client: WebClient,
  request: Visit,
  opened: {id: string; hash: string},
  view: ModalView,
): Promise<void> {
  try {
    await client.views.update({view_id: opened.id, hash: opened.hash, view});
  } catch (error) {
    const code = codeOf(error);
    log.warn({code}, 'the standup form could not be filled');
    // Closed by the person, or changed: then nobody waits for it.
    if (code !== 'not_found' && code !== 'hash_conflict') await request.respond(presentRetry());
  }
}

type Loaded = {readonly data: FormData} | {readonly error: unknown};

async function settle(loading: Promise<FormData>): Promise<Loaded> {
  try {
    return {data: await loading};
  } catch (error) {
    return {error};
  }
}

async function loadForm(parts: FormParts, {origin, user, channel}: Visit): Promise<FormData> {
  const {visitors} = parts;
  const deadline = performance.now() + loadMs;
  const place = await visitors.findPlace(origin, deadline);
  const here = place.directory.byChannel(channel);
  const member = await visitors.findMember(place, user, deadline);
  const teams =
    here !== undefined
      ? [here]
      : member === undefined
        ? []
        : await visitors.listTeams(place, member, deadline);
  const [first] = teams;
  if (first === undefined) throw new AppError('validation_failed', noTeam);
  const only = teams.length === 1 ? first : undefined;
  const yesterday =
    member === undefined
      ? undefined
      : await lastToday(parts, place, {member, zone: first.timezone, team: only?.id, deadline});
  if (only === undefined) return {place: {}, teams, teamName: undefined, yesterday};
  return {place: {team: only.id, joins: here !== undefined}, teams: [], teamName: only.name, yesterday};
}

/** What a person's last standup before today, for this team or for any, said about its day. */
async function lastToday(
  {services, calendar, now}: FormParts,
  {workspace}: Place,
  {member, team, zone, deadline}: {member: string; team: string | undefined; zone: string; deadline: number},
): Promise<string | undefined> {
  const principal = {type: 'member', id: member, name: ''} as const;
  const access = {workspace, principal, scopes: everyScope, deadline};
  const dateTo = addDays(calendar.dayIn(zone, now()), -1);
  const {rows} = await services.standups.listStandups(access, {author: member, team, dateTo, limit: 1});
  return rows[0] === undefined ? undefined : todayOf((JSON.parse(rows[0]) as Standup).update);
}

function presentRetry(): RespondArguments {
  const text = 'The form could not be opened in time.';
  return {
    ...privately(text),
    blocks: [
      {type: 'section', text: {type: 'plain_text', text}},
      {
        type: 'actions',
        elements: [
          {type: 'button', action_id: actions.openForm, text: {type: 'plain_text', text: 'Open the form'}},
        ],
      },
    ],
  };
}

function codeOf(error: unknown): string {
  return error instanceof WebAPIPlatformError ? error.data.error : 'no_answer';
}
