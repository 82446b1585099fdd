import type {Event} from '../api/schema.ts';
import {formatDay, formatSpan} from '../texts/format.ts';
import {findText, texts} from '../texts/texts.ts';
import {isObject} from './filter.ts';
import {type NameLookup, findActorName} from './names.ts';

const longestName = 80;

/** Values for the sentence that describes an event, as texts. */
interface EventFacts {
  readonly actor: string;
  /** True if the service itself acted, and not a person or program. */
  readonly isService: boolean;
  /** Name of the person that the event is about. `isOwn`: this person is also the actor. */
  readonly person: string;
  readonly isOwn: boolean;
  readonly team: string;
  /** Name of the object: of a team, token or calendar, a webhook's host, or the text of a blocker or comment. */
  readonly name: string;
  /** A date, or a range of dates. */
  readonly days: string;
  readonly role: string;
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
}

/** Describes an event in one sentence; for an unknown event type, with only the actor and the type. */
export function describeEvent(event: Event, names: NameLookup): string {
  const facts = collectEventFacts(event, names);
  const sentences: Readonly<Record<string, (facts: EventFacts) => string>> = texts.events.sentences;
  const sentence = findText(sentences, event.type);
  return sentence === undefined
    ? texts.events.unknown({name: facts.actor, type: event.type})
    : sentence(facts);
}

function collectEventFacts({type, actor, data: given}: Event, names: NameLookup): EventFacts {
  const t = texts.events;
  const data = given ?? {};
  const person = findPerson(type, data);
  const reason = readText(data['reason']) ?? readText(data['disabled_reason']);
  const role = readText(data['role']) ?? '';
  const team = readText(data['team_id']) ?? (type.startsWith('team.') ? readText(data['id']) : undefined);
  return {
    actor: findActorName(actor, names),
    isService: actor === null || actor.id === null,
    person: person?.name ?? (person?.id === undefined ? undefined : names.of(person.id)) ?? t.formerMember,
    isOwn: person?.id !== undefined && person.id === actor?.id,
    team: nameOfTeam(type, data, team, names) ?? t.teamGone,
    name: findObjectName(data) ?? t.somethingGone,
    days: describeDays(data),
    role: findText(t.roles, role) ?? role,
    kind: readText(data['kind']) ?? '',
    reason: reason === undefined ? t.noReason : (findText(t.reasons, reason) ?? reason),
    count: countReminded(data),
  };
}

/** Finds the person who owns the object of an event, by the same rule as the API's change feed. */
function findPerson(type: string, data: Record<string, unknown>) {
  const own = type.startsWith('member.') ? data : undefined;
  const found = [data['author'], data['member'], data['holder'], own].find(isObject);
  return found && {id: readText(found['id']), name: readText(found['name'])};
}

function nameOfTeam(
  type: string,
  data: Record<string, unknown>,
  team: string | undefined,
  names: NameLookup,
): string | undefined {
  // The team's name at the time of the event.
  const own =
    type.startsWith('team.') && !type.startsWith('team.member') ? readText(data['name']) : undefined;
  return (
    own ??
    (team === undefined ? undefined : names.team(team)) ??
    readText(data['team']) ??
    readText(data['slug'])
  );
}

function findObjectName(data: Record<string, unknown>): string | undefined {
  const url = readText(data['url']);
  const found =
    url === undefined
      ? (readText(data['name']) ?? readText(data['text']))
      : (readText(data['description']) ?? readHost(url));
  const line = found?.replaceAll(/\s+/g, ' ').trim();
  return line !== undefined && line.length > longestName ? `${line.slice(0, longestName)}…` : line;
}

function readHost(url: string): string {
  return /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? url;
}

function describeDays(data: Record<string, unknown>): string {
  const [date, from] = [readText(data['date']), readText(data['from'])];
  if (date !== undefined) return formatDay(date);
  return from === undefined ? '' : formatSpan(from, readText(data['until']) ?? null);
}

function countReminded({reminder}: Record<string, unknown>): number {
  const members = isObject(reminder) ? reminder['members'] : undefined;
  return Array.isArray(members) ? members.length : 0;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
