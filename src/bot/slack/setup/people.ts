import type {Call} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import type {Kit} from '../door/kit.js';
import {askProfile, nameOf, type Outsider, outsiderKind, type SlackPerson} from '../door/profiles.js';
import {type Place, soon} from '../door/visitors.js';

/** A Slack user who was chosen in a form, as far as known. */
export type Person =
  | {readonly kind: 'member'; readonly id: string}
  | {readonly kind: 'new'; readonly profile: SlackPerson}
  | {readonly kind: Outsider | 'gone'; readonly name: string}
  /** Slack or the store did not answer. */
  | {readonly kind: 'unknown'};

/** The dependencies from the kit. */
export interface PeopleKit extends Pick<Kit, 'log' | 'slackChannels'> {
  readonly visitors: Pick<Kit['visitors'], 'admit' | 'findHome' | 'findPlace' | 'readerOf'>;
  readonly services: Pick<Kit['services'], 'people' | 'teamMembers' | 'teams'>;
}

/** By Slack id. None of the promises rejects. */
export type People = ReadonlyMap<string, Promise<Person>>;

/** Slack allows about 100 profiles a minute; a few at a time leave the rest of the app its share. */
const lanes = 5;

/** Looks up everyone, a few at a time: members are known without asking Slack. */
export function lookUpPeople(
  kit: PeopleKit,
  place: Place,
  users: readonly string[],
  deadline: number,
): People {
  const ends = Array.from({length: lanes}, () => Promise.resolve<unknown>(undefined));
  const people = new Map<string, Promise<Person>>();
  for (const [i, user] of users.entries()) {
    const found = (ends[i % lanes] ?? Promise.resolve()).then(() => lookUp(kit, place, user, deadline));
    ends[i % lanes] = found;
    people.set(user, found);
  }
  return people;
}

async function lookUp(kit: PeopleKit, place: Place, user: string, deadline: number): Promise<Person> {
  const {workspace, jobClient} = place;
  try {
    const known = await kit.services.people.findSlackMember({workspace, deadline}, user);
    if (known !== undefined) return {kind: 'member', id: known.id};
  } catch {
    return {kind: 'unknown'};
  }
  const [home, profile] = await Promise.all([
    kit.visitors.findHome({...place, client: jobClient}),
    askProfile(jobClient, user),
  ]);
  if (home === undefined || profile === undefined) return {kind: 'unknown'};
  if (typeof profile === 'string')
    return {kind: profile === 'user_not_found' ? 'gone' : 'stranger', name: user};
  const name = nameOf(profile, {id: user, name: ''});
  const outsider = outsiderKind(profile, home);
  if (outsider !== undefined) return {kind: outsider, name};
  return profile.deleted === true ? {kind: 'gone', name} : {kind: 'new', profile};
}

/** The people who cannot be in a team, as far as they are known within `ms`. */
export async function findRefused(people: People, ms: number): Promise<Extract<Person, {name: string}>[]> {
  const known: Person[] = [];
  const all = [...people.values()].map(async (person) => void known.push(await person));
  await soon(Promise.all(all), ms);
  return known.filter((person) => 'name' in person);
}

export interface Additions {
  /** Slack ids of people that a team cannot have. */
  readonly refused: readonly string[];
  /** Slack ids of people who may be added by a retry. */
  readonly failed: readonly string[];
}

/** Adds people to a team, within `ms`. Safe to repeat: members keep their role. */
export async function addPeople(
  kit: PeopleKit,
  place: Place,
  call: Call,
  team: Pick<Team, 'id'>,
  people: People,
  ms: number,
): Promise<Additions> {
  const [refused, added] = [new Set<string>(), new Set<string>()];
  const until = performance.now() + ms;
  const work = [...people].map(async ([user, found]) => {
    const person = await found;
    if ('name' in person) return void refused.add(user);
    if (person.kind === 'unknown' || performance.now() > until) return;
    try {
      await addPerson(kit, place, call, team, user, person);
      added.add(user);
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal_error';
      kit.log.warn({code}, 'a person could not be added to a team');
    }
  });
  await soon(Promise.all(work), ms);
  const failed = [...people.keys()].filter((user) => !added.has(user) && !refused.has(user));
  return {refused: [...refused], failed};
}

async function addPerson(
  kit: PeopleKit,
  place: Place,
  call: Call,
  team: Pick<Team, 'id'>,
  user: string,
  person: Extract<Person, {kind: 'member' | 'new'}>,
): Promise<void> {
  const deadline = performance.now() + deadlines.job;
  const id =
    person.kind === 'member'
      ? person.id
      : (await kit.visitors.admit(place, {id: user, name: ''}, deadline, person.profile)).principal.id;
  const own = {...call, deadline};
  // Setting a role would change that of people who are in it already.
  if (await isInTeam(kit, own, team, id)) return;
  await kit.services.teamMembers.setTeamMember(own, team.id, id, 'member');
}

export async function isInTeam(
  {services}: PeopleKit,
  call: Call,
  team: Pick<Team, 'id'>,
  member: string,
): Promise<boolean> {
  try {
    await services.teamMembers.findTeamMember(call, team.id, member);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

/**
 * Removes people from a team; returns the Slack ids of the people who could not be removed. One who is not in
 * it counts as done.
 */
export async function removePeople(
  {services, log}: PeopleKit,
  call: Call,
  team: Pick<Team, 'id'>,
  users: readonly string[],
): Promise<string[]> {
  const failed = await Promise.all(
    users.map(async (user) => {
      const own = {...call, deadline: performance.now() + deadlines.job};
      try {
        const member = await services.people.findSlackMember(own, user);
        if (member !== undefined) await services.teamMembers.removeTeamMember(own, team.id, member.id);
        return [];
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'internal_error';
        if (code === 'not_found') return [];
        log.warn({code}, 'a person could not be taken out of a team');
        return [user];
      }
    }),
  );
  return failed.flat();
}
