import {type Call, requireScope} from '../../domain/core/access.js';
import type {Team} from '../../domain/teams/team.js';

/**
 * Refuses to let a service account make a team private that it could not see afterwards. People who may change a
 * team stay in it, or see all teams. Errors: `insufficient_scope`.
 */
export function requireVisibilityRight(call: Call, {visibility}: Pick<Team, 'visibility'>): void {
  if (visibility === 'private' && call.principal.type === 'service_account')
    requireScope(call, 'teams:private');
}
