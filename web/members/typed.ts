import type {Schema} from '../api/schema.ts';
import type {Member} from './queries.ts';
import {type Role, roles} from './search.ts';

/** The form fields of a member. */
export interface Typed {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

export function typedOf(member: Member | undefined): Typed {
  return {
    name: member?.name ?? '',
    email: member?.email ?? '',
    role: roles.find((role) => role === member?.role) ?? 'member',
  };
}

export function newMemberOf({name, email, role}: Typed): Schema<'NewMember'> {
  return {name: name.trim(), email: email.trim() || null, role};
}

/** The merge patch for the changed fields. */
export function changeOf(member: Member, typed: Typed): Schema<'MemberChange'> {
  const before = typedOf(member);
  const {name, email} = newMemberOf(typed);
  // The owner who saves the form has confirmed both, since the form shows them.
  const confirms = typed.role === 'owner';
  return {
    ...(typed.name !== before.name && {name}),
    ...((typed.email !== before.email || confirms) && {email}),
    ...(confirms && {slack_user_id: member.slack_user_id}),
    ...(typed.role !== before.role && {role: typed.role}),
  };
}
