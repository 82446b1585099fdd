import {everyScope} from '../domain/access.js';
import {deadlines} from '../domain/limits.js';
import type {Log} from '../domain/log.js';
import {slackDoorkeeper as doorkeeper} from '../domain/slack-installation.js';
import type {People} from '../service/people.js';
import type {SlackInstallations} from '../service/slack-installations.js';
import type {SlackClients} from './clients.js';
import {findProfile, pictureOf, zoneOf} from './profiles.js';
import type {AskLocale} from './readers.js';

/**
 * Reads the profile of somebody who uses the bot, once a day at most: their locale is answered, a zone that is from Slack follows the one
 * there, and the address of their picture is kept. Nobody waits for it, so it takes the way of jobs.
 */
export function createReadProfile({
  installations,
  clients,
  people,
  log,
}: {
  readonly installations: Pick<SlackInstallations, 'find'>;
  readonly clients: Pick<SlackClients, 'forJobs'>;
  readonly people: Pick<People, 'followSlackZone' | 'keepSlackPicture'>;
  readonly log: Log;
}): AskLocale {
  return async (origin, user) => {
    try {
      const installation = await installations.find(origin, performance.now() + deadlines.job);
      const person = await findProfile(clients.forJobs(installation), user);
      if (person === undefined) return undefined;
      const deadline = performance.now() + deadlines.job;
      const {workspace} = installation;
      const call = {workspace, principal: doorkeeper, scopes: everyScope, deadline, door: 'slack'} as const;
      const zone = zoneOf(person);
      const kept = await Promise.allSettled([
        ...(zone === undefined ? [] : [people.followSlackZone(call, user, zone)]),
        people.keepSlackPicture(call, user, pictureOf(person)),
      ]);
      for (const one of kept) {
        if (one.status === 'fulfilled') continue;
        const error = one.reason instanceof Error ? one.reason.message : 'unknown';
        log.warn({error}, 'what a Slack profile says was not kept');
      }
      return person.locale;
    } catch {
      return undefined;
    }
  };
}
