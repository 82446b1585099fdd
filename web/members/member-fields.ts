import type {Member, Schema} from '../api/schema.ts';
import {type Role, roles} from './search.ts';

export interface MemberFields {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

export function toMemberFields(member: Member | undefined): MemberFields {
  return {
    name: member?.name ?? '',
    email: member?.email ?? '',
    role: roles.find((role) => role === member?.role) ?? 'member',
  };
}

export function toNewMember({name, email, role}: MemberFields): Schema<'NewMember'> {
  return {name: name.trim(), email: email.trim() || null, role};
}

/** The merge patch that contains only the changed fields. */
export function buildMemberPatch(member: Member, fields: MemberFields): Schema<'MemberChange'> {
  const before = toMemberFields(member);
  const {name, email} = toNewMember(fields);
  // Saving an owner's form confirms the e-mail address and Slack account it shows, so send both.
  const confirms = fields.role === 'owner';
  return {
    ...(fields.name !== before.name && {name}),
    ...((fields.email !== before.email || confirms) && {email}),
    ...(confirms && {slack_user_id: member.slack_user_id}),
    ...(fields.role !== before.role && {role: fields.role}),
  };
}
