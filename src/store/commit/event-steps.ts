import type {EventDraft} from '../../domain/commit/commit.js';
import {suffixOf, idPrefixes, storedId, storedSuffix, provisionalId} from '../../domain/core/ids.js';
import {type Work, workName} from '../../domain/core/work.js';
import type {WorkspaceKeys} from '../core/keys.js';
import {serializeReminder} from '../events/log-entry.js';
import type {Step} from './step.js';

const provisionalTeam = provisionalId('team', storedSuffix(''));

/**
 * Creates the steps that append events. The id of an event is made from its time, resource and number, so it
 * is not stored. All events of a commit have the same shape, because their order in the log matters.
 */
export function createEventStep(
  keys: WorkspaceKeys,
  events: readonly EventDraft[],
  actor: string,
): (event: EventDraft) => Step {
  // A team that the same commit creates has a provisional id, which gets its time here.
  const isNew = ({team}: EventDraft) => team?.startsWith(provisionalTeam) === true;
  const withNew = events.some(isNew);
  const withDetail = events.some((event) => findEventDetail(event) !== none);
  const shape = `event:${withNew ? 'new' : ''}:${withDetail ? 'detail' : ''}:${actor === '' ? '' : 'actor'}`;
  const write = createAppendEventLua(withNew, withDetail, actor !== '');
  return (event) => {
    const {type, about, revision, team = storedId<'team'>('')} = event;
    const args = [type, about, String(revision)];
    if (!withNew) args.push(team);
    else if (isNew(event)) args.push(suffixOf(team), `${idPrefixes.team}_`);
    else args.push(team, '');
    if (actor !== '') args.push(actor);
    if (withDetail) args.push(...findEventDetail(event));
    return {shape, keys: [keys.events()], args, write};
  };
}

function createAppendEventLua(
  withNew: boolean,
  withDetail: boolean,
  withActor: boolean,
): NonNullable<Step['write']> {
  return (key, arg) => {
    const actorAt = withNew ? 5 : 4;
    const detailAt = actorAt + (withActor ? 1 : 0);
    const team = withNew ? `${arg(4)} == '' and ${arg(3)} or ${arg(4)} .. stamp .. ${arg(3)}` : arg(3);
    const fields = [
      "'n'",
      "string.format('%d', now)",
      "'t'",
      arg(0),
      "'a'",
      arg(1),
      "'r'",
      arg(2),
      "'m'",
      team,
    ];
    const actor = withActor ? ["'p'", arg(actorAt)] : [];
    const add = (more: readonly string[]) =>
      `redis.call('XADD', ${key(0)}, string.format('%d-0', sequence), ${[...fields, ...more, ...actor].join(', ')})`;
    const detail = [arg(detailAt), arg(detailAt + 1)];
    const entry = withDetail ? `if ${arg(detailAt)} == '' then ${add([])} else ${add(detail)} end` : add([]);
    return `sequence = sequence + 1\n${entry}`;
  };
}

/** Returns the additional field of an event. No event has two of them. */
function findEventDetail({since, reminded, reason}: EventDraft): Detail {
  if (since !== undefined) return ['s', String(since)];
  if (reminded !== undefined) return ['d', serializeReminder(reminded)];
  if (reason !== undefined) return ['w', reason];
  return none;
}

type Detail = readonly [field: string, value: string];
const none: Detail = ['', ''];

const fanOut: Work = {kind: 'fan-out'};
const readSlack: Work = {kind: 'read-slack'};
const consumerWork = [fanOut, readSlack] as const;

/**
 * Creates the step that wakes every reader of the event log. A reader that has not reached the end is already
 * awake.
 */
export function createWakeStep(keys: WorkspaceKeys): Step {
  return {
    shape: 'wake',
    keys: [keys.ready(), keys.slackReady()],
    args: [],
    wakes: consumerWork,
    write: (key) => `
redis.call('HSET', headKey, 'sequence', sequence)
if not head[4] or tonumber(head[4]) >= first - 1 then
  redis.call('ZADD', ${key(0)}, 'LT', now, '${workName(fanOut)}')
end
if head[2] and tonumber(head[2]) >= first - 1 then
  redis.call('ZADD', ${key(1)}, 'LT', now, '${workName(readSlack)}')
end`,
  };
}
