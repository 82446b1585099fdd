import type {EventDraft} from '../../domain/commit/commit.js';
import {suffixOf, idPrefixes, storedId, storedSuffix, provisionalId} from '../../domain/core/ids.js';
import {formatTraceparent, type TraceContext} from '../../domain/core/trace-context.js';
import type {Work} from '../../domain/core/work.js';
import {appendDetailedEventLua, appendEventLua, wakeConsumersLua} from '../core/compiled/lua.js';
import type {WorkspaceKeys} from '../core/keys.js';
import {serializeReminder} from '../events/log-entry.js';
import {createStep, createPlainStep, type Step} from './step.js';

const provisionalTeam = provisionalId('team', storedSuffix(''));

/**
 * Creates the steps that append events. The id of an event is made from its time, resource and number, so it
 * is not stored. All events of a commit have the same shape, because their order in the log matters.
 * `actor`: empty for none. `trace`: the recorded span of the commit.
 */
export function createEventStep(
  keys: WorkspaceKeys,
  events: readonly EventDraft[],
  actor: string,
  trace?: TraceContext,
): (event: EventDraft) => Step {
  // A team that the same commit creates has a provisional id, which gets its time in the script.
  const isNew = ({team}: EventDraft) => team?.startsWith(provisionalTeam) === true;
  const isDetailed =
    trace !== undefined || events.some((event) => isNew(event) || findEventDetail(event) !== none);
  const by = actor === '' ? [] : [actor];
  const byInTrace = trace === undefined ? by : [actor, formatTraceparent(trace)];
  const log = [keys.events()];
  return (event) => {
    const {type, about, revision, team = storedId<'team'>('')} = event;
    const args = [type, about, String(revision)];
    if (!isDetailed) return createPlainStep(appendEventLua, log, [...args, team, ...by]);
    args.push(...(isNew(event) ? [suffixOf(team), `${idPrefixes.team}_`] : [team, '']));
    return createPlainStep(appendDetailedEventLua, log, [...args, ...findEventDetail(event), ...byInTrace]);
  };
}

/** Returns the additional field of an event. No event has two of them. */
function findEventDetail({since, reminded, reason, acceptedBy}: EventDraft): Detail {
  if (since !== undefined) return ['s', String(since)];
  if (reminded !== undefined) return ['d', serializeReminder(reminded)];
  if (reason !== undefined) return ['w', reason];
  if (acceptedBy !== undefined) return ['j', acceptedBy];
  return none;
}

type Detail = readonly [field: string, value: string];
const none: Detail = ['', ''];

const consumerWork: readonly Work[] = [{kind: 'fan-out'}, {kind: 'read-slack'}];

/** Creates the step that wakes every reader of the event log. A reader with events left is already awake. */
export function createWakeStep(keys: WorkspaceKeys): Step {
  const ready = [keys.ready(), keys.slackReady()];
  return createStep({keys: ready, args: [], wakes: consumerWork, write: wakeConsumersLua});
}
