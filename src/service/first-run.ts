import {parseWire} from '../domain/core/resource.js';
import {scopes} from '../domain/core/access.js';
import {AppError} from '../domain/core/errors.js';
import {firstOwnerName, type Setup} from '../domain/workspaces/setup.js';
import type {Workspace} from '../domain/workspaces/workspace.js';
import type {Services} from './services.js';
import {operatorCall} from './workspaces/workspaces.js';

export interface FirstRun {
  readonly workspace: Workspace;
  /** The value of the token that the first start creates; undefined if tokens exist already. */
  readonly token: string | undefined;
  readonly liveTokens: number;
  /** The link that signs the owner in to the dashboard, once. */
  readonly signIn: string;
  /** The steps that are left, as the owner sees them. */
  readonly setup: Setup;
}

/** The slug of the workspace that the first start creates. */
const firstSlug = 'default';

/**
 * Creates everything that `npm start` needs: a workspace, a team, an owner and a token. Each step first
 * checks what exists, so that the next start can finish an interrupted one.
 */
export async function prepareFirstRun(
  {workspaces, people, teams, tokens, sessions, findSetup}: Services,
  deadline: number,
): Promise<FirstRun> {
  const few = await workspaces.listFewWorkspaces(deadline);
  const [known] = few ?? [await workspaces.findWorkspaceByReference(firstSlug, deadline)];
  const workspace = known ?? (await workspaces.createWorkspace(firstSlug, deadline));
  const operator = operatorCall(workspace.id, deadline);
  const owner = await people.ensureOwner(operator, firstOwnerName);
  const {teams: existing} = await teams.findDirectory(operator);
  if (existing.length === 0) {
    await teams
      .createTeam({...operator, principal: owner}, {slug: 'platform', name: 'Platform'})
      .catch(ignoreTakenError);
  }
  const link = await sessions.createSignInLink(operator, {member: owner.id});
  const {url: signIn} = parseWire(link.body);
  const setup = await findSetup({...operator, principal: owner});
  const live = (await tokens.listTokens(operator)).filter(({kind}) => kind === 'token');
  if (live.length > 0) return {workspace, token: undefined, liveTokens: live.length, signIn, setup};
  const {value} = await tokens.issueToken(operator, {name: 'first', holder: owner, scopes: [...scopes]});
  return {workspace, token: value, liveTokens: 1, signIn, setup};
}

function ignoreTakenError(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'slug_taken') throw error;
}
