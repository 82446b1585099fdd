import type {Call} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import type {SlackContext} from '../core/context.js';
import {
  requestProfile,
  readName,
  type Outsider,
  findOutsiderKind,
  type SlackPerson,
} from '../core/profiles.js';
import type {SlackWorkspace} from '../core/slack-identities.js';
import {resolveWithin} from '../core/resolve-within.js';

/** A Slack user chosen in a form, and what is known about the user. */
export type SelectedUser =
  | {readonly kind: 'member'; readonly id: string}
  | {readonly kind: 'new'; readonly profile: SlackPerson}
  | {readonly kind: Outsider | 'gone'; readonly name: string}
  /** Slack or the store did not answer. */
  | {readonly kind: 'unknown'};

export interface PeopleDeps extends Pick<SlackContext, 'log' | 'slackChannels'> {
  readonly identities: Pick<
    SlackContext['identities'],
    'admit' | 'findHome' | 'findSlackWorkspace' | 'translationFor'
  >;
  readonly services: Pick<SlackContext['services'], 'people' | 'teamMembers' | 'teams'>;
}

/** The chosen users, by Slack id. None of the promises rejects. */
export type SelectedUsers = ReadonlyMap<string, Promise<SelectedUser>>;

/**
 * The number of look-ups at a time. Slack allows about 100 profiles a minute, and other parts of the app need
 * some of them.
 */
const concurrency = 5;

/** Looks up all people, a few at a time. Members are found without asking Slack. */
export function lookUpPeople(
  deps: PeopleDeps,
  slackWorkspace: SlackWorkspace,
  users: readonly string[],
  deadline: number,
): SelectedUsers {
  const ends = Array.from({length: concurrency}, () => Promise.resolve<unknown>(undefined));
  const people = new Map<string, Promise<SelectedUser>>();
  for (const [i, user] of users.entries()) {
    const found = (ends[i % concurrency] ?? Promise.resolve()).then(() =>
      lookUpPerson(deps, slackWorkspace, user, deadline),
    );
    ends[i % concurrency] = found;
    people.set(user, found);
  }
  return people;
}

async function lookUpPerson(
  deps: PeopleDeps,
  slackWorkspace: SlackWorkspace,
  user: string,
  deadline: number,
): Promise<SelectedUser> {
  const {workspace, jobClient} = slackWorkspace;
  try {
    const known = await deps.services.people.findSlackMember({workspace, deadline}, user);
    if (known !== undefined) return {kind: 'member', id: known.id};
  } catch {
    return {kind: 'unknown'};
  }
  const [home, profile] = await Promise.all([
    deps.identities.findHome({...slackWorkspace, client: jobClient}),
    requestProfile(jobClient, user),
  ]);
  if (home === undefined || profile === undefined) return {kind: 'unknown'};
  if (typeof profile === 'string')
    return {kind: profile === 'user_not_found' ? 'gone' : 'stranger', name: user};
  const name = readName(profile, {id: user, name: ''});
  const outsider = findOutsiderKind(profile, home);
  if (outsider !== undefined) return {kind: outsider, name};
  return profile.deleted === true ? {kind: 'gone', name} : {kind: 'new', profile};
}

/** Returns the people who cannot be in a team, as far as that is known within `ms`. */
export async function findRefusedPeople(
  people: SelectedUsers,
  ms: number,
): Promise<Extract<SelectedUser, {name: string}>[]> {
  const known: SelectedUser[] = [];
  const all = [...people.values()].map(async (person) => void known.push(await person));
  await resolveWithin(Promise.all(all), ms);
  return known.filter((person) => 'name' in person);
}

export interface Additions {
  /** The Slack ids of bots, guests and other people who cannot be members of a team. */
  readonly refused: readonly string[];
  /** The Slack ids of people who may be added by another attempt. */
  readonly failed: readonly string[];
}

/**
 * Adds people to a team, within `ms`. Safe to repeat: a person who is in the team already keeps their role.
 */
export async function addPeople(
  deps: PeopleDeps,
  slackWorkspace: SlackWorkspace,
  call: Call,
  team: Pick<Team, 'id'>,
  people: SelectedUsers,
  ms: number,
): Promise<Additions> {
  const [refused, added] = [new Set<string>(), new Set<string>()];
  const until = performance.now() + ms;
  const work = [...people].map(async ([user, found]) => {
    const person = await found;
    if ('name' in person) return void refused.add(user);
    if (person.kind === 'unknown' || performance.now() > until) return;
    try {
      await addPerson(deps, slackWorkspace, call, team, user, person);
      added.add(user);
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal_error';
      deps.log.warn({code}, 'could not add a person to a team');
    }
  });
  await resolveWithin(Promise.all(work), ms);
  const failed = [...people.keys()].filter((user) => !added.has(user) && !refused.has(user));
  return {refused: [...refused], failed};
}

async function addPerson(
  deps: PeopleDeps,
  slackWorkspace: SlackWorkspace,
  call: Call,
  team: Pick<Team, 'id'>,
  user: string,
  person: Extract<SelectedUser, {kind: 'member' | 'new'}>,
): Promise<void> {
  const deadline = performance.now() + deadlines.job;
  const id =
    person.kind === 'member'
      ? person.id
      : (await deps.identities.admit(slackWorkspace, {id: user, name: ''}, deadline, person.profile))
          .principal.id;
  const own = {...call, deadline};
  // Adding a person again would change their role, so a person in the team is left alone.
  if (await isInTeam(deps, own, team, id)) return;
  await deps.services.teamMembers.setTeamMember(own, team.id, id, 'member');
}

export async function isInTeam(
  {services}: PeopleDeps,
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
 * Removes people from a team. Returns the Slack ids of people for whom that failed. A person who is not in
 * the team counts as done.
 */
export async function removePeople(
  {services, log}: PeopleDeps,
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
        log.warn({code}, 'could not remove a person from a team');
        return [user];
      }
    }),
  );
  return failed.flat();
}
