import type {Schema} from '../api/schema.ts';
import {managesWorkspace} from '../parts/rights.ts';

type Me = Schema<'Me'>;

/** Only owners may change owners or make other members owners (service/members/members.ts decides). */
export function mayManage(me: Me, role: string): boolean {
  return managesWorkspace(me) && (role !== 'owner' || me.role === 'owner');
}
