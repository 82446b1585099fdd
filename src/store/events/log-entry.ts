import {parseActor} from '../../domain/core/actor.js';
import type {EventType, LogEntry, ReminderRecord} from '../../domain/events/event.js';
import {
  composeId,
  type Id,
  parseCreationTime,
  suffixOf,
  suffixWithSequence,
  storedId,
  storedSuffix,
} from '../../domain/core/ids.js';
import {parseTraceparent} from '../../domain/core/trace-context.js';

/** Returns the reminded members in the form in which a log entry stores them. */
export function serializeReminder({at, minutes, members}: ReminderRecord): string {
  return `${minutes ?? (at === 'opening' ? 'opening' : '')}:${members.join(',')}`;
}

function parseReminder(text: string): ReminderRecord {
  const [minutes = '', members = ''] = text.split(':');
  const isScheduled = /^\d/.test(minutes);
  return {
    at: isScheduled ? 'before_closing' : minutes === 'opening' ? minutes : 'asked',
    minutes: isScheduled ? Number(minutes) : null,
    members: members === '' ? [] : members.split(',').map((id) => storedId(id)),
  };
}

/** Returns the id of a member. An id from the commit that created the member lacks its time, that of the event. */
function parseAcceptedBy(id: Id<'member'>, at: number): Id<'member'> {
  return parseCreationTime(id) === 0 ? composeId('member', at, suffixOf(id)) : id;
}

export function parseLogEntry(streamId: string, fields: readonly string[]): LogEntry {
  const [, time = '', , type = '', , subject = '', , revision = '', , team = ''] = fields;
  const sequence = Number.parseInt(streamId, 10);
  const about = storedSuffix(subject);
  const at = Number(time);
  const kept = new Map<string | undefined, string>();
  for (let i = 10; i < fields.length; i += 2) kept.set(fields[i], fields[i + 1] ?? '');
  const [actor, since, reminded, reason] = [kept.get('p'), kept.get('s'), kept.get('d'), kept.get('w')];
  const acceptedBy = kept.get('j');
  const trace = parseTraceparent(kept.get('x'));
  return {
    id: composeId('event', at, suffixWithSequence(about, sequence)),
    sequence,
    type: type as EventType,
    about,
    revision: Number(revision),
    at,
    ...(team !== '' && {team: storedId<'team'>(team)}),
    ...(actor !== undefined && {actor: parseActor(actor)}),
    ...(since !== undefined && {since: Number(since)}),
    ...(reminded !== undefined && {reminded: parseReminder(reminded)}),
    ...(reason !== undefined && {reason}),
    ...(acceptedBy !== undefined && {acceptedBy: parseAcceptedBy(storedId<'member'>(acceptedBy), at)}),
    ...(trace !== undefined && {trace}),
  };
}
