import type {Call, PrincipalId} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Team} from '../../../domain/teams/team.js';
import type {SlackContext} from '../core/context.js';
import {findOutsiderKind, requestProfile} from '../core/profiles.js';
import type {SlackWorkspace} from '../core/slack-identities.js';
import {resolveWithin} from '../core/resolve-within.js';
import type {WebClient} from '@slack/web-api';
import {errorCodeOf} from '../core/clients.js';
import {isKnownRefusal} from '../core/slack-errors.js';

/** The part of the dependencies that a worker has, too. */
export interface PeopleDeps extends Pick<SlackContext, 'calendar' | 'log' | 'now' | 'slackChannels'> {
  readonly identities: Pick<
    SlackContext['identities'],
    'admit' | 'findHome' | 'findSlackWorkspace' | 'translationFor'
  >;
  readonly services: Pick<SlackContext['services'], 'people' | 'schedulePreviews' | 'teamMembers' | 'teams'>;
}

/** The Slack ids of people who cannot be members of a team, and of people that a retry may add. */
export interface Additions {
  readonly refused: readonly string[];
  readonly failed: readonly string[];
}

/** The number of people at a time: Slack allows about 100 profiles a minute, and others need some of them. */
const concurrency = 5;

/** The time limit (ms): enough to add 50 people, and not too long for a person who waits. */
const addMs = 25_000;

/** Adds people a few at a time. Safe to repeat: a person who is already in the team keeps their role. */
export async function addPeople(
  deps: PeopleDeps,
  slackWorkspace: SlackWorkspace,
  call: Call,
  team: Team,
  users: readonly string[],
): Promise<Additions> {
  const waiting = [...users];
  const [refused, failed] = [new Set<string>(), new Set(users)];
  const until = performance.now() + addMs;
  const addNext = async (): Promise<void> => {
    const user = waiting.shift();
    if (user === undefined || performance.now() > until) return;
    try {
      const found = await admitPerson(deps, slackWorkspace, user);
      if (found === 'refused') refused.add(user);
      else if (found !== undefined) await addMember(deps, call, team, found);
      if (found !== undefined) failed.delete(user);
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal_error';
      deps.log.warn({code}, 'could not add a person to a team');
    }
    return addNext();
  };
  await resolveWithin(Promise.all(Array.from({length: concurrency}, addNext)), addMs);
  return {refused: [...refused], failed: [...failed]};
}

/** Admits a Slack user. Slack is asked only about new people; undefined while it does not answer. */
async function admitPerson(
  {identities, services}: PeopleDeps,
  slackWorkspace: SlackWorkspace,
  user: string,
): Promise<PrincipalId | 'refused' | undefined> {
  const {workspace, jobClient: client} = slackWorkspace;
  const within = () => performance.now() + deadlines.job;
  const known = await services.people.findSlackMember({workspace, deadline: within()}, user);
  if (known !== undefined) return known.id;
  const [home, profile] = await Promise.all([
    identities.findHome({...slackWorkspace, client}),
    requestProfile(client, user),
  ]);
  if (home === undefined || profile === undefined) return undefined;
  if (typeof profile === 'string' || findOutsiderKind(profile, home) !== undefined) return 'refused';
  return (await identities.admit(slackWorkspace, {id: user, name: ''}, within(), profile)).principal.id;
}

async function addMember(deps: PeopleDeps, call: Call, team: Team, member: PrincipalId): Promise<void> {
  const own = {...call, deadline: performance.now() + deadlines.job};
  // Adding a person again would change their role, so a person in the team is left alone.
  if (!(await isInTeam(deps, own, team, member)))
    await deps.services.teamMembers.setTeamMember(own, team.id, member, 'member');
}

export async function isInTeam(
  {services}: PeopleDeps,
  call: Call,
  team: Team,
  member: PrincipalId,
): Promise<boolean> {
  try {
    await services.teamMembers.findTeamMember(call, team.id, member);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

/** `closed`: a person must invite the bot. `unknown`: the bot may or may not be able to post. */
export type Entrance = 'joined' | 'closed' | 'archived' | 'unknown';

/** Joins a public channel, uninvited: https://docs.slack.dev/reference/methods/conversations.join */
export async function joinChannel(
  client: WebClient,
  channel: string,
  notePublic: (channel: string) => Promise<void>,
): Promise<Entrance> {
  try {
    await client.conversations.join({channel});
    // If this fails, the only effect is that the channel's team is not listed to others.
    await notePublic(channel).catch(() => undefined);
    return 'joined';
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'is_archived') return 'archived';
    // For a private channel Slack's codes vary, whether or not the bot is in it. Only people can add it.
    return isKnownRefusal(code) ? 'closed' : 'unknown';
  }
}
