import type {Call} from '../../domain/core/access.js';
import {dayNumber, toInstant} from '../../domain/core/dates.js';
import {isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {type ListName, lists, positionOf} from '../../domain/core/lists.js';
import {computeInviteState} from '../../domain/invites/invite.js';
import {createSetup, firstOwnerName, type Setup, type SetupState} from '../../domain/workspaces/setup.js';
import type {Member, Workspace} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {listRecords} from '../core/paging.js';
import {createWorkspaceService} from './workspaces.js';

/** A way to sign in without a link from someone else. */
interface SignInWay {
  /** False: this installation does not offer it. */
  readonly isOn: boolean;
  readonly isReadyFor: (member: Member) => boolean;
}

/**
 * Finds which steps of the first run are done. No state is stored: the data say what is done. Members get only
 * the steps that are theirs.
 */
export function createSetupFinder(context: ServiceContext) {
  const {records, teams, authority, clock, slack, mail, waysIn, trustedIssuers} = context;
  const {findWorkspace} = createWorkspaceService(context);

  function listSignInWays({id, slug}: Pick<Workspace, 'id' | 'slug'>): readonly SignInWay[] {
    const hasProvider = trustedIssuers.some(
      ({signIn, workspaces}) =>
        signIn !== undefined && workspaces.some((one) => one === id || one.toLowerCase() === slug),
    );
    return [
      // People of Slack also get a link there.
      {
        isOn: slack !== undefined && (waysIn.has('slack') || waysIn.has('link')),
        isReadyFor: ({slack_user_id: user}) => user !== null,
      },
      {isOn: waysIn.has('mail'), isReadyFor: ({email}) => email !== null},
      {isOn: hasProvider && waysIn.has('provider'), isReadyFor: ({email}) => email !== null},
    ];
  }

  async function hasRecords({workspace, deadline}: Call, list: ListName, count = 1): Promise<boolean> {
    const {rows} = await records.list(workspace, {list, limit: count}, deadline);
    return rows.length >= count;
  }

  async function hasOpenInvite(call: Call): Promise<boolean> {
    const now = clock.now();
    const today = positionOf(dayNumber(toInstant(now).slice(0, 10)), 0);
    const list = lists.invitesByEnd();
    const ending = await listRecords(records, call, {list, from: today, limit: limits.pageMax});
    return ending.some((invite) => computeInviteState(invite, now, true) === 'open');
  }

  async function findOwnSteps(call: Call, workspace: Workspace) {
    const {principal, deadline} = call;
    if (!isId('member', principal.id)) return {};
    const member = await records.find(workspace.id, principal.id, deadline);
    if (member === undefined) return {};
    const ways = listSignInWays(workspace).filter(({isOn}) => isOn);
    return {
      you: toState(member.name !== firstOwnerName && (mail === undefined || member.email !== null)),
      timezone: toState(member.timezone !== null),
      sign_in: ways.length === 0 ? 'off' : toState(ways.some(({isReadyFor}) => isReadyFor(member))),
    } as const;
  }

  return async function findSetup(call: Call): Promise<Setup> {
    const [role, workspace] = await Promise.all([authority.findRole(call), findWorkspace(call)]);
    const own = await findOwnSteps(call, workspace);
    if (role === 'member') {
      const standups = lists.standupsOfAuthor(call.principal.id);
      return createSetup({...own, first_standup: toState(await hasRecords(call, standups))});
    }
    const [directory, hasTwoMembers, hasInvite, hasStandup, hasWebhook] = await Promise.all([
      teams.of(call),
      hasRecords(call, lists.members(), 2),
      hasOpenInvite(call),
      hasRecords(call, lists.standups()),
      hasRecords(call, lists.webhooks()),
    ]);
    return createSetup({
      ...own,
      team: toState(directory.teams.length > 0),
      workspace: toState(workspace.name !== workspace.slug),
      invite: toState(hasTwoMembers || hasInvite),
      schedule: toState(directory.teams.some(({schedule}) => schedule !== null)),
      questions: toState(directory.teams.some(({questions}) => questions.length > 0)),
      first_standup: toState(hasStandup),
      slack: slack === undefined ? 'off' : toState(workspace.slack.connected),
      webhook: toState(hasWebhook),
    });
  };
}

function toState(isDone: boolean): SetupState {
  return isDone ? 'done' : 'open';
}
