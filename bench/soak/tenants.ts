import {type Principal, scopes} from '../../src/domain/core/access.js';
import type {Id} from '../../src/domain/core/ids.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {asId} from '../../test/support/ids.js';
import {type BenchStage, createDeadline} from '../stage.js';

/** A workspace of the soak, with what its callers need. */
export interface Tenant {
  /** The token of a service account with all scopes. */
  readonly token: string;
  /** The token of an owner, who gives others links to sign in. */
  readonly owner: string;
  readonly people: readonly {readonly id: string; readonly token: string}[];
  readonly webhooks: readonly string[];
}

/** A team whose run opens at one minute of the soak. */
export interface MinuteTeam {
  readonly tenant: Tenant;
  readonly slug: string;
}

export const slackTeam = 'in-slack';
export const slackChannel = 'C000000001';
/** The minutes for which each run is open. */
export const openMinutes = 5;
const tenantCount = 4;
const peopleEach = 10;

/**
 * Fills the workspace of the stage, and adds others like it. Every minute a run opens in one of them, and
 * closes five minutes later. Only the first has Slack.
 */
export async function addTenants(
  stage: BenchStage,
  receivers: readonly string[],
  minutes: number,
): Promise<{tenants: readonly Tenant[]; minuteTeams: readonly MinuteTeam[]; firstMinute: number}> {
  const {workspaces, teams} = stage.core.services;
  const ids = [stage.workspace];
  for (let i = 1; i < tenantCount; i += 1)
    ids.push((await workspaces.createWorkspace(`Tenant ${i}`, createDeadline())).id);
  await teams.createTeam(stage.operator(), {slug: slackTeam, slack_channel_id: slackChannel});
  const tenants: Tenant[] = [];
  for (const id of ids) tenants.push(await fillTenant(stage, id, receivers));

  const firstMinute = Math.floor(Date.now() / 60_000) + 2;
  const minuteTeams: MinuteTeam[] = [];
  for (let i = 0; i < minutes; i += 1) {
    const [tenant, id] = [tenants[i % tenantCount], ids[i % tenantCount]];
    if (tenant === undefined || id === undefined) continue;
    const slug = `minute-${i}`;
    await teams.createTeam(operatorCall(id, createDeadline()), {
      slug,
      timezone: 'UTC',
      schedule: {
        frequency: 'weekly',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        opens: formatMinute(firstMinute + i),
        closes: formatMinute(firstMinute + i + openMinutes),
      },
    });
    const team = await teams.findTeam(operatorCall(id, createDeadline()), slug);
    for (const person of tenant.people)
      await stage.core.services.people.joinTeam(operatorCall(id, createDeadline()), team, asId(person.id));
    minuteTeams.push({tenant, slug});
  }
  return {tenants, minuteTeams, firstMinute};
}

async function fillTenant(
  {core, workspace, operator: operatorOfStage}: BenchStage,
  id: Id<'workspace'>,
  receivers: readonly string[],
): Promise<Tenant> {
  const {teams, people: accounts, tokens, members, webhooks} = core.services;
  const operator = () => (id === workspace ? operatorOfStage() : operatorCall(id, createDeadline()));
  const issue = async (holder: Principal) =>
    (await tokens.issueToken(operator(), {name: 'soak', holder, scopes})).value;
  if (id !== workspace) await teams.createTeam(operator(), {slug: 'platform', name: 'Platform'});
  const people: {id: string; token: string}[] = [];
  for (let i = 0; i < peopleEach; i += 1) {
    const name = `Person ${i}`;
    const role = i === 0 ? 'owner' : 'member';
    const member = await members.createMember(operator(), {name, role, email: `person${i}@example.com`});
    const token = await issue({type: 'member', id: asId(member.id ?? ''), name});
    people.push({id: member.id ?? '', token});
  }
  const made: string[] = [];
  for (const url of receivers)
    made.push((await webhooks.createWebhook(operator(), {url, events: ['standup.created']})).id ?? '');
  return {
    token: await issue(await accounts.ensureServiceAccount(operator(), 'soak')),
    owner: people[0]?.token ?? '',
    people,
    webhooks: made,
  };
}

/** Formats a minute since 1970 as a time of its day in UTC. */
function formatMinute(minute: number): string {
  return new Date(minute * 60_000).toISOString().slice(11, 16);
}
