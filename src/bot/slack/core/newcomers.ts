import type {WebClient} from '@slack/web-api';
import {createCache} from '../../../domain/core/cache.js';
import type {SlackInstallation, SlackOrigin, SlackProfile} from '../../../domain/slack/slack-installation.js';
import {
  findProfile,
  type Outsider,
  findOutsiderKind,
  readProfile,
  isSlackAdmin,
  type SlackHome,
  type SlackPerson,
} from './profiles.js';
import {keyOfUser} from './origin.js';

/** Whether a person may use the bot: their profile, or the reason why not, and the locale of their Slack. */
type Eligibility = {readonly locale?: string | undefined} & (
  | {readonly outsider: undefined; readonly profile: SlackProfile}
  | {readonly outsider: Outsider}
);

interface Bot {
  readonly installation: Pick<SlackInstallation, 'id'>;
  readonly client: WebClient;
}

export type Newcomers = ReturnType<typeof createNewcomers>;

const maxKept = 10_000;
/** The time (ms) for which an answer of Slack is reused, even a late one: repeated attempts cost no call. */
const usualMs = 5 * 60_000;
/** The time (ms) for which callers share one pending call. It may hang, so it is then repeated. */
const pendingMs = 1_000;

/** A check of a profile. `at`: when Slack was asked; `lastsMs`: for how long the answer is valid. */
interface ProfileCheck {
  readonly at: number;
  lastsMs: number;
  readonly eligibility: Promise<Eligibility | undefined>;
}

/** `now`: a monotonic clock (ms). */
export function createNewcomers({
  slackAdmins,
  now = () => performance.now(),
}: {
  readonly slackAdmins: SlackAdmins;
  readonly now?: () => number;
}) {
  const eligibilities = createCache<ProfileCheck>(maxKept);
  let homeOfToken: Promise<SlackHome | undefined> | undefined;

  async function askSlackForEligibility(
    bot: Bot & {readonly origin: SlackOrigin},
    user: {readonly id: string; readonly name: string},
    person: SlackPerson | undefined,
  ): Promise<Eligibility | undefined> {
    const {origin, client} = bot;
    const [home, found] = await Promise.all([findHome(bot), person ?? findProfile(client, user.id)]);
    if (home === undefined || found === undefined) return undefined;
    const outsider = findOutsiderKind(found, home, origin);
    const runs = outsider === undefined && isSlackAdmin(found, home);
    slackAdmins.note(origin, user.id, runs);
    const profile = {...readProfile(found, user), runsSlack: runs && slackAdmins.count};
    const {locale} = profile;
    return outsider === undefined ? {outsider, profile, locale} : {outsider, locale};
  }

  /**
   * Returns whether a person may use the bot; undefined while Slack does not say. `person`: the profile, if
   * known. `knownMs`: the maximum age of a cached answer. Never rejects.
   */
  async function find(
    bot: Bot & {readonly origin: SlackOrigin},
    user: {readonly id: string; readonly name: string},
    {
      person,
      knownMs = usualMs,
    }: {readonly person?: SlackPerson | undefined; readonly knownMs?: number | undefined} = {},
  ): Promise<Eligibility | undefined> {
    const key = keyOfUser(bot.origin, user.id);
    const kept = person === undefined ? eligibilities.get(key) : undefined;
    if (kept !== undefined && now() - kept.at < Math.min(knownMs, kept.lastsMs)) return kept.eligibility;
    const asked = askSlackForEligibility(bot, user, person);
    const look: ProfileCheck = {at: now(), lastsMs: pendingMs, eligibility: asked};
    eligibilities.set(key, look);
    const eligibility = await look.eligibility;
    // A refusal is reused for five minutes only: a person who is no longer a guest must be accepted soon.
    look.lastsMs = eligibility === undefined ? 0 : eligibility.outsider === undefined ? Infinity : usualMs;
    return eligibility;
  }

  /** Returns the home of an installation; undefined while Slack does not answer. Never rejects. */
  function findHome({installation: {id}, client}: Bot): Promise<SlackHome | undefined> {
    if (id !== 'token') return Promise.resolve(id.startsWith('E') ? {enterprise: id} : {team: id});
    homeOfToken ??= requestSlackHome(client).then((home) => {
      if (home === undefined) homeOfToken = undefined;
      return home;
    });
    return homeOfToken;
  }

  return {find, findHome};
}

/** Asks for the home of a token, which never changes: https://docs.slack.dev/reference/methods/auth.test */
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

/** The known people who run the Slack workspace. `count`: true if they are admins of the service too. */
export type SlackAdmins = ReturnType<typeof createSlackAdmins>;

export function createSlackAdmins(count: boolean) {
  const known = createCache<true>(maxKept);
  return {
    count,
    note(origin: SlackOrigin, user: string, runs: boolean): void {
      if (runs) known.set(keyOfUser(origin, user), true);
      else known.delete(keyOfUser(origin, user));
    },
    has: (origin: SlackOrigin, user: string): boolean => known.has(keyOfUser(origin, user)),
  };
}
