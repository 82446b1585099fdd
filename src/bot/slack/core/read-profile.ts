import {deadlines} from '../../../domain/core/limits.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {SlackClients} from './clients.js';
import type {FollowProfile} from './follow-profile.js';
import {findProfile} from './profiles.js';
import type {LookAt} from './looks.js';

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
