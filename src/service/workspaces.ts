import {type Call, everyScope} from '../domain/access.js';
import {AppError} from '../domain/errors.js';
import {limits} from '../domain/limits.js';
import {slugFrom} from '../domain/text.js';
import type {Workspace} from '../domain/workspace.js';
import type {DrawId, Workspaces} from './stores.js';

export interface WorkspaceService {
  /** Makes a workspace with a slug from its name. Errors: `slug_taken`, `validation_failed`. */
  createWorkspace(name: string, deadline: number): Promise<Workspace>;
  /** The workspace of that slug or id, or the only one when `reference` is left out. */
  chooseWorkspace(reference: string | undefined, deadline: number): Promise<Workspace>;
  listWorkspaces(deadline: number): Promise<Workspace[]>;
}

export function createWorkspaceService({
  workspaces,
  drawId,
}: {
  readonly workspaces: Workspaces;
  readonly drawId: DrawId;
}): WorkspaceService {
  return {
    async createWorkspace(name, deadline) {
      const slug = slugFrom(name, limits.slug);
      if (slug === undefined) {
        throw new AppError(
          'validation_failed',
          `No slug can be made from the name "${name}": use some letters or digits.`,
        );
      }
      const made = await workspaces.create({slug, name: name.trim(), drawn: drawId()}, deadline);
      if (made === undefined) throw new AppError('slug_taken', `There is a workspace "${slug}" already.`);
      return made;
    },
    async chooseWorkspace(reference, deadline) {
      const all = await workspaces.list(deadline);
      if (reference !== undefined) {
        const found = all.find(({id, slug}) => id === reference || slug === reference.toLowerCase());
        if (found === undefined) throw new AppError('not_found', `There is no workspace "${reference}".`);
        return found;
      }
      const [only] = all;
      if (only === undefined) {
        throw new AppError('not_found', 'There is no workspace yet. Make one: standup workspace create NAME');
      }
      if (all.length > 1) {
        const slugs = all.map(({slug}) => slug).join(', ');
        throw new AppError(
          'validation_failed',
          `There are several workspaces (${slugs}): say which with --workspace.`,
        );
      }
      return only;
    },
    listWorkspaces: (deadline) => workspaces.list(deadline),
  };
}

/** No account of this id exists: whoever holds the installation's keys stands above the roles of a workspace. */
export const operatorId = 'svc_operator';

/** Who acts when the operator uses the command: nobody's quota, nobody's name on a standup. */
export function operatorCall(workspace: string, deadline: number): Call {
  const principal = {type: 'service_account', id: operatorId, name: 'operator'} as const;
  return {workspace, principal, scopes: everyScope, deadline};
}
