import type {WebClient} from '@slack/web-api';
import {everyScope} from '../../../domain/core/access.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Log} from '../../../domain/core/log.js';
import {
  slackDoorkeeper as doorkeeper,
  type SlackInstallation,
  type SlackOrigin,
  type SlackProfile,
} from '../../../domain/slack/slack-installation.js';
import type {Services} from '../../../service/services.js';
import type {Newcomers} from './newcomers.js';
import {readLocale, readPictureAddress, type SlackPerson, findProfile} from './profiles.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {SlackClients} from './clients.js';
import {createCache} from '../../../domain/core/cache.js';
import {keyOfUser} from './origin.js';

export interface Bot {
  readonly installation: SlackInstallation;
  readonly client: WebClient;
}

/**
 * Updates a member from their Slack profile, except values that did not come from Slack. A deactivated member
 * counts as away; a guest or stranger loses a role given by Slack. Never rejects.
 */
export type FollowProfile = (bot: Bot, person: SlackPerson, origin?: SlackOrigin) => Promise<void>;

export function createMemberProfileUpdater({
  services: {people, followSlackAccount},
  newcomers,
  log,
}: {
  readonly services: Services;
  readonly newcomers: Newcomers;
  readonly log: Log;
}): FollowProfile {
  const keep = (follow: Promise<unknown>, what: string) =>
    follow.catch((error: unknown) => {
      log.warn(
        {error: error instanceof Error ? error.message : 'unknown'},
        `the ${what} of a Slack profile was not kept`,
      );
      return undefined;
    });

  return async function followProfile(bot, person, origin = {orgWide: false}) {
    const {id, deleted = false} = person;
    if (id === undefined) return;
    const {workspace} = bot.installation;
    const call = () => {
      const deadline = performance.now() + deadlines.job;
      return {workspace, principal: doorkeeper, scopes: everyScope, deadline, entryPoint: 'slack'} as const;
    };
    // Slack reports everyone who changes their status; most of them are not members here.
    if ((await keep(people.findSlackMember(call(), id), 'member')) === undefined) return;
    await keep(followSlackAccount(call(), id, deleted), 'end');
    await keep(people.keepSlackPicture(call(), id, readPictureAddress(person)), 'picture');
    // Not every event of Slack contains the locale.
    const locale = readLocale(person);
    if (locale !== undefined) await keep(people.keepSlackLocale(call(), id, locale), 'locale');
    const eligibility = await newcomers.find({...bot, origin}, {id, name: ''}, {person});
    if (eligibility === undefined) return;
    // A person from another workspace has no role here, and Slack renames deactivated accounts.
    const changes =
      eligibility.outsider === undefined ? omitPlaceholderName(eligibility.profile, id) : {runsSlack: false};
    await keep(people.followSlackProfile(call(), id, changes), 'rest');
  };
}

function omitPlaceholderName({name, ...rest}: SlackProfile, id: string): Partial<SlackProfile> {
  return name === id ? rest : {...rest, name};
}

/** Reads the profile of a person who uses the bot, at most once a day, by the client for jobs. */
export function createProfileReader({
  installations,
  clients,
  followProfile,
}: {
  readonly installations: Pick<SlackInstallations, 'find'>;
  readonly clients: Pick<SlackClients, 'forJobs'>;
  readonly followProfile: FollowProfile;
}): LookAt {
  return async (origin, user) => {
    try {
      const installation = await installations.find(origin, performance.now() + deadlines.job);
      const client = clients.forJobs(installation);
      const person = await findProfile(client, user);
      if (person === undefined) return false;
      await followProfile({installation, client}, {...person, id: user}, origin);
      return true;
    } catch {
      return false;
    }
  };
}

/** Remembers the people whose Slack profile this process has checked within a day. */
export type Looks = ReturnType<typeof createProfileChecks>;

/** Checks a person's Slack profile. Returns false when Slack does not answer. Must not throw. */
export type LookAt = (origin: SlackOrigin, user: string) => Promise<boolean>;

const maxKept = 10_000;
const knownMs = 24 * 3_600_000;
/** The time until Slack is asked again after it did not answer. */
const unknownMs = 600_000;
/** The delay of a check, longer than a trigger is valid: calls for which a person waits go first. */
const laterMs = 4_000;
const maxAsked = 500;

export function createProfileChecks(
  lookAt: LookAt,
  {askAfterMs = laterMs}: {readonly askAfterMs?: number} = {},
) {
  const known = createCache<true>(maxKept);
  const asked = new Map<string, NodeJS.Timeout>();

  return {
    /** Notes that a person uses the bot. Their profile is checked later, when no one waits. */
    note(origin: SlackOrigin, user: string): void {
      const key = keyOfUser(origin, user);
      if (known.has(key) || asked.has(key) || asked.size >= maxAsked) return;
      const timer = setTimeout(() => {
        const looked = known.has(key) ? Promise.resolve(true) : lookAt(origin, user);
        void looked
          .then((isFound) => known.set(key, true, {ttl: isFound ? knownMs : unknownMs}))
          .finally(() => asked.delete(key));
      }, askAfterMs);
      asked.set(key, timer.unref());
    },
    /** Notes that a person's profile is known, because Slack sent it for another reason. */
    seen: (origin: SlackOrigin, user: string) =>
      void known.set(keyOfUser(origin, user), true, {ttl: knownMs}),
    close(): void {
      for (const timer of asked.values()) clearTimeout(timer);
      asked.clear();
    },
  };
}
