import type {Schema} from '../api/schema.ts';
import {runsWorkspace} from '../parts/rights.ts';

type Me = Schema<'Me'>;

/** On owners only owners act, and only they make others owners (service/members/members.ts decides). */
export function mayManage(me: Me, role: string): boolean {
  return runsWorkspace(me) && (role !== 'owner' || me.role === 'owner');
}
