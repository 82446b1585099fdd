import type {Call, Principal} from '../domain/access.js';
import {AppError} from '../domain/errors.js';
import {drawnPart, isId} from '../domain/ids.js';
import {lists} from '../domain/lists.js';
import type {Draft, Resource} from '../domain/resource.js';
import type {Team} from '../domain/team.js';
import type {Member, ServiceAccount} from '../domain/workspace.js';
import type {Mutate} from './mutation.js';
import type {DrawId, Records} from './stores.js';

export interface NewMember {
  readonly name: string;
  readonly email?: string | null;
  readonly role: Member['role'];
  readonly timezone?: string | null;
  readonly slack_user_id?: string | null;
}

export interface People {
  /** The service account of that name, made when there is none. */
  ensureServiceAccount(call: Call, name: string): Promise<Principal>;
  /** The workspace's owner, made when there is none yet. */
  ensureOwner(call: Call, name: string): Promise<Principal>;
  /** The member linked to a Slack user, made on their first use. */
  ensureSlackMember(
    call: Call,
    slackUser: string,
    profile: Omit<NewMember, 'role' | 'slack_user_id'>,
  ): Promise<Principal>;
  findOwner(call: Pick<Call, 'workspace' | 'deadline'>): Promise<Principal | undefined>;
  /** A member by id or e-mail address. Errors: `not_found`. */
  findMember(call: Pick<Call, 'workspace' | 'deadline'>, reference: string): Promise<Principal>;
  findSlackMember(call: Pick<Call, 'workspace' | 'deadline'>, slackUser: string): Promise<Member | undefined>;
  /** Who an id stands for; undefined when it is nobody (any more). */
  findPrincipal(workspace: string, id: string, deadline: number): Promise<Principal | undefined>;
  /** Those of `teams` that a member is in. */
  listTeamsOf(
    call: Pick<Call, 'workspace' | 'deadline'>,
    member: string,
    teams: readonly Team[],
  ): Promise<Team[]>;
  /** Puts a member into a team; nothing when they are in it. */
  joinTeam(call: Call, team: string, member: string, role?: 'lead' | 'member'): Promise<void>;
}

export function createPeople({
  mutate,
  records,
  drawId,
}: {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly drawId: DrawId;
}): People {
  async function named<R extends Resource & {name: string}>(
    {workspace, deadline}: Pick<Call, 'workspace' | 'deadline'>,
    names: 'service-account' | 'slack-user' | 'email' | 'owner',
    name: string,
  ): Promise<R | undefined> {
    const drawn = await records.findName(workspace, names, name, deadline);
    return drawn === undefined ? undefined : records.findByDrawn<R>(workspace, drawn, deadline);
  }

  /** Makes a member under a unique name; when somebody else has just done so, theirs is used. */
  async function ensureMember(
    call: Call,
    key: {names: 'slack-user' | 'owner'; name: string},
    input: NewMember,
  ): Promise<Principal> {
    await mutate(call, async () => {
      const known = await named<Member>(call, key.names, key.name);
      if (known !== undefined) return {commit: nothing};
      const email = await freeEmail(call, input.email ?? null);
      const drawn = drawId();
      const draft: Draft<Member> = {
        object: 'member',
        name: input.name,
        email,
        role: input.role,
        timezone: input.timezone ?? null,
        slack_user_id: input.slack_user_id ?? null,
      };
      return {
        commit: {
          guards: [{check: 'name-free', ...key}],
          writes: [
            {do: 'create', kind: 'member', drawn, draft, lists: [{list: lists.members()}]},
            {do: 'take-name', ...key, drawn},
            ...(email === null ? [] : [{do: 'take-name', names: 'email', name: email, drawn} as const]),
          ],
          events: [{type: 'member.joined', about: drawn, revision: 1}],
          reply: {status: 204},
        },
      };
    });
    const member = await named<Member>(call, key.names, key.name);
    if (member === undefined)
      throw new AppError('service_unavailable', 'The member could not be made; try again.');
    return {type: 'member', id: member.id, name: member.name};
  }

  /** An address that another member has already is left out rather than taken over. */
  async function freeEmail(call: Call, email: string | null): Promise<string | null> {
    if (email === null) return null;
    const address = email.toLowerCase();
    return (await records.findName(call.workspace, 'email', address, call.deadline)) === undefined
      ? address
      : null;
  }

  return {
    async ensureServiceAccount(call, name) {
      await mutate(call, async () => {
        if ((await named<ServiceAccount>(call, 'service-account', name)) !== undefined)
          return {commit: nothing};
        const drawn = drawId();
        const draft: Draft<ServiceAccount> = {object: 'service_account', name};
        return {
          commit: {
            guards: [{check: 'name-free', names: 'service-account', name}],
            writes: [
              {do: 'create', kind: 'service_account', drawn, draft, lists: []},
              {do: 'take-name', names: 'service-account', name, drawn},
            ],
            events: [],
            reply: {status: 204},
          },
        };
      });
      const account = await named<ServiceAccount>(call, 'service-account', name);
      if (account === undefined)
        throw new AppError('service_unavailable', 'The service account could not be made.');
      return {type: 'service_account', id: account.id, name: account.name};
    },
    ensureOwner: (call, name) => ensureMember(call, {names: 'owner', name: 'first'}, {name, role: 'owner'}),
    ensureSlackMember: (call, slackUser, profile) =>
      ensureMember(
        call,
        {names: 'slack-user', name: slackUser},
        {...profile, role: 'member', slack_user_id: slackUser},
      ),
    async findOwner(call) {
      const owner = await named<Member>(call, 'owner', 'first');
      return owner && {type: 'member', id: owner.id, name: owner.name};
    },
    async findMember(call, reference) {
      const member = isId('member', reference)
        ? await records.find<Member>(call.workspace, reference, call.deadline)
        : await named<Member>(call, 'email', reference.toLowerCase());
      if (member === undefined) throw new AppError('not_found', `There is no member "${reference}".`);
      return {type: 'member', id: member.id, name: member.name};
    },
    findSlackMember: (call, slackUser) => named<Member>(call, 'slack-user', slackUser),
    async findPrincipal(workspace, id, deadline) {
      const type = isId('member', id)
        ? 'member'
        : isId('service_account', id)
          ? 'service_account'
          : undefined;
      const found = type && (await records.find<Member | ServiceAccount>(workspace, id, deadline));
      return type && found && {type, id, name: found.name};
    },
    async listTeamsOf({workspace, deadline}, member, teams) {
      const roles = await Promise.all(
        teams.map(({id}) => records.findTeamRole(workspace, id, member, deadline)),
      );
      return teams.filter((_, i) => roles[i] !== undefined);
    },
    async joinTeam(call, team, member, role = 'member') {
      await mutate(call, async () => {
        const [known, person] = await Promise.all([
          records.findTeamRole(call.workspace, team, member, call.deadline),
          records.find<Member>(call.workspace, member, call.deadline),
        ]);
        if (known !== undefined) return {commit: nothing};
        if (person === undefined) throw new AppError('not_found', 'There is no such member.');
        return {
          commit: {
            guards: [{check: 'revision', id: member, revision: person.revision}],
            writes: [{do: 'join', team, member, role}],
            events: [{type: 'team.member_added', about: drawnPart(member), revision: person.revision, team}],
            reply: {status: 204},
          },
        };
      });
    },
  };
}

const nothing = {guards: [], writes: [], events: [], reply: {status: 204}} as const;
