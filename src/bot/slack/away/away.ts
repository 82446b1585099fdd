import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import type {Absence} from '../../../domain/absences/absence.js';
import type {Call} from '../../../domain/core/access.js';
import type {Id} from '../../../domain/core/ids.js';
import {AppError} from '../../../domain/core/errors.js';
import {limits} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import {sayTextFault} from '../blocks/text-faults.js';
import type {Member} from '../../../domain/workspaces/workspace.js';
import {privately} from '../blocks/blocks.js';
import type {Kit, Visit} from '../door/kit.js';
import {explain} from '../door/refusals.js';
import {slackKey} from '../door/visitors.js';
import {presentDoubt, presentEntered, presentNotEntered} from './away-answers.js';
import {parseDays} from '../../typed/parse-days.js';

export type AwayParts = Pick<
  Kit,
  'visitors' | 'services' | 'refreshHome' | 'calendar' | 'now' | 'log' | 'drawReference'
>;

interface TeamDate {
  readonly date: string;
  readonly team: Id<'team'>;
}

interface Self {
  readonly call: Call;
  readonly member: Member;
  readonly teams: readonly Team[];
  /** Today by the person's clock. */
  readonly today: string;
}

/**
 * `/standup ooo [days] [why]`: saved before the answer, which shows the days as they were understood and a
 * button to undo it.
 */
export function enterDays(parts: AwayParts, visit: Visit, typed: string): Promise<RespondArguments> {
  const {reader} = visit;
  return answeredBy(parts, visit, async () => {
    const {call, today} = await findSelf(parts, visit);
    const days = parseDays(typed, today);
    if ('fault' in days) return presentDoubt(reader, days, {typed, key: keyOf(visit)});
    const fault = days.reason === null ? undefined : sayTextFault(reader.words, days.reason, limits.reason);
    if (fault !== undefined) return presentNotEntered(reader, reader.words.away.reason(fault), typed);
    const idempotency = slackKey(call, 'command', keyOf(visit), `ooo ${typed}`);
    const {body} = await parts.services.absences.enterAbsence({...call, idempotency}, days);
    parts.refreshHome(visit.origin, visit.user);
    return presentEntered(reader, [parseWire(body)], today);
  });
}

/**
 * `/standup skip [why]`: skips today for all teams of the person; where today differs between them, for each
 * separately.
 */
export function skipToday(parts: AwayParts, visit: Visit, why: string): Promise<RespondArguments> {
  const {reader} = visit;
  const {absences} = parts.services;
  return answeredBy(parts, visit, async () => {
    const self = await findSelf(parts, visit);
    const {call, today} = self;
    const reason = why.trim() === '' ? undefined : why.trim();
    const fault = reason === undefined ? undefined : sayTextFault(reader.words, reason, limits.reason);
    if (fault !== undefined) return presentNotEntered(reader, reader.words.away.reason(fault), why);
    const days = await listDates(parts, self);
    const [first = today] = days.map(({date}) => date);
    const same = days.every(({date}) => date === first);
    const skipped: Absence[] = [];
    for (const day of same ? [{date: first}] : days) {
      const idempotency = slackKey(
        call,
        'command',
        `${keyOf(visit)}/${'team' in day ? day.team : ''}`,
        `skip ${why}`,
      );
      const {body} = await absences.skip({...call, idempotency}, {...day, reason});
      skipped.push(parseWire(body));
    }
    parts.refreshHome(visit.origin, visit.user);
    return presentEntered(reader, skipped, today);
  });
}

/** `/standup back`: ends all absences of today, and a skip of a run that is still open. */
export function comeBack(parts: AwayParts, visit: Visit): Promise<RespondArguments> {
  return answeredBy(parts, visit, async () => {
    const self = await findSelf(parts, visit);
    const idempotency = slackKey(self.call, 'command', keyOf(visit), 'back');
    const told = await endAbsences(parts, visit, {...self, call: {...self.call, idempotency}});
    parts.refreshHome(visit.origin, visit.user);
    return privately(told);
  });
}

/** Ends the person's absences; returns the sentence that says so. */
export async function endAbsences(
  parts: AwayParts,
  {reader}: Pick<Visit, 'reader'>,
  self: Self,
): Promise<string> {
  const {away} = reader.words;
  const {call, today} = self;
  const now = {today, runs: await listDates(parts, self)};
  const {ended, skipped, closed} = await parts.services.absences.comeBack(call, now);
  if (closed) return away.backNext;
  if (ended === 0) return away.notAway;
  return skipped.length < ended ? away.back : away.backIn(skipped.map((date) => reader.day(date)).join(', '));
}

/**
 * The date for which each team of the person would take a standup now: after midnight that of a run that is
 * still open.
 */
async function listDates({services}: AwayParts, {call, member, teams}: Self): Promise<TeamDate[]> {
  const dates = await services.standups.findDates(call, teams, member.id);
  return [...dates].map(([team, date]) => ({team, date}));
}

/** Undoes absences that were just entered; one that is already gone counts as undone. */
export async function undoAbsences(
  parts: AwayParts,
  visit: Visit,
  ids: readonly string[],
): Promise<RespondArguments> {
  let replaces = true;
  const answer = await answeredBy(
    parts,
    visit,
    async () => {
      const {call} = await findSelf(parts, visit);
      for (const id of ids) {
        try {
          await parts.services.absences.deleteAbsence(call, id);
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
        }
      }
      parts.refreshHome(visit.origin, visit.user);
      return privately(visit.reader.words.away.undone);
    },
    () => (replaces = false),
  );
  return {...answer, replace_original: replaces};
}

function keyOf({commandKey, triggerId}: Visit): string {
  return commandKey ?? triggerId;
}

/** The person who asks, as the member that they are, or become by asking. */
export async function findSelf({visitors, services, calendar, now}: AwayParts, visit: Visit): Promise<Self> {
  const deadline = visitors.answerBy();
  const place = await visitors.findPlace(visit.origin, deadline);
  const call = await visitors.admit(place, visit.user, deadline);
  const [member, teams] = await Promise.all([
    services.members.findMember(call, call.principal.id),
    visitors.listTeams(place, call.principal.id, deadline),
  ]);
  const zone = member.timezone ?? teams[0]?.timezone ?? 'UTC';
  return {call, member, teams, today: calendar.dayIn(zone, now())};
}

async function answeredBy(
  {log, drawReference}: AwayParts,
  {reader}: Visit,
  act: () => Promise<RespondArguments>,
  onFailure: () => void = () => undefined,
): Promise<RespondArguments> {
  try {
    return await act();
  } catch (error) {
    onFailure();
    const {sentence, uncertain} = explain(error, log, drawReference(), reader.words);
    return privately(uncertain ? sentence : reader.words.away.notSaved(sentence));
  }
}
