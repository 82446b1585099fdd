import type {WebClient} from '@slack/web-api';
import {everyScope} from '../../../domain/core/access.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Log} from '../../../domain/core/log.js';
import {
  slackDoorkeeper as doorkeeper,
  type SlackInstallation,
  type SlackOrigin,
} from '../../../domain/slack/slack-installation.js';
import type {People} from '../../../service/members/people.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {SlackClients} from './clients.js';
import {
  findProfile,
  outsiderKind,
  pictureOf,
  runsSlack,
  type SlackHome,
  type SlackPerson,
  zoneOf,
} from './profiles.js';
import type {AskLocale} from './readers.js';
import type {SlackAdmins} from './slack-admins.js';

/**
 * Reads the profile of somebody who uses the bot, once a day at most: their locale is answered, a zone that
 * is from Slack follows the one there, so does the role of who runs the Slack workspace, and the address of
 * their picture is kept. Nobody waits for it, so it takes the way of jobs.
 */
export function createReadProfile({
  installations,
  clients,
  people,
  findHome,
  slackAdmins,
  log,
}: {
  readonly installations: Pick<SlackInstallations, 'find'>;
  readonly clients: Pick<SlackClients, 'forJobs'>;
  readonly people: Pick<People, 'followSlackZone' | 'followSlackRole' | 'keepSlackPicture'>;
  readonly findHome: (bot: {
    installation: SlackInstallation;
    client: WebClient;
  }) => Promise<SlackHome | undefined>;
  readonly slackAdmins: SlackAdmins;
  readonly log: Log;
}): AskLocale {
  const keep = (follow: Promise<void>, what: string) =>
    follow.catch((error: unknown) => {
      log.warn(
        {error: error instanceof Error ? error.message : 'unknown'},
        `the ${what} of a Slack profile was not kept`,
      );
    });

  return async (origin, user) => {
    try {
      const installation = await installations.find(origin, performance.now() + deadlines.job);
      const client = clients.forJobs(installation);
      const person = await findProfile(client, user);
      if (person === undefined) return undefined;
      const {workspace} = installation;
      const call = () => {
        const deadline = performance.now() + deadlines.job;
        return {workspace, principal: doorkeeper, scopes: everyScope, deadline, door: 'slack'} as const;
      };
      const zone = zoneOf(person);
      if (zone !== undefined) await keep(people.followSlackZone(call(), user, zone), 'zone');
      await keep(people.keepSlackPicture(call(), user, pictureOf(person)), 'picture');
      const home = await findHome({installation, client});
      // Somebody who belongs elsewhere runs nothing here, whatever Slack says of them there.
      if (home !== undefined) await keep(followRole(origin, person, home), 'role');
      return person.locale;

      async function followRole(from: SlackOrigin, found: SlackPerson, of: SlackHome): Promise<void> {
        const runs = outsiderKind(found, of, from) === undefined && runsSlack(found, of);
        slackAdmins.note(from, user, runs);
        await people.followSlackRole(call(), user, runs && slackAdmins.count);
      }
    } catch {
      return undefined;
    }
  };
}
