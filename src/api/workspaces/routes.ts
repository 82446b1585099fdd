import {parseWire} from '../../domain/core/resource.js';
import type {ShownWorkspace} from '../../domain/workspaces/workspace.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {workspaceChangeSchema, shownWorkspaceSchema} from '../../domain/workspaces/workspace.js';

const path = '/v1/workspace';
const tag = 'Workspace';

export function createWorkspaceRoutes({workspaces}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      operation: 'getWorkspace',
      tag,
      summary: 'Get your workspace',
      scope: 'workspace:manage',
      query: noQuerySchema,
      success: {status: 200, schema: shownWorkspaceSchema},
      errors: [],
      handle: async (input) => {
        const workspace = await workspaces.findWorkspace(input.call);
        return presentResource(workspace, input, computeSlackAndStorageTag(workspace));
      },
    }),
    defineRoute({
      method: 'PATCH',
      path,
      operation: 'changeWorkspace',
      tag,
      summary: 'Change your workspace',
      description: 'The body is a JSON merge patch of the name and of the retention of texts.',
      scope: 'workspace:manage',
      query: noQuerySchema,
      body: workspaceChangeSchema,
      success: {status: 200, schema: shownWorkspaceSchema},
      errors: ['forbidden', 'precondition_failed'],
      handle: async ({call, body, expected}) => {
        const answer = await workspaces.changeWorkspace(call, body, expected);
        return presentAnswer(answer, undefined, computeSlackAndStorageTag(parseWire(answer.body)));
      },
    }),
  ];
}

/** Returns the Slack connection and used storage for the entity tag, because no revision contains them. */
function computeSlackAndStorageTag({slack, storage}: ShownWorkspace): string {
  return `${slack.connected ? 'slack.' : ''}${storage.used_bytes}.${storage.limit_bytes ?? 'any'}`;
}
