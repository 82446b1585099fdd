import type {Call, Scope} from '../../domain/core/access.js';
import {AppError, fieldError} from '../../domain/core/errors.js';
import {lifetimes, limits} from '../../domain/core/limits.js';
import type {QuotaClaim} from '../../domain/core/quota.js';
import type {SharedWeek} from '../../domain/runs/shared-week.js';
import type {TeamWeek} from '../../domain/runs/team-week.js';
import type {Team} from '../../domain/teams/team.js';
import {
  createShareAddress,
  formatWeekShare,
  parseShareLink,
  type WeekShare,
} from '../../domain/tokens/share-link.js';
import {requireAdmission} from '../core/admission.js';
import type {Answer} from '../core/answers.js';
import type {ServiceContext} from '../core/context.js';
import type {TeamReader} from '../core/reach.js';
import type {TeamWeeks} from '../runs/team-week.js';
import {createPassFinder, type VerifiedPass} from '../tokens/pass-tokens.js';
import {createSecretAddressMaker, type MadeAddress} from '../tokens/secret-addresses.js';
import {createTeamFinder} from './find-team.js';

const shareScopes: readonly Scope[] = ['standups:read'];

/** The fields of a request for a link to a team's week. */
export interface ShareLinkRequest {
  readonly team: string;
  readonly monday: string;
  readonly name?: string | undefined;
  /** True to name people on the page. */
  readonly names?: boolean | undefined;
  /** True to show the texts of open blockers on the page. */
  readonly blockers?: boolean | undefined;
  /** The lifetime in seconds. */
  readonly expires_in?: number | undefined;
}

/** A link whose secret has been checked, and what it opens. */
export interface VerifiedShare extends VerifiedPass {
  readonly share: WeekShare;
}

/** The links by which people without an account read a team's week, and their page. */
export function createSharedWeeks(context: ServiceContext, {weeks}: {readonly weeks: TeamWeeks}) {
  const {authority, admissions, tokenUse, workspaces, records, publicUrl, teams} = context;
  const requireTeam = createTeamFinder(context);
  const createSecretAddress = createSecretAddressMaker(context);
  const findTokenOfPass = createPassFinder(context);

  /** Allows those who may make such a link, and still may. Errors: `forbidden`. */
  const requireRight = (caller: Parameters<typeof authority.requireLead>[0], team: Team) =>
    team.visibility === 'private'
      ? authority.requireAdmin(caller, 'share a week of a private team')
      : authority.requireLead(caller, team, 'share its week');

  async function readWeek(reader: TeamReader & Pick<Call, 'principal'>, share: WeekShare) {
    const team = (await teams.of(reader)).byReference(share.team);
    if (team === undefined || (team.visibility === 'private' && !share.ofPrivateTeam))
      throw createOverError();
    await requireRight(reader, team).catch((error: unknown) => {
      throw error instanceof AppError && ['forbidden', 'invalid_token'].includes(error.code)
        ? createOverError()
        : error;
    });
    return {team, week: await weeks.findTeamWeek(reader, team.id, share.monday)};
  }

  return {
    /**
     * Creates the secret address of a team's week, for people without an account. Errors: those of
     * `createSecretAddressMaker`; `not_found`, `forbidden`, `validation_failed`.
     */
    createShareLink(
      call: Call,
      {team: reference, monday, name = `Week of ${monday}`, ...asked}: ShareLinkRequest,
    ): Promise<Answer<MadeAddress>> {
      const {names = false, blockers = false, expires_in: lifetime = lifetimes.shareLink} = asked;
      return createSecretAddress(call, async (role) => {
        if (role === 'service_account' || role === 'operator')
          throw new AppError('forbidden', 'Only a person may share a week: the link ends with their right.');
        const [team] = await requireTeam(call, reference);
        const proof = await requireRight(call, team);
        if (names && !team.names_missing)
          throw fieldError(
            'validation_failed',
            '#/names',
            'Leave out `names`: this team does not show who missed a standup (`names_missing`).',
          );
        const ofPrivateTeam = team.visibility === 'private';
        return {
          proof,
          address: {
            kind: 'share_link',
            name,
            scopes: shareScopes,
            lifetime,
            most: limits.shareLinksPerMember,
            tooMany: `You have ${limits.shareLinksPerMember} share links already. Revoke one first.`,
            bound: formatWeekShare({team: team.id, monday, names, blockers, ofPrivateTeam}),
            createAddress: (pass) => createShareAddress(publicUrl, pass),
          },
        };
      });
    },

    /** Finds the link to which the secret part of an address belongs. Errors: `invalid_token`. */
    async requireShare(text: string, {deadline}: {readonly deadline: number}): Promise<VerifiedShare> {
      const parsed = parseShareLink(text);
      const found = parsed && (await findTokenOfPass(parsed.pass, 'share_link', deadline));
      if (parsed === undefined || found === undefined) throw createOverError();
      return {...found, share: parsed.share};
    },

    /**
     * Reads the week of a link with the right of its maker, as of now. Errors: `invalid_token`, also after its
     * maker lost that right or the team became private; `rate_limited`.
     */
    async readSharedWeek(
      {workspace, token, share}: VerifiedShare,
      quota: Omit<QuotaClaim, 'principal'>,
      {deadline}: {readonly deadline: number},
    ): Promise<SharedWeek> {
      const access = {workspace, deadline};
      await requireAdmission(admissions, {
        ...access,
        token: {id: token.id, expiresAt: Date.parse(token.expires_at)},
        quota: {...quota, principal: token.id},
      });
      tokenUse.note(workspace, token.id);
      const reader = {...access, principal: token.holder, scopes: new Set(token.scopes)};
      const [{team, week}, found, maker] = await Promise.all([
        readWeek(reader, share),
        workspaces.find(workspace, deadline),
        records.find(workspace, token.holder.id, deadline),
      ]);
      return {
        workspace: found?.name ?? '',
        team: team.name,
        sharedBy: maker?.name ?? token.holder.name,
        expiresAt: token.expires_at,
        timezone: team.timezone,
        week: narrowWeek(week, {...share, names: share.names && team.names_missing}),
      };
    },
  };
}

/** Leaves out what the link does not show. */
function narrowWeek(week: TeamWeek, {names, blockers}: WeekShare): SharedWeek['week'] {
  const {participation} = week;
  return {
    ...week,
    participation: names ? participation : {...participation, by_member: []},
    blockers: {
      ...week.blockers,
      open: week.blockers.open.map(({author, text, days}) => ({
        author: names ? author.name : null,
        text: blockers ? shorten(text) : null,
        days,
      })),
    },
  };
}

/** Cuts a text, so that a page of many blockers stays small. */
function shorten(text: string): string {
  const characters = Array.from(text);
  const {sharedWeekText: most} = limits;
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

function createOverError(): AppError {
  return new AppError('invalid_token', 'There is no such page: its link is wrong, has ended or was revoked.');
}
