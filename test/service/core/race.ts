import {type Call, everyScope} from '../../../src/domain/core/access.js';
import type {Commit, Guard} from '../../../src/domain/commit/commit.js';
import {AppError} from '../../../src/domain/core/errors.js';
import type {Id} from '../../../src/domain/core/ids.js';
import type {Services} from '../../../src/service/services.js';
import type {TeamRole} from '../../../src/domain/teams/team.js';
import {SignInRefused} from '../../../src/domain/tokens/sign-in.js';
import type {MemberRole} from '../../../src/domain/workspaces/workspace.js';
import {asId} from '../../support/ids.js';
import type {TestService, TestWorkspace} from '../../support/service.js';

/** A new workspace for each race, with the team `platform`. */
export interface RaceScene {
  readonly service: TestService;
  readonly services: Services;
  readonly workspace: TestWorkspace;
  /** Returns a new call by the operator, who may do everything. */
  operator: () => Call;
  /** Returns a new call by a member, without a token that could be revoked. */
  by: (member: Id<'member'>) => Call;
  addMember: (input?: {
    readonly name?: string;
    readonly role?: MemberRole;
    readonly as?: TeamRole;
    readonly slackUser?: string;
  }) => Promise<Id<'member'>>;
}

const newDeadline = () => performance.now() + 5_000;

export async function setScene(service: TestService): Promise<RaceScene> {
  const workspace = await service.addWorkspace();
  const {services} = service.core;
  const operator = () => workspace.operator();
  return {
    service,
    services,
    workspace,
    operator,
    by: (id) => ({
      workspace: workspace.id,
      principal: {type: 'member', id, name: 'Ada'},
      scopes: everyScope,
      deadline: newDeadline(),
      entryPoint: 'api',
    }),
    async addMember({name = 'Ada', role = 'member', as, slackUser} = {}) {
      const input = {name, role, ...(slackUser !== undefined && {slack_user_id: slackUser})};
      const {id = ''} = await services.members.createMember(operator(), input);
      if (as !== undefined) await services.teamMembers.setTeamMember(operator(), 'platform', id, as);
      return asId(id);
    },
  };
}

/** Fields of a check. Every check with these fields matches. */
export type GuardPattern = {
  readonly [K in Guard['check']]: {readonly check: K} & Partial<Omit<Extract<Guard, {check: K}>, 'check'>>;
}[Guard['check']];

export interface GuardRace {
  /** The check in the commit that must refuse the request. */
  readonly guard: GuardPattern;
  readonly act: () => Promise<unknown>;
  /** Changes the state between the planning of the request and its commit. */
  readonly meanwhile: () => Promise<unknown>;
}

/**
 * Plans a request, changes the state, then commits the plan. `outcome`: that of the commit. `end`: the code
 * of the refusal, or `made`. `unguarded`: commits without the check.
 */
export async function race(
  {service, workspace}: RaceScene,
  {guard, act, meanwhile}: GuardRace,
  unguarded = false,
): Promise<{readonly outcome: string | undefined; readonly end: string}> {
  const {commits} = service.core.store;
  const {run} = commits;
  const isMeant = (one: Guard) => {
    const [given, wanted]: Record<string, unknown>[] = [{...one}, {...guard}];
    return Object.keys(wanted ?? {}).every(
      (key) => JSON.stringify(given?.[key]) === JSON.stringify(wanted?.[key]),
    );
  };
  let outcome: string | undefined;
  const held: typeof run = async (terms, commit) => {
    const isHeld = outcome === undefined && terms.workspace === workspace.id && commit.guards.some(isMeant);
    if (!isHeld) return run(terms, commit);
    outcome = 'held';
    await meanwhile();
    const others: Commit = {...commit, guards: commit.guards.filter((one) => !isMeant(one))};
    const result = await run(terms, unguarded ? others : commit);
    outcome = result.kind;
    return result;
  };
  Object.assign(commits, {run: held});
  try {
    await act();
    return {outcome, end: 'made'};
  } catch (error) {
    if (error instanceof AppError) return {outcome, end: error.code};
    if (error instanceof SignInRefused) return {outcome, end: error.problem};
    throw error;
  } finally {
    Object.assign(commits, {run});
  }
}
