import type {Me} from '../api/schema.ts';
import {managesWorkspace} from '../parts/rights.ts';

/** Whether the viewer may manage this role; the service decides in src/service/members/members.ts. */
export function mayManageRole(me: Me, role: string): boolean {
  return managesWorkspace(me) && (role !== 'owner' || me.role === 'owner');
}
