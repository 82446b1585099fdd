import type {Call, Principal} from '../domain/access.js';
import type {Guard} from '../domain/commit.js';
import {AppError, notFound} from '../domain/errors.js';
import {isId} from '../domain/ids.js';
import {lists} from '../domain/lists.js';
import type {Draft} from '../domain/resource.js';
import type {Team, TeamRole} from '../domain/team.js';
import {foldAddress} from '../domain/text.js';
import type {Member, ServiceAccount} from '../domain/workspace.js';
import {createWrites, draftMember, findNamed, findReferredMember, type NewMember} from './member-records.js';
import type {Mutate} from './mutation.js';
import type {DrawId, Records, Teams} from './stores.js';
import {joinWrites} from './team-places.js';

type Asked = Pick<Call, 'workspace' | 'deadline'>;

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
  findOwner(call: Asked): Promise<Principal | undefined>;
  /** A member by id, e-mail address or Slack user. Errors: `not_found`. */
  findMember(call: Asked, reference: string): Promise<Principal>;
  findSlackMember(call: Asked, slackUser: string): Promise<Member | undefined>;
  /** Who an id stands for; undefined when it is nobody (any more). */
  findPrincipal(workspace: string, id: string, deadline: number): Promise<Principal | undefined>;
  /** Those of `teams` that a member is in. */
  listTeamsOf(call: Asked, member: string, teams: readonly Team[]): Promise<Team[]>;
  /** Puts a member into a team; nothing when they are in it. */
  joinTeam(call: Call, team: Pick<Team, 'id' | 'slug'>, member: string, role?: TeamRole): Promise<void>;
}

export function createPeople({
  mutate,
  records,
  teams,
  drawId,
}: {
  readonly mutate: Mutate;
  readonly records: Records;
  readonly teams: Teams;
  readonly drawId: DrawId;
}): People {
  /** Makes a member unless one is there; when somebody else has just made one, theirs is used. */
  async function ensureMember(
    call: Call,
    find: () => Promise<Member | undefined>,
    input: NewMember,
    guards: readonly Guard[] = [],
  ): Promise<Principal> {
    await mutate(call, async () => {
      if ((await find()) !== undefined) return {commit: nothing};
      const draft = draftMember({...input, email: await freeEmail(call, input.email ?? null)});
      const made = createWrites(draft, drawId());
      return {commit: {...made, guards: [...guards, ...made.guards], reply: {status: 204}}};
    });
    const member = await find();
    if (member === undefined)
      throw new AppError('service_unavailable', 'The member could not be made; try again.');
    return {type: 'member', id: member.id, name: member.name};
  }

  /** An address that another member has already is left out rather than taken over. */
  async function freeEmail(call: Call, email: string | null): Promise<string | null> {
    if (email === null) return null;
    const holder = await records.findName(call.workspace, 'email', foldAddress(email), call.deadline);
    return holder === undefined ? email : null;
  }

  /** The one who became an owner first. */
  async function findFirstOwner({workspace, deadline}: Asked): Promise<Member | undefined> {
    const {rows} = await records.list(workspace, {list: lists.membersOfRole('owner'), limit: 100}, deadline);
    const first = rows.at(-1);
    return first && (JSON.parse(first.json) as Member);
  }

  return {
    async ensureServiceAccount(call, name) {
      await mutate(call, async () => {
        if ((await findNamed<ServiceAccount>(records, call, 'service-account', name)) !== undefined)
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
      const account = await findNamed<ServiceAccount>(records, call, 'service-account', name);
      if (account === undefined)
        throw new AppError('service_unavailable', 'The service account could not be made.');
      return {type: 'service_account', id: account.id, name: account.name};
    },
    ensureOwner: (call, name) =>
      ensureMember(call, () => findFirstOwner(call), {name, role: 'owner'}, [
        {check: 'shorter', list: lists.membersOfRole('owner'), than: 1},
      ]),
    ensureSlackMember: (call, slackUser, profile) =>
      ensureMember(call, () => findNamed<Member>(records, call, 'slack-user', slackUser), {
        ...profile,
        slack_user_id: slackUser,
      }),
    async findOwner(call) {
      const owner = await findFirstOwner(call);
      return owner && {type: 'member', id: owner.id, name: owner.name};
    },
    async findMember(call, reference) {
      const member = await findReferredMember(records, call, reference);
      if (member === undefined) throw new AppError('not_found', `There is no member "${reference}".`);
      return {type: 'member', id: member.id, name: member.name};
    },
    findSlackMember: (call, slackUser) => findNamed<Member>(records, call, 'slack-user', slackUser),
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
      const places = await Promise.all(
        teams.map(({id}) => records.findTeamPlace(workspace, id, member, deadline)),
      );
      return teams.filter((_, i) => places[i] !== undefined);
    },
    async joinTeam(call, team, member, role = 'member') {
      await mutate(call, async () => {
        const [directory, known, person] = await Promise.all([
          teams.fresh(call.workspace, call.deadline),
          records.findTeamPlace(call.workspace, team.id, member, call.deadline),
          records.find<Member>(call.workspace, member, call.deadline),
        ]);
        if (known !== undefined) return {commit: nothing};
        if (person === undefined) throw new AppError('not_found', 'There is no such member.');
        if (directory.byReference(team.id) === undefined) throw notFound('team');
        const drawn = drawId();
        const principal = {type: 'member', id: member, name: person.name} as const;
        return {
          commit: {
            guards: [
              {check: 'unchanged', collection: 'teams', version: directory.version},
              {check: 'revision', id: member, revision: person.revision},
              {check: 'apart', team: team.id, member},
            ],
            writes: joinWrites(team, principal, role, drawn),
            events: [{type: 'team.member_added', about: drawn, revision: 1, team: team.id}],
            reply: {status: 204},
          },
        };
      });
    },
  };
}

const nothing = {guards: [], writes: [], events: [], reply: {status: 204}} as const;
