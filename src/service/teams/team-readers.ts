import type {Caller, RequestContext} from '../../domain/core/access.js';
import type {Id} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {Team} from '../../domain/teams/team.js';
import {namedReaders, type ReaderGroup, type TeamReaders} from '../../domain/teams/team-readers.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import type {ServiceAccount} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {listAllRecords, listRecords} from '../core/paging.js';
import {createTeamFinder} from './find-team.js';

const limit = limits.pageMax;

/** Creates the function that counts and names who can read a team. Errors: `not_found`, `forbidden`. */
export function createTeamReaderLister(context: ServiceContext) {
  const {records, authority, clock, trustedIssuers} = context;
  const requireTeam = createTeamFinder(context);

  async function mayReachPrivateTeams(call: RequestContext, {id, name}: ServiceAccount): Promise<boolean> {
    if (trustedIssuers.some(({serviceAccounts}) => [...serviceAccounts.values()].includes(name))) return true;
    const tokens = await listAllRecords(records, call, {list: lists.accessTokensOf(id), limit});
    return tokens.some(
      ({scopes, expires_at: end}) => scopes.includes('teams:private') && Date.parse(end) > clock.now(),
    );
  }

  async function listAccounts(call: RequestContext): Promise<string[]> {
    const all = await listAllRecords(records, call, {list: lists.serviceAccounts(), limit});
    const reaching = await Promise.all(all.map((account) => mayReachPrivateTeams(call, account)));
    return all.filter((_, i) => reaching[i] === true).map(({name}) => name);
  }

  async function listWebhooks(call: RequestContext, team: Id<'team'>): Promise<string[]> {
    const all = await listAllRecords(records, call, {list: lists.webhooks(), limit});
    return all.filter(({teams}) => teams?.includes(team) === true).map(describeWebhook);
  }

  /** Returns who is in the team or sees all teams. An owner or admin in the team counts as its member. */
  async function findPeople(call: RequestContext, {id}: Team) {
    const [memberships, owners, admins, total] = await Promise.all([
      listAllRecords(records, call, {list: lists.teamMembers(id), limit}),
      listAllRecords(records, call, {list: lists.membersOfRole('owner'), limit}),
      listAllRecords(records, call, {list: lists.membersOfRole('admin'), limit}),
      records.count(call.workspace, lists.members(), call.deadline),
    ]);
    const inTeam = new Set<string>(memberships.map(({member}) => member.id));
    const beside = [...owners, ...admins].filter((one) => !inTeam.has(one.id));
    const namesOf = (isObserver: boolean) =>
      memberships.filter(({role}) => (role === 'observer') === isObserver).map(({member}) => member.name);
    return {
      members: toGroup(namesOf(false)),
      observers: toGroup(namesOf(true)),
      admins: toGroup(beside.map(({name}) => name)),
      others: Math.max(0, total - inTeam.size - beside.length),
    };
  }

  return async function listReaders(call: Caller, reference: string): Promise<TeamReaders> {
    const [team] = await requireTeam(call, reference);
    await authority.requireLead(call, team, 'see who reads it');
    const list = lists.standupsOfTeam(team.id);
    const [people, accounts, webhooks, count, [first]] = await Promise.all([
      findPeople(call, team),
      listAccounts(call),
      listWebhooks(call, team.id),
      records.count(call.workspace, list, call.deadline),
      listRecords(records, call, {list, upward: true, limit: 1}),
    ]);
    return {
      object: 'team_readers',
      team: team.slug,
      team_id: team.id,
      visibility: team.visibility,
      ...people,
      service_accounts: toGroup(accounts),
      webhooks: toGroup(webhooks),
      slack_channel_id: team.slack_channel_id,
      standups: {count, since: first?.date ?? null},
    };
  };
}

function toGroup(names: readonly string[]): ReaderGroup {
  const sorted = names.toSorted((a, b) => a.localeCompare(b, 'en'));
  return {count: names.length, names: sorted.slice(0, namedReaders)};
}

/** The path of a webhook's address may be a secret. */
function describeWebhook({description, url}: Webhook): string {
  return description ?? new URL(url).host;
}
