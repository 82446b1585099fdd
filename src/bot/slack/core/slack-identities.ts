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
import type {Looks} from './follow-profile.js';
import type {Newcomers} from './newcomers.js';
import {type Outsider, type SlackPerson, SlackAway} from './profiles.js';
import {type Timeouts, standardTimeouts} from './timeouts.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {createTranslationFinder} from './find-translation.js';
import type {Language, Texts} from '../../texts/translation.js';
import type {Id} from '../../../domain/core/ids.js';
import {resolveWithin} from './resolve-within.js';

export interface SlackUser {
  readonly id: string;
  readonly name: string;
}

export interface SlackWorkspace {
  readonly origin: SlackOrigin;
  readonly installation: SlackInstallation;
  /** The client for calls for which a person waits. */
  readonly client: WebClient;
  /** The client for calls after the person has got an answer: if Slack slows it down, no one waits. */
  readonly jobClient: WebClient;
  readonly workspace: Id<'workspace'>;
  /** The teams that may be shown: to a person, those that they may see. */
  readonly directory: TeamDirectory;
  /** All teams, for names that are taken. */
  readonly all: TeamDirectory;
}

export type MemberCall = Call & {readonly principal: Principal<'member'>};

/** Finds the person who made a request, and their workspace. Every use of the bot begins here. */
export type SlackIdentities = ReturnType<typeof createSlackIdentities>;

const hourMs = 3_600_000;

interface LookupHint {
  /** The Slack profile, if Slack was asked already. */
  readonly person?: SlackPerson | undefined;
  readonly isMember?: boolean;
  /** True for a member here: another home workspace alone is then no reason to refuse the person. */
  readonly isLinked?: boolean;
  readonly knownMs?: number;
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
  readonly services: Services;
  readonly installations: SlackInstallations;
  readonly clients: SlackClients;
  readonly looks: Looks;
  readonly newcomers: Newcomers;
  readonly limits: RateLimits;
  readonly timeouts?: Timeouts | undefined;
  /** The language for people whose language is unknown. Default: English. */
  readonly language?: Language | undefined;
}) {
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

  /** Returns a profile; undefined if Slack answers too late for us to use the store. Errors: `forbidden`. */
  async function lookUpProfile(
    slackWorkspace: SlackWorkspace,
    user: SlackUser,
    deadline: number,
    ms: number,
    {isMember = false, isLinked = false, ...how}: LookupHint = {},
  ): Promise<SlackProfile | undefined> {
    const left = Math.max(0, deadline - performance.now() - timeouts.storing);
    const eligibility = await resolveWithin(newcomers.find(slackWorkspace, user, how), Math.min(ms, left));
    // A member's profile is still checked later: the check also updates the name and other fields.
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
    hint: LookupHint,
  ): Promise<SlackProfile> {
    const profile = await lookUpProfile(slackWorkspace, user, deadline, timeouts.newcomer, hint);
    if (profile === undefined) throw new SlackAway();
    return profile;
  }

  /** Checks a member whose request comes from another workspace than ours, even on the first request. */
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

  /**
   * Returns the call context of a Slack person, who becomes a member on first use. `person`: their profile,
   * if known. The first change takes a write from the member's quota. Errors: see `identify`.
   */
  async function admit(
    slackWorkspace: SlackWorkspace,
    user: SlackUser,
    deadline: number,
    person?: SlackPerson,
  ): Promise<MemberCall> {
    const {workspace} = slackWorkspace;
    const call: Call = {workspace, principal: doorkeeper, scopes: everyScope, deadline, entryPoint: 'slack'};
    const known = await people.admitSlackMember(call, user.id);
    if (known !== undefined) {
      await refuseOtherWorkspace(slackWorkspace, user, deadline);
      const hint = {knownMs: hourMs, isMember: true, isLinked: true, person};
      await lookUpProfile(slackWorkspace, user, deadline, timeouts.profile, hint);
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
  }

  /** Returns the teams of a member. With `expected`, only those for which the member posts. */
  const listTeams = (
    {workspace, directory}: SlackWorkspace,
    member: PrincipalId,
    deadline: number,
    which?: 'expected',
  ): Promise<Team[]> => people.listTeamsOf({workspace, deadline}, member, directory.teams, which);

  return {
    /** Returns the deadline (monotonic ms) for the answer to a request that arrives now. */
    answerBy: () => performance.now() + timeouts.answer,
    /** Returns the client for a Slack workspace. Errors: `not_found` if the bot is not installed there. */
    findClient: async (origin: SlackOrigin, deadline: number): Promise<WebClient> =>
      clients.interactive({botToken: await installations.findToken(origin, deadline)}),
    /** Returns the service's workspace and its teams. Errors: `not_found` if there is no such workspace. */
    async findSlackWorkspace(origin: SlackOrigin, deadline: number): Promise<SlackWorkspace> {
      const installation = await installations.find(origin, deadline);
      const {workspace} = installation;
      const access = {workspace, principal: doorkeeper, scopes: everyScope, deadline};
      const directory = await teams.findDirectory(access);
      const [client, jobClient] = [clients.interactive(installation), clients.forJobs(installation)];
      return {origin, installation, client, jobClient, workspace, directory, all: directory};
    },
    /** Returns the translation for a person who uses the bot now, and plans a check of their profile. */
    translationFor(origin: SlackOrigin, user: SlackUser): Promise<SlackTranslation> {
      looks.note(origin, user.id);
      return findTranslation(origin, user);
    },
    admit,
    /** Like `admit`, for the dashboard: Slack must have confirmed the member within the last minutes. */
    async admitLookedAt(slackWorkspace: SlackWorkspace, user: SlackUser, deadline: number) {
      await requireServedUser(slackWorkspace, user, deadline, {isMember: true});
      return admit(slackWorkspace, user, deadline);
    },
    /** Errors: `forbidden` for a guest, app or stranger; `SlackAway` while Slack does not answer. */
    identify: (slackWorkspace: SlackWorkspace, user: SlackUser, deadline: number, person?: SlackPerson) =>
      requireServedUser(slackWorkspace, user, deadline, {person}),
    /** Like `identify`, for answers without our data: everyone may continue while Slack does not answer. */
    async refuseOutsider(slackWorkspace: SlackWorkspace, user: SlackUser, deadline: number): Promise<void> {
      await lookUpProfile(slackWorkspace, user, deadline, timeouts.newcomer);
    },
    findHome: newcomers.findHome,
    /** Returns the id of the member who belongs to a Slack person; undefined for a new person. */
    async findMember(slackWorkspace: SlackWorkspace, user: SlackUser, deadline: number) {
      const known = await people.admitSlackMember({workspace: slackWorkspace.workspace, deadline}, user.id);
      if (known !== undefined) await refuseOtherWorkspace(slackWorkspace, user, deadline);
      return known?.id;
    },
    listTeams,
  };
}

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

/** Returns the key by which a repeated request with the same `content` is recognised. */
export function slackKey(
  call: Call,
  kind: 'command' | 'form' | 'setup' | 'settings' | 'prompt' | 'blocker' | 'remind',
  id: string,
  content: string,
): IdempotencyKey {
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
  return {hash: digest(`${call.principal.id}\0slack-${kind}\0${id}`), fingerprint: digest(content)};
}
