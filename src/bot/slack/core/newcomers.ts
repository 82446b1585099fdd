import type {WebClient} from '@slack/web-api';
import {createCache} from '../../../domain/core/cache.js';
import type {SlackInstallation, SlackOrigin, SlackProfile} from '../../../domain/slack/slack-installation.js';
import {
  findProfile,
  type Outsider,
  outsiderKind,
  profileOf,
  isSlackAdmin,
  type SlackHome,
  type SlackPerson,
} from './profiles.js';
import type {SlackAdmins} from './slack-admins.js';

/** Whether a person is served, with their profile, or why not; and the locale of their Slack. */
export type Eligibility = {readonly locale?: string | undefined} & (
  | {readonly outsider: undefined; readonly profile: SlackProfile}
  | {readonly outsider: Outsider}
);

/** An installation, and its client. */
interface Bot {
  readonly installation: Pick<SlackInstallation, 'id'>;
  readonly client: WebClient;
}

export interface Newcomers {
  /**
   * Undefined while Slack does not say enough. `person`: the profile, when Slack has been asked already.
   * `knownMs`: the maximum age of a cached answer, by default five minutes. Never rejects.
   */
  find: (
    bot: Bot & {readonly origin: SlackOrigin},
    user: {readonly id: string; readonly name: string},
    options?: {readonly person?: SlackPerson | undefined; readonly knownMs?: number | undefined},
  ) => Promise<Eligibility | undefined>;
  /**
   * Finds the workspace or organisation that an installation serves; undefined while Slack does not answer.
   * Never rejects.
   */
  findHome: (bot: Bot) => Promise<SlackHome | undefined>;
}

const maxKept = 10_000;
/**
 * For this time (ms) Slack is not asked again: a refused attempt costs no call, and a late answer serves the
 * next one.
 */
const usualMs = 5 * 60_000;
/** For this time (ms) other callers wait for the same answer: a call that hangs is repeated. */
const pendingMs = 1_000;

/** `at`: when Slack was asked; `lastsMs`: the maximum time for which that counts. */
interface ProfileCheck {
  readonly at: number;
  lastsMs: number;
  readonly eligibility: Promise<Eligibility | undefined>;
}

/**
 * `slackAdmins`: the people who run the Slack workspace, and whether that makes them admins here. `now`: a
 * monotonic clock (ms).
 */
export function createNewcomers({
  slackAdmins,
  now = () => performance.now(),
}: {
  readonly slackAdmins: SlackAdmins;
  readonly now?: () => number;
}): Newcomers {
  const eligibilities = createCache<ProfileCheck>(maxKept);
  let homeOfToken: Promise<SlackHome | undefined> | undefined;

  async function ask(
    bot: Bot & {readonly origin: SlackOrigin},
    user: {readonly id: string; readonly name: string},
    person: SlackPerson | undefined,
  ): Promise<Eligibility | undefined> {
    const {origin, client} = bot;
    const [home, found] = await Promise.all([
      newcomers.findHome(bot),
      person ?? findProfile(client, user.id),
    ]);
    if (home === undefined || found === undefined) return undefined;
    const outsider = outsiderKind(found, home, origin);
    const runs = outsider === undefined && isSlackAdmin(found, home);
    slackAdmins.note(origin, user.id, runs);
    const profile = {...profileOf(found, user), runsSlack: runs && slackAdmins.count};
    const {locale} = profile;
    return outsider === undefined ? {outsider, profile, locale} : {outsider, locale};
  }

  const newcomers: Newcomers = {
    async find(bot, user, {person, knownMs = usualMs} = {}) {
      const {enterprise, team} = bot.origin;
      const key = `${enterprise ?? ''}/${team ?? ''}/${user.id}`;
      const kept = person === undefined ? eligibilities.get(key) : undefined;
      if (kept !== undefined && now() - kept.at < Math.min(knownMs, kept.lastsMs)) return kept.eligibility;
      const look: ProfileCheck = {at: now(), lastsMs: pendingMs, eligibility: ask(bot, user, person)};
      eligibilities.set(key, look);
      const eligibility = await look.eligibility;
      // A person who is no longer a guest is not held up for long.
      look.lastsMs = eligibility === undefined ? 0 : eligibility.outsider === undefined ? Infinity : usualMs;
      return eligibility;
    },

    findHome({installation: {id}, client}) {
      if (id !== 'token') return Promise.resolve(id.startsWith('E') ? {enterprise: id} : {team: id});
      homeOfToken ??= requestSlackHome(client).then((home) => {
        if (home === undefined) homeOfToken = undefined;
        return home;
      });
      return homeOfToken;
    },
  };
  return newcomers;
}

/**
 * The owner of a token does not change during the life of a process. Slack:
 * https://docs.slack.dev/reference/methods/auth.test
 */
async function requestSlackHome(client: WebClient): Promise<SlackHome | undefined> {
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
