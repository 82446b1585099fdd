import type {WebClient} from '@slack/web-api';
import {LRUCache} from 'lru-cache';
import type {SlackInstallation, SlackOrigin, SlackProfile} from '../../../domain/slack/slack-installation.js';
import {
  findProfile,
  type Outsider,
  outsiderKind,
  profileOf,
  runsSlack,
  type SlackHome,
  type SlackPerson,
} from './profiles.js';
import type {Looks} from './looks.js';
import type {SlackAdmins} from './slack-admins.js';

/** What somebody is whom the service does not know yet: one of the people who are served, or not. */
export type Standing =
  | {readonly outsider: undefined; readonly profile: SlackProfile}
  | {readonly outsider: Outsider};

/** An installation, and what speaks for it. */
interface Bot {
  readonly installation: Pick<SlackInstallation, 'id'>;
  readonly client: WebClient;
}

export interface Newcomers {
  /**
   * Undefined while Slack does not tell enough. `person`: when Slack has been asked already. Never rejects.
   */
  find: (
    place: Bot & {readonly origin: SlackOrigin},
    user: {readonly id: string; readonly name: string},
    person?: SlackPerson,
  ) => Promise<Standing | undefined>;
  /** Whose people an installation serves; undefined while Slack does not tell. Never rejects. */
  findHome: (bot: Bot) => Promise<SlackHome | undefined>;
  /** The same at once; undefined as long as nobody has asked Slack, which is asked then. */
  knownHome: (bot: Bot) => SlackHome | undefined;
}

const maxKept = 10_000;
/**
 * For so long (ms) Slack is not asked again: an attempt that is refused costs no call, and a late answer
 * serves the next one.
 */
const knownMs = 5 * 60_000;

/** `slackAdmins`: who runs the Slack workspace, and whether that makes them admins here. */
export function createNewcomers({
  looks,
  slackAdmins,
}: {
  readonly looks: Looks;
  readonly slackAdmins: SlackAdmins;
}): Newcomers {
  const standings = new LRUCache<string, Standing>({max: maxKept, ttl: knownMs});
  let homeOfToken: Promise<SlackHome | undefined> | undefined;
  let knownOfToken: SlackHome | undefined;

  const newcomers: Newcomers = {
    async find(place, user, person) {
      const {origin, client} = place;
      const key = `${origin.enterprise ?? ''}/${origin.team ?? ''}/${user.id}`;
      const known = person === undefined ? standings.get(key) : undefined;
      if (known !== undefined) return known;
      const [home, found] = await Promise.all([
        newcomers.findHome(place),
        person ?? findProfile(client, user.id),
      ]);
      if (home === undefined || found === undefined) return undefined;
      looks.seen(origin, user.id);
      const outsider = outsiderKind(found, home, origin);
      const runs = outsider === undefined && runsSlack(found, home);
      slackAdmins.note(origin, user.id, runs);
      const profile = {...profileOf(found, user), runsSlack: runs && slackAdmins.count};
      const standing = outsider === undefined ? {outsider, profile} : {outsider};
      standings.set(key, standing);
      return standing;
    },

    findHome({installation: {id}, client}) {
      if (id !== 'token') return Promise.resolve(id.startsWith('E') ? {enterprise: id} : {team: id});
      homeOfToken ??= askHome(client).then((home) => {
        if (home === undefined) homeOfToken = undefined;
        knownOfToken = home;
        return home;
      });
      return homeOfToken;
    },

    knownHome(bot) {
      const {id} = bot.installation;
      if (id !== 'token') return id.startsWith('E') ? {enterprise: id} : {team: id};
      if (knownOfToken === undefined) void newcomers.findHome(bot);
      return knownOfToken;
    },
  };
  return newcomers;
}

/**
 * Whose token it is does not change while a process lives. Slack:
 * https://docs.slack.dev/reference/methods/auth.test
 */
async function askHome(client: WebClient): Promise<SlackHome | undefined> {
  try {
    const {
      team_id: team,
      enterprise_id: enterprise,
      is_enterprise_install: orgWide,
    } = await client.auth.test();
    if (orgWide === true) return enterprise === undefined ? undefined : {enterprise};
    return team === undefined ? undefined : {team};
  } catch {
    return undefined;
  }
}
