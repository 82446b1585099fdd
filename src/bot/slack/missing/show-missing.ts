import type {RespondArguments} from '@slack/bolt';
import {privateAnswer} from '../blocks/blocks.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {canRemind, presentMissing, presentReminderOutcome} from './missing-view.js';
import {admitRequester, findViewer} from '../core/requester.js';
import {parseWire} from '../../../domain/core/resource.js';
import {AppError} from '../../../domain/core/errors.js';
import {isolateName} from '../../texts/bidi.js';
import {slackKey} from '../core/slack-identities.js';
import {isCalendarDate} from '../../../domain/core/dates.js';
import {suffixOf, type Id} from '../../../domain/core/ids.js';
import {packDates} from '../answers/form-request.js';
import {openForm} from '../form/open-form.js';
import {listenToAction, type ButtonPress} from '../core/listeners.js';
import {actions} from '../blocks/names.js';
import {resolveWithin} from '../core/resolve-within.js';

/** The maximum number of teams in one answer. */
const shownTeams = 5;

/** Finds the missing members of one team, the channel's team, or the person's own. Errors: see `identify`. */
async function findMissingMembers(context: SlackContext, request: SlackRequest, team?: string) {
  const {identities, services} = context;
  const {slackWorkspace, member, deadline, access} = await findViewer(context, request);
  const here = slackWorkspace.directory.byChannel(request.channel)?.id;
  const named = team ?? here;
  const found =
    named === undefined || named === here ? undefined : slackWorkspace.directory.byReference(named);
  // A button in Slack still works after the person has left the team, so access is checked again.
  if (found !== undefined && !(await services.teamDays.mayHearOf(access, member, found)))
    return {missing: [], more: 0};
  const mine =
    named !== undefined || member === undefined
      ? []
      : (await identities.listTeams(slackWorkspace, member, deadline)).map(({id}) => id);
  const wanted = named === undefined ? mine : [named];
  const missing = await Promise.all(
    wanted.slice(0, shownTeams).map((id) => services.findMissing(access, id, member)),
  );
  return {missing, more: wanted.length - missing.length};
}

/** Answers `/standup missing`, the button on the Home tab, and the message of the day. */
export async function presentMissingMembers(
  context: SlackContext,
  request: SlackRequest,
  team?: string,
): Promise<RespondArguments> {
  const {missing, more} = await findMissingMembers(context, request, team);
  const {leads, home} = request.translation.texts;
  if (missing.length === 0) return privateAnswer(team === undefined ? leads.noTeam : home.teamGone);
  return presentMissing(request.translation, missing, {more});
}

/** Answers `/standup remind`: the members who would be reminded, and the button that reminds them. */
export async function presentRemindButton(
  context: SlackContext,
  request: SlackRequest,
): Promise<RespondArguments> {
  const {leads} = request.translation.texts;
  const {missing, more} = await findMissingMembers(context, request);
  const led = missing.filter(({manages}) => manages);
  if (led.length === 0) return privateAnswer(leads.leadNone);
  return presentMissing(request.translation, led, {
    more,
    note: led.some(canRemind) ? leads.remindAsk : undefined,
  });
}

/** Reminds the missing members, once for each press. Returns who was reminded, and who was not and why. */
async function remindMissing(
  context: SlackContext,
  request: SlackRequest,
  reference: string,
): Promise<RespondArguments> {
  const {services} = context;
  const {translation, triggerId} = request;
  const {leads, home} = translation.texts;
  const {slackWorkspace, call} = await admitRequester(context, request);
  const team = slackWorkspace.directory.byReference(reference);
  if (team === undefined) return privateAnswer(home.teamGone);
  if (!(await services.teamDays.mayHearOf(call, call.principal.id, team)))
    return privateAnswer(home.teamGone);
  const name = isolateName(team.name);
  let reminded: ReadonlySet<string>;
  try {
    const idempotency = slackKey(call, 'remind', triggerId, team.id);
    const {body} = await services.runs.remind({...call, idempotency}, team.id);
    reminded = new Set(parseWire(body).members.map(({id}) => id));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const {code, context: more} = error;
    if (code === 'forbidden') return privateAnswer(leads.notYours({team: name}));
    if (code === 'no_open_run') return privateAnswer(leads.nothingOpen({team: name}));
    if (code === 'rate_limited' && more.reminded === true)
      return privateAnswer(leads.tooSoon({team: name, minutes: Math.ceil((more.retryAfter ?? 60) / 60)}));
    throw error;
  }
  return presentReminderOutcome(
    translation,
    await services.findMissing(call, team.id, call.principal.id),
    reminded,
  );
}

export function listenToMissing(context: SlackContext): void {
  listen(actions.showMissing, (request, value) =>
    presentMissingMembers(context, request, readButtonText(value, 'team')),
  );
  listen(actions.remindMissing, (request, value) =>
    remindMissing(context, request, readButtonText(value, 'team') ?? ''),
  );
  listen(actions.ofDay, async (request, value) => {
    const team = await findTeamBySuffix(context, request, readButtonText(value, 'team'));
    if (value['act'] === 'missing') return presentMissingMembers(context, request, team);
    const date = readButtonText(value, 'date') ?? '';
    const dates = team !== undefined && isCalendarDate(date) ? packDates([[team, date]]) : undefined;
    return openForm(context, request, {mode: 'auto', team, dates});
  });

  function listen(
    name: string,
    act: (request: SlackRequest, value: ButtonPress['value']) => Promise<RespondArguments | void>,
  ): void {
    listenToAction(context, name, ({request, value}) => act(request, value), 'modal');
  }
}

/** Returns the id of the team with this suffix; undefined if the store answers too late. */
async function findTeamBySuffix(
  {identities, timeouts}: SlackContext,
  {origin}: SlackRequest,
  suffix: string | undefined,
): Promise<Id<'team'> | undefined> {
  const finding = identities
    .findSlackWorkspace(origin, performance.now() + timeouts.team)
    .catch(() => undefined);
  const slackWorkspace = await resolveWithin(finding, timeouts.team);
  return slackWorkspace?.directory.teams.find(({id}) => suffixOf(id) === suffix)?.id;
}

function readButtonText(value: ButtonPress['value'], name: string): string | undefined {
  const given = value[name];
  return typeof given === 'string' ? given : undefined;
}
