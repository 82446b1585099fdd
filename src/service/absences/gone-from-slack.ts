import type {Call, RequestContext} from '../../domain/core/access.js';
import {type Absence, findListsWithAbsence} from '../../domain/absences/absence.js';
import {type Commit, emptyCommit} from '../../domain/commit/commit.js';
import {createWrite} from '../../domain/commit/writes.js';
import {addDays} from '../../domain/core/dates.js';
import {type Draft, toDraft} from '../../domain/core/resource.js';
import {slackDoorkeeper} from '../../domain/slack/slack-installation.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {findByUniqueName} from '../core/member-references.js';
import {listMembershipsOf} from '../core/memberships.js';
import {listClosedRunsFrom} from '../runs/run-looks.js';
import {listAbsencesOf} from './absence-list.js';
import {planAbsenceRemoval, planAbsenceRevision, createRunUpdateJobWrites} from './absence-plans.js';

/** True for the absence, without an end, of a member whose Slack account is deactivated. */
export function isDeactivationAbsence({created_by: maker, until}: Absence): boolean {
  return maker.id === slackDoorkeeper.id && until === null;
}

/**
 * Records that the Slack account of a member was deactivated or is active again. A member with a deactivated
 * account gets an absence: it is shown everywhere, and the member gets no reminders and is not counted. Days
 * on which a run of the member's teams has closed do not change. Does nothing for a person who is not a
 * member, or if nothing has changed.
 */
export function createSlackAccountFollower({mutate, records, zones, clock, generateSuffix}: ServiceContext) {
  async function planAccountChange(call: Call, slackUser: string, isDeactivated: boolean) {
    const member = await findByUniqueName(records, call, 'slack-user', slackUser);
    if (member === undefined) return undefined;
    const today = zones.dayIn(member.timezone ?? 'UTC', clock.now());
    const there = await listAbsencesOf(records, call, member.id, {from: today, until: null});
    const known = there.find(isDeactivationAbsence);
    if ((known !== undefined) === isDeactivated) return undefined;
    const over = await findLastClosedDay(call, member, today);
    return known === undefined
      ? planAbsenceOnDeactivation(member, over === undefined ? today : addDays(over, 1))
      : planAbsenceEndOnReactivation(known, over ?? addDays(today, -1));
  }

  /**
   * Returns the last day, from today on, on which a run of the member's teams has closed. This may be
   * tomorrow for a team in a time zone to the east.
   */
  async function findLastClosedDay(call: RequestContext, member: Member, today: string) {
    const memberships = await listMembershipsOf(records, call, member.id);
    const teams = memberships.map(({team_id: team}) => team);
    const closed = await listClosedRunsFrom(records, call, teams, today);
    return closed
      .map(({date}) => date)
      .toSorted()
      .at(-1);
  }

  function planAbsenceOnDeactivation({id, name, revision}: Member, from: string): Commit {
    const draft: Draft<Absence> = {
      object: 'absence',
      member: {type: 'member', id, name},
      kind: 'away',
      from,
      until: null,
      reason: 'Deactivated in Slack',
      // The reason is visible to the team, since everyone can see it in Slack.
      reason_for: 'team',
      team: null,
      team_id: null,
      created_by: slackDoorkeeper,
      source: null,
    };
    const suffix = generateSuffix();
    const created = createWrite('absence', suffix, draft, findListsWithAbsence(draft));
    return {
      guards: [{check: 'revision', id, revision}],
      writes: [created, ...createRunUpdateJobWrites(id, [draft], asking())],
      events: [{type: 'absence.created', about: suffix, revision: 1}],
      reply: {kind: 'empty'},
    };
  }

  function planAbsenceEndOnReactivation(absence: Absence, last: string): Commit {
    if (absence.from <= last)
      return planAbsenceRevision(absence, {...toDraft(absence), until: last}, [], asking());
    const {writes, ...rest} = planAbsenceRemoval(absence);
    const days = createRunUpdateJobWrites(absence.member.id, [absence], asking());
    return {...rest, guards: [], writes: [...writes, ...days], reply: {kind: 'empty'}};
  }

  const asking = () => ({now: clock.now(), asked: generateSuffix()});

  return async function followSlackAccount(
    call: Call,
    slackUser: string,
    isDeactivated: boolean,
  ): Promise<void> {
    // Usually nothing has changed, and this ends without a commit.
    if ((await planAccountChange(call, slackUser, isDeactivated)) === undefined) return;
    await mutate(call, async () => (await planAccountChange(call, slackUser, isDeactivated)) ?? emptyCommit);
  };
}
