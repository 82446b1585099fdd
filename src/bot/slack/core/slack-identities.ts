import {createHash} from 'node:crypto';
import type {WebClient} from '@slack/web-api';
import {
  type Call,
  everyScope,
  type IdempotencyKey,
  type Principal,
  type PrincipalId,
} from '../../../domain/core/access.js';
import {AppError} from '../../../domain/core/errors.js';
import {
  slackDoorkeeper as doorkeeper,
  type SlackInstallation,
  type SlackOrigin,
  type SlackProfile,
} from '../../../domain/slack/slack-installation.js';
import type {RateLimits} from '../../../domain/core/quota.js';
import type {Team, TeamDirectory} from '../../../domain/teams/team.js';
import type {Services} from '../../../service/services.js';
import type {SlackInstallations} from '../../../service/slack/slack-installations.js';
import type {SlackClients} from './clients.js';
import type {Looks} from './looks.js';
import type {Newcomers} from './newcomers.js';
import type {Outsider, SlackHome, SlackPerson} from './profiles.js';
import {SlackAway} from './refusals.js';
import {type Timeouts, standardTimeouts} from './timeouts.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {createTranslationFinder} from './find-translation.js';
import type {Language, Texts} from '../../texts/translation.js';
import type {Id} from '../../../domain/core/ids.js';

/** A Slack user, as a request names the user. */
export interface SlackUser {
  readonly id: string;
  readonly name: string;
}

export interface SlackWorkspace {
  readonly origin: SlackOrigin;
  readonly installation: SlackInstallation;
  /** The client for calls for which a person waits. */
  readonly client: WebClient;
  /**
   * The client for calls made after the person has got an answer: if Slack slows this client down, nobody
   * waits.
   */
  readonly jobClient: WebClient;
  readonly workspace: Id<'workspace'>;
  readonly directory: TeamDirectory;
}

/** The context of a call that a member makes. */
export type MemberCall = Call & {readonly principal: Principal<'member'>};

/** Finds the person who made a request, and their workspace. Every use of the bot begins here. */
export interface SlackIdentities {
  /** Returns the deadline (monotonic ms) for the answer to a request that arrives now. */
  answerBy: () => number;
  /**
   * Returns the client for the person's Slack workspace, without the teams. Errors: `not_found` if the bot is
   * not installed there.
   */
  findClient: (origin: SlackOrigin, deadline: number) => Promise<WebClient>;
  /** Returns the service's workspace and its teams. Errors: `not_found` if there is no such workspace. */
  findSlackWorkspace: (origin: SlackOrigin, deadline: number) => Promise<SlackWorkspace>;
  /**
   * Returns the translation for a person who uses the bot now, by the locale of their Slack. Their profile is
   * checked later. Never rejects.
   */
  translationFor: (origin: SlackOrigin, user: SlackUser) => Promise<SlackTranslation>;
  /**
   * Returns the call context of a Slack person, who becomes a member on first use. `person`: their profile,
   * if Slack was asked already. The first change takes a write from the member's quota, which their tokens
   * share. Errors: those of `identify`, for a new person.
   */
  admit: (
    slackWorkspace: SlackWorkspace,
    user: SlackUser,
    deadline: number,
    person?: SlackPerson,
  ) => Promise<MemberCall>;
  /**
   * Like `admit`, for access to the dashboard: Slack must have confirmed within the last minutes that a
   * member may use the bot. Errors: those of `identify`.
   */
  admitLookedAt: (slackWorkspace: SlackWorkspace, user: SlackUser, deadline: number) => Promise<MemberCall>;
  /**
   * Returns the Slack profile of a person who is not a member. Only people of this Slack workspace may see
   * anything. Errors: `forbidden` for a guest, an app or a person of another workspace; `SlackAway` while
   * Slack does not answer.
   */
  identify: (
    slackWorkspace: SlackWorkspace,
    user: SlackUser,
    deadline: number,
    person?: SlackPerson,
  ) => Promise<SlackProfile>;
  /**
   * Like `identify`, for answers without data of the service: while Slack does not answer, everyone may
   * continue. Errors: `forbidden`.
   */
  refuseOutsider: (slackWorkspace: SlackWorkspace, user: SlackUser, deadline: number) => Promise<void>;
  /**
   * Returns the Slack workspace or organisation that is served; undefined while Slack does not answer. Never
   * rejects.
   */
  findHome: (
    slackWorkspace: Pick<SlackWorkspace, 'installation' | 'client'>,
  ) => Promise<SlackHome | undefined>;
  /** Returns the id of the member who belongs to a Slack person; undefined for a new person. */
  findMember: (
    slackWorkspace: SlackWorkspace,
    user: SlackUser,
    deadline: number,
  ) => Promise<Id<'member'> | undefined>;
  /** Returns the teams of a member. */
  listTeams: (slackWorkspace: SlackWorkspace, member: PrincipalId, deadline: number) => Promise<Team[]>;
  /** Returns the teams for which the member posts, without those that the member only observes. */
  listPostable: (slackWorkspace: SlackWorkspace, member: PrincipalId, deadline: number) => Promise<Team[]>;
}

const hourMs = 3_600_000;

/** Options of a look-up. `person`: the Slack profile, if Slack was asked already. */
interface ProfileHint {
  readonly person?: SlackPerson | undefined;
  readonly isMember?: boolean;
}

/**
 * `isLinked`: the person is a member here already, so another home workspace alone is no reason to refuse.
 */
interface LookupOptions extends ProfileHint {
  readonly ms: number;
  readonly knownMs?: number;
  readonly isLinked?: boolean;
}

export function createSlackIdentities({
  services,
  installations,
  clients,
  looks,
  newcomers,
  limits,
  timeouts = standardTimeouts,
  language = 'en',
}: {
  readonly services: Pick<Services, 'teams' | 'people'>;
  readonly installations: SlackInstallations;
  readonly clients: SlackClients;
  readonly looks: Looks;
  readonly newcomers: Newcomers;
  readonly limits: RateLimits;
  readonly timeouts?: Timeouts | undefined;
  /** The language for people whose language is unknown. Default: English. */
  readonly language?: Language | undefined;
}): SlackIdentities {
  const {teams, people} = services;
  const waitMs = timeouts.language;
  const findTranslation = createTranslationFinder({
    people,
    installations,
    clients,
    newcomers,
    language,
    waitMs,
  });

  /**
   * Returns a person's profile. Undefined if Slack does not answer within `ms`, or so late that the store
   * would have too little time. Errors: `forbidden`.
   */
  async function lookUpProfile(
    slackWorkspace: SlackWorkspace,
    user: SlackUser,
    deadline: number,
    {ms, isMember = false, isLinked = false, ...how}: LookupOptions,
  ): Promise<SlackProfile | undefined> {
    const left = Math.max(0, deadline - performance.now() - timeouts.storing);
    const eligibility = await resolveWithin(newcomers.find(slackWorkspace, user, how), Math.min(ms, left));
    // A member's profile is still checked later, since the check also updates the member's name and other
    // fields.
    if (eligibility !== undefined && !isMember) looks.seen(slackWorkspace.origin, user.id);
    if (eligibility?.outsider === undefined) return eligibility?.profile;
    if (!(isLinked && eligibility.outsider === 'stranger'))
      throw new NotServed((await findTranslation(slackWorkspace.origin, user)).texts, eligibility.outsider);
    return undefined;
  }

  async function requireServedUser(
    slackWorkspace: SlackWorkspace,
    user: SlackUser,
    deadline: number,
    hint: ProfileHint,
  ): Promise<SlackProfile> {
    const profile = await lookUpProfile(slackWorkspace, user, deadline, {...hint, ms: timeouts.newcomer});
    if (profile === undefined) throw new SlackAway();
    return profile;
  }

  /**
   * Checks a member whose request comes from another Slack workspace than the one we serve, even on the first
   * request.
   */
  async function refuseOtherWorkspace(
    slackWorkspace: SlackWorkspace,
    user: SlackUser,
    deadline: number,
  ): Promise<void> {
    const {team} = slackWorkspace.origin;
    const home = await resolveWithin(newcomers.findHome(slackWorkspace), timeouts.profile);
    if (home !== undefined && 'team' in home && team !== undefined && team !== home.team)
      await requireServedUser(slackWorkspace, user, deadline, {isMember: true});
  }

  const admit: SlackIdentities['admit'] = async (slackWorkspace, user, deadline, person) => {
    const {workspace} = slackWorkspace;
    const call: Call = {workspace, principal: doorkeeper, scopes: everyScope, deadline, entryPoint: 'slack'};
    const known = await people.admitSlackMember(call, user.id);
    if (known !== undefined) {
      await refuseOtherWorkspace(slackWorkspace, user, deadline);
      const how = {ms: timeouts.profile, knownMs: hourMs, isMember: true, isLinked: true};
      await lookUpProfile(slackWorkspace, user, deadline, {...how, person});
    }
    const principal =
      known === undefined
        ? await people.ensureSlackMember(
            call,
            user.id,
            await requireServedUser(slackWorkspace, user, deadline, {person}),
          )
        : ({type: 'member', id: known.id, name: known.name} as const);
    return {...call, principal, quota: {principal: principal.id, limits, isWrite: true}};
  };

  return {
    answerBy: () => performance.now() + timeouts.answer,
    findClient: async (origin, deadline) =>
      clients.interactive({botToken: await installations.findToken(origin, deadline)}),
    async findSlackWorkspace(origin, deadline) {
      const installation = await installations.find(origin, deadline);
      const {workspace} = installation;
      const access = {workspace, principal: doorkeeper, scopes: everyScope, deadline};
      const directory = await teams.findDirectory(access);
      return {
        origin,
        installation,
        client: clients.interactive(installation),
        jobClient: clients.forJobs(installation),
        workspace,
        directory,
      };
    },
    translationFor(origin, user) {
      looks.note(origin, user.id);
      return findTranslation(origin, user);
    },
    admit,
    async admitLookedAt(slackWorkspace, user, deadline) {
      await requireServedUser(slackWorkspace, user, deadline, {isMember: true});
      return admit(slackWorkspace, user, deadline);
    },
    identify: (slackWorkspace, user, deadline, person) =>
      requireServedUser(slackWorkspace, user, deadline, {person}),
    async refuseOutsider(slackWorkspace, user, deadline) {
      await lookUpProfile(slackWorkspace, user, deadline, {ms: timeouts.newcomer});
    },
    findHome: newcomers.findHome,
    async findMember(slackWorkspace, user, deadline) {
      const known = await people.admitSlackMember({workspace: slackWorkspace.workspace, deadline}, user.id);
      if (known !== undefined) await refuseOtherWorkspace(slackWorkspace, user, deadline);
      return known?.id;
    },
    listTeams: ({workspace, directory}, member, deadline) =>
      people.listTeamsOf({workspace, deadline}, member, directory.teams),
    listPostable: ({workspace, directory}, member, deadline) =>
      people.listTeamsOf({workspace, deadline}, member, directory.teams, 'expected'),
  };
}

/** Thrown for a person who may not use the bot. */
export class NotServed extends AppError {
  readonly kind: Outsider;

  constructor({outsider}: Texts, kind: Outsider) {
    super('forbidden', outsider[kind], {forPeople: true});
    this.kind = kind;
  }
}

/** Thrown for a person without a team in a channel without a team: the next step is to set up a team. */
export class NoTeam extends AppError {
  constructor({teams}: Texts) {
    super('validation_failed', teams.noTeam, {forPeople: true});
  }
}

/**
 * Returns the value of `promise` if it comes within `ms`; undefined after that. The promise must not reject.
 * If the process was paused, an answer that came meanwhile still counts.
 */
export async function resolveWithin<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the key by which a repeated Slack request is recognised. `content`: requests with different content
 * are not the same.
 */
export function slackKey(
  call: Call,
  kind: 'command' | 'form' | 'setup' | 'settings' | 'prompt' | 'blocker' | 'remind',
  id: string,
  content: string,
): IdempotencyKey {
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
  return {hash: digest(`${call.principal.id}\0slack-${kind}\0${id}`), fingerprint: digest(content)};
}
