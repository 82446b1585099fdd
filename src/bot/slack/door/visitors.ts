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
import {type Patience, standardPatience} from './patience.js';
import type {Reader} from '../blocks/reader.js';
import {createFindReader} from './find-reader.js';
import type {Language, Words} from '../../words/words.js';
import type {Id} from '../../../domain/core/ids.js';

/** A Slack user as a request names them. */
export interface SlackUser {
  readonly id: string;
  readonly name: string;
}

export interface Place {
  readonly origin: SlackOrigin;
  readonly installation: SlackInstallation;
  /** For calls that a person waits for. */
  readonly client: WebClient;
  /** For calls after the answer: Slack may slow it down without delaying people who wait. */
  readonly jobClient: WebClient;
  readonly workspace: Id<'workspace'>;
  readonly directory: TeamDirectory;
}

/** A call of a member. */
export type MemberCall = Call & {readonly principal: Principal<'member'>};

/** Finds the person who asks, and their workspace: every use of the bot begins with it. */
export interface Visitors {
  /** The deadline (monotonic ms) for an answer to a request that arrives now. */
  answerBy: () => number;
  /**
   * The client for the person's Slack workspace, without the teams. Errors: `not_found` while the bot is not
   * installed there.
   */
  findClient: (origin: SlackOrigin, deadline: number) => Promise<WebClient>;
  /** The service workspace and its teams. Errors: `not_found` while there is no such workspace. */
  findPlace: (origin: SlackOrigin, deadline: number) => Promise<Place>;
  /**
   * The `Reader` of a person who uses the bot now, by the locale of their Slack; their profile is checked
   * later. Never rejects.
   */
  readerOf: (origin: SlackOrigin, user: SlackUser) => Promise<Reader>;
  /**
   * The call of a Slack person, who becomes a member on first use; `person`: their profile, when Slack has
   * been asked already. The first change that is made with it takes a write from the member's quota, which
   * they share with their tokens. Errors: those of `identify`, for a new person.
   */
  admit: (place: Place, user: SlackUser, deadline: number, person?: SlackPerson) => Promise<MemberCall>;
  /**
   * As `admit`, for another entry point: a member, too, must be served according to Slack's answer of the
   * last minutes. Errors: those of `identify`.
   */
  admitLookedAt: (place: Place, user: SlackUser, deadline: number) => Promise<MemberCall>;
  /**
   * Slack's profile of a person who is no member: everyone who is shown anything must be one of the people
   * served. Errors: `forbidden` for a guest, an app or a person of another Slack workspace; `SlackAway` while
   * Slack does not answer.
   */
  identify: (place: Place, user: SlackUser, deadline: number, person?: SlackPerson) => Promise<SlackProfile>;
  /**
   * As `identify`, for answers that show no data of the service: while Slack does not answer, no one is held
   * up. Errors: `forbidden`.
   */
  refuseOutsider: (place: Place, user: SlackUser, deadline: number) => Promise<void>;
  /**
   * Finds the workspace or organisation that is served; undefined while Slack does not answer. Never rejects.
   */
  findHome: (place: Pick<Place, 'installation' | 'client'>) => Promise<SlackHome | undefined>;
  /** The id of the member for a Slack person; undefined for a new one. */
  findMember: (place: Place, user: SlackUser, deadline: number) => Promise<Id<'member'> | undefined>;
  /** The teams a member is in. */
  listTeams: (place: Place, member: PrincipalId, deadline: number) => Promise<Team[]>;
  /** The teams among them that the member posts for: not those they observe. */
  listPostable: (place: Place, member: PrincipalId, deadline: number) => Promise<Team[]>;
}

const hourMs = 3_600_000;

/** `person`: the profile, when Slack has been asked already. */
interface Asked {
  readonly person?: SlackPerson | undefined;
  readonly isMember?: boolean;
}

/** `isLinked`: they are a member here already, so being from another workspace is no reason by itself. */
interface Look extends Asked {
  readonly ms: number;
  readonly knownMs?: number;
  readonly isLinked?: boolean;
}

export function createVisitors({
  services,
  installations,
  clients,
  looks,
  newcomers,
  limits,
  patience = standardPatience,
  language = 'en',
}: {
  readonly services: Pick<Services, 'teams' | 'people'>;
  readonly installations: SlackInstallations;
  readonly clients: SlackClients;
  readonly looks: Looks;
  readonly newcomers: Newcomers;
  readonly limits: RateLimits;
  readonly patience?: Patience | undefined;
  /** The language for people whose own is unknown. Default: English. */
  readonly language?: Language | undefined;
}): Visitors {
  const {teams, people} = services;
  const waitMs = patience.language;
  const findReader = createFindReader({people, installations, clients, newcomers, language, waitMs});

  /**
   * Undefined when Slack does not answer within `ms`, and with time left for the store. Errors: `forbidden`.
   */
  async function look(
    place: Place,
    user: SlackUser,
    deadline: number,
    {ms, isMember = false, isLinked = false, ...how}: Look,
  ): Promise<SlackProfile | undefined> {
    const left = Math.max(0, deadline - performance.now() - patience.storing);
    const standing = await soon(newcomers.find(place, user, how), Math.min(ms, left));
    // Further changes of the profile concern members only.
    if (standing !== undefined && !isMember) looks.seen(place.origin, user.id);
    if (standing?.outsider === undefined) return standing?.profile;
    if (!(isLinked && standing.outsider === 'stranger'))
      throw new NotServed((await findReader(place.origin, user)).words, standing.outsider);
    return undefined;
  }

  async function requireServed(
    place: Place,
    user: SlackUser,
    deadline: number,
    asked: Asked,
  ): Promise<SlackProfile> {
    const profile = await look(place, user, deadline, {...asked, ms: patience.newcomer});
    if (profile === undefined) throw new SlackAway();
    return profile;
  }

  /**
   * Checks a member whose request comes from another Slack workspace than the one served, even the first
   * time.
   */
  async function refuseElsewhere(place: Place, user: SlackUser, deadline: number): Promise<void> {
    const {team} = place.origin;
    const home = await soon(newcomers.findHome(place), patience.profile);
    if (home !== undefined && 'team' in home && team !== undefined && team !== home.team)
      await requireServed(place, user, deadline, {isMember: true});
  }

  const admit: Visitors['admit'] = async (place, user, deadline, person) => {
    const {workspace} = place;
    const call: Call = {workspace, principal: doorkeeper, scopes: everyScope, deadline, door: 'slack'};
    const known = await people.admitSlackMember(call, user.id);
    if (known !== undefined) {
      await refuseElsewhere(place, user, deadline);
      const how = {ms: patience.profile, knownMs: hourMs, isMember: true, isLinked: true};
      await look(place, user, deadline, {...how, person});
    }
    const principal =
      known === undefined
        ? await people.ensureSlackMember(call, user.id, await requireServed(place, user, deadline, {person}))
        : ({type: 'member', id: known.id, name: known.name} as const);
    return {...call, principal, quota: {principal: principal.id, limits, isWrite: true}};
  };

  return {
    answerBy: () => performance.now() + patience.answer,
    findClient: async (origin, deadline) =>
      clients.interactive({botToken: await installations.findToken(origin, deadline)}),
    async findPlace(origin, deadline) {
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
    readerOf(origin, user) {
      looks.note(origin, user.id);
      return findReader(origin, user);
    },
    admit,
    async admitLookedAt(place, user, deadline) {
      await requireServed(place, user, deadline, {isMember: true});
      return admit(place, user, deadline);
    },
    identify: (place, user, deadline, person) => requireServed(place, user, deadline, {person}),
    async refuseOutsider(place, user, deadline) {
      await look(place, user, deadline, {ms: patience.newcomer});
    },
    findHome: newcomers.findHome,
    async findMember(place, user, deadline) {
      const known = await people.admitSlackMember({workspace: place.workspace, deadline}, user.id);
      if (known !== undefined) await refuseElsewhere(place, user, deadline);
      return known?.id;
    },
    listTeams: ({workspace, directory}, member, deadline) =>
      people.listTeamsOf({workspace, deadline}, member, directory.teams),
    listPostable: ({workspace, directory}, member, deadline) =>
      people.listTeamsOf({workspace, deadline}, member, directory.teams, 'expected'),
  };
}

/** The person is not one of the people served. */
export class NotServed extends AppError {
  readonly kind: Outsider;

  constructor({outsider}: Words, kind: Outsider) {
    super('forbidden', outsider[kind], {forPeople: true});
    this.kind = kind;
  }
}

/** A channel without a team, and a person in none: the way on is to set one up. */
export class NoTeam extends AppError {
  constructor({place}: Words) {
    super('validation_failed', place.noTeam, {forPeople: true});
  }
}

/**
 * The value of `promise` within `ms`; undefined after that. It must not reject. After a pause of the process
 * an answer that came meanwhile is read first.
 */
export async function soon<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
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
 * The key by which a repeat of one Slack request is recognised. `content`: determines whether two uses of it
 * are the same.
 */
export function slackKey(
  call: Call,
  kind: 'command' | 'form' | 'setup' | 'setup-text' | 'settings' | 'prompt' | 'blocker' | 'remind',
  id: string,
  content: string,
): IdempotencyKey {
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
  return {hash: digest(`${call.principal.id}\0slack-${kind}\0${id}`), fingerprint: digest(content)};
}
