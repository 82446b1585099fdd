import {everyScope} from '../domain/access.js';
import {deadlines} from '../domain/limits.js';
import type {Log} from '../domain/log.js';
import {slackDoorkeeper as doorkeeper} from '../domain/slack-installation.js';
import type {People} from '../service/people.js';
import type {SlackInstallations} from '../service/slack-installations.js';
import type {SlackClients} from './clients.js';
import {findProfile, zoneOf} from './profiles.js';
import type {AskLocale} from './readers.js';

/**
 * Reads the profile of somebody who uses the bot, once a day at most: their locale is answered, and a zone that is from Slack follows the one
 * there. Nobody waits for it, so it takes the way of jobs.
 */
export function createReadProfile({
  installations,
  clients,
  people,
  log,
}: {
  readonly installations: Pick<SlackInstallations, 'find'>;
  readonly clients: Pick<SlackClients, 'forJobs'>;
  readonly people: Pick<People, 'followSlackZone'>;
  readonly log: Log;
}): AskLocale {
  return async (origin, user) => {
    try {
      const installation = await installations.find(origin, performance.now() + deadlines.job);
      const person = await findProfile(clients.forJobs(installation), user);
      const zone = zoneOf(person);
      if (zone !== undefined) {
        const {workspace} = installation;
        const deadline = performance.now() + deadlines.job;
        const call = {workspace, principal: doorkeeper, scopes: everyScope, deadline, door: 'slack'} as const;
        await people.followSlackZone(call, user, zone).catch((error: unknown) => {
          log.warn(
            {error: error instanceof Error ? error.message : 'unknown'},
            'the zone of a Slack profile was not kept',
          );
        });
      }
      return person?.locale;
    } catch {
      return undefined;
    }
  };
}
