import type {Scope} from '../core/access.js';
import type {EventType, LogEntry} from './event.js';
import {suffixOf, type Id, isId} from '../core/ids.js';
import type {WireJson} from '../core/resource.js';

/** A change without its content. It tells a client what to read again. */
export interface Change {
  readonly sequence: number;
  readonly type: EventType;
  /** The kind of the changed resource. Its id is null after it has been erased. */
  readonly object: string;
  readonly id: Id | null;
  readonly team_id: Id<'team'> | null;
  readonly date: string | null;
  /** The id of the member that the resource belongs to or is about. */
  readonly member_id: Id<'member'> | null;
}

interface ChangeSubject {
  readonly id?: Id;
  readonly team_id?: Id<'team'> | null;
  readonly date?: string;
  readonly author?: {readonly id: Id};
  readonly member?: {readonly id: Id};
  readonly holder?: {readonly id: Id};
}

/** Creates the notice of a change. `event` is the event's JSON. */
export function createChange({sequence, type, team}: LogEntry, event: WireJson): Change {
  const data = (JSON.parse(event) as {readonly data: ChangeSubject | null}).data ?? {};
  const object = findResourceKind(type);
  const id = data.id ?? null;
  const person = data.author ?? data.member ?? data.holder ?? data;
  return {
    sequence,
    type,
    object,
    id,
    team_id: (object === 'team' && id !== null && isId('team', id) ? id : data.team_id) ?? team ?? null,
    date: data.date ?? null,
    member_id: person.id !== undefined && isId('member', person.id) ? person.id : null,
  };
}

type Noun = EventType extends `${infer N}.${string}` ? N : never;

/** The kinds of resources that events report on. */
type SubjectKind = Exclude<Noun, 'slack' | 'token'> | 'team_member' | 'access_token';

const parseNounOfEventType = (type: EventType) => type.slice(0, type.indexOf('.')) as Noun;

const objects: Readonly<Partial<Record<EventType, SubjectKind>>> = {
  'slack.connected': 'workspace',
  'slack.disconnected': 'workspace',
  'slack.post_failed': 'standup',
  'slack.report_failed': 'run',
};

export function findResourceKind(type: EventType): SubjectKind {
  if (type.startsWith('team.member_')) return 'team_member';
  const noun = parseNounOfEventType(type);
  return objects[type] ?? (noun === 'token' ? 'access_token' : (noun as SubjectKind));
}

/** True for kinds of resources that belong to a member, or are a member. */
const ofMembers: Readonly<Record<SubjectKind, boolean>> = {
  standup: true,
  blocker: true,
  comment: true,
  reaction: true,
  absence: true,
  member: true,
  team_member: true,
  access_token: true,
  passkey: true,
  invite: false,
  import: false,
  run: false,
  team: false,
  holiday_calendar: false,
  webhook: false,
  workspace: false,
};

/** True when only an event's content shows whether it concerns a certain member. */
export function mayConcernMember({type}: LogEntry): boolean {
  return ofMembers[findResourceKind(type)];
}

/**
 * True when an event concerns a resource: the event is about it, about something of that team, or about
 * something of that member. `event` is its JSON, which is only needed for members.
 */
export function concernsResource(entry: LogEntry, id: Id, event?: WireJson): boolean {
  const object = findResourceKind(entry.type);
  return (
    (entry.about === suffixOf(id) && isId(object, id)) ||
    entry.team === id ||
    entry.acceptedBy === id ||
    entry.reminded?.members.some((one) => one === id) === true ||
    (event !== undefined && createChange(entry, event).member_id === id)
  );
}

const scopesOfNouns: Readonly<Record<Noun, Scope>> = {
  standup: 'standups:read',
  blocker: 'standups:read',
  comment: 'standups:read',
  reaction: 'standups:read',
  run: 'standups:read',
  team: 'teams:read',
  member: 'members:read',
  invite: 'members:read',
  import: 'standups:write_any',
  absence: 'members:read',
  holiday_calendar: 'members:read',
  token: 'tokens:manage',
  passkey: 'tokens:manage',
  webhook: 'webhooks:manage',
  workspace: 'workspace:manage',
  slack: 'workspace:manage',
};

/** Returns the scope that a token needs to read the resource of an event. */
export function findReadingScope(type: EventType): Scope {
  // Events of a newer release are only for people who manage the workspace.
  const known: Readonly<Partial<Record<string, Scope>>> = scopesOfNouns;
  return known[parseNounOfEventType(type)] ?? 'workspace:manage';
}
