import type {WebClient} from '@slack/web-api';
import {everyScope} from '../../../domain/core/access.js';
import {deadlines} from '../../../domain/core/limits.js';
import type {Log} from '../../../domain/core/log.js';
import {
  slackDoorkeeper as doorkeeper,
  type SlackInstallation,
  type SlackOrigin,
} from '../../../domain/slack/slack-installation.js';
import type {Services} from '../../../service/services.js';
import {outsiderKind, pictureOf, runsSlack, type SlackHome, type SlackPerson, zoneOf} from './profiles.js';
import type {SlackAdmins} from './slack-admins.js';

/** An installation, and what speaks for it. */
export interface Bot {
  readonly installation: SlackInstallation;
  readonly client: WebClient;
}

/**
 * Has a member be what Slack says of them: a zone that is from Slack follows the one there, so does the role
 * of who runs the Slack workspace, the address of their picture is kept, and whose account is deactivated is
 * away. Nothing for who is no member. `origin`: of a request of theirs. Never rejects.
 */
export type FollowProfile = (bot: Bot, person: SlackPerson, origin?: SlackOrigin) => Promise<void>;

export interface FollowProfileParts {
  readonly services: Pick<Services, 'people' | 'followSlackAccount'>;
  readonly findHome: (bot: Bot) => Promise<SlackHome | undefined>;
  readonly slackAdmins: SlackAdmins;
  readonly log: Log;
}

export function createFollowProfile(parts: FollowProfileParts): FollowProfile {
  const {findHome, slackAdmins, log} = parts;
  const {people, followSlackAccount} = parts.services;

  const keep = (follow: Promise<unknown>, what: string) =>
    follow.catch((error: unknown) => {
      log.warn(
        {error: error instanceof Error ? error.message : 'unknown'},
        `the ${what} of a Slack profile was not kept`,
      );
      return undefined;
    });

  return async function followProfile(bot, person, origin) {
    const {id: user, deleted = false} = person;
    if (user === undefined) return;
    const {workspace} = bot.installation;
    const call = () => {
      const deadline = performance.now() + deadlines.job;
      return {workspace, principal: doorkeeper, scopes: everyScope, deadline, door: 'slack'} as const;
    };
    // Slack tells of everybody who changes their status: most are nobody here.
    if ((await keep(people.findSlackMember(call(), user), 'member')) === undefined) return;
    await keep(followSlackAccount(call(), user, deleted), 'end');
    const zone = zoneOf(person);
    if (zone !== undefined) await keep(people.followSlackZone(call(), user, zone), 'zone');
    await keep(people.keepSlackPicture(call(), user, pictureOf(person)), 'picture');
    const home = await findHome(bot);
    // Somebody who belongs elsewhere runs nothing here, whatever Slack says of them there.
    if (home === undefined) return;
    const runs = outsiderKind(person, home, origin) === undefined && runsSlack(person, home);
    if (origin !== undefined) slackAdmins.note(origin, user, runs);
    await keep(people.followSlackRole(call(), user, runs && slackAdmins.count), 'role');
  };
}
