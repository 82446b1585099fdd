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
import type {LookAt} from './looks.js';

/** A Slack installation and its client. */
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
    const isOurs = eligibility.outsider === undefined && !deleted;
    const changes = isOurs ? omitPlaceholderName(eligibility.profile, id) : {runsSlack: false};
    await keep(people.followSlackProfile(call(), id, changes), 'rest');
  };
}

/** Leaves out the name of a profile if it is only the person's Slack id. */
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
