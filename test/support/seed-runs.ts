import {randomBytes} from 'node:crypto';
import {dayNumber, toInstant} from '../../src/domain/core/dates.js';
import {suffixFromBytes, suffixOf} from '../../src/domain/core/ids.js';
import {lists} from '../../src/domain/core/lists.js';
import {type Draft, toDraft} from '../../src/domain/core/resource.js';
import type {Run} from '../../src/domain/runs/run.js';
import type {TestService, TestWorkspace} from './service.js';
import {createWrite, reviseWrite} from '../../src/domain/commit/writes.js';

const newDeadline = () => performance.now() + 5_000;

/** Stores a run as if it had just been opened, without waiting for a schedule. Returns the run. */
export async function seedRun(
  {core}: Pick<TestService, 'core'>,
  {id: workspace, team}: TestWorkspace,
  {date, closes_at, ...more}: Pick<Run, 'date' | 'closes_at'> & Partial<Draft<Run>>,
): Promise<Run> {
  const suffix = suffixFromBytes(randomBytes(10));
  const opens = toInstant(Date.parse(closes_at) - 7_200_000);
  const draft: Draft<Run> = {
    object: 'run',
    team: 'platform',
    team_id: team,
    // Set the properties in the order in which the service stores them.
    date,
    kind: 'scheduled',
    state: 'open',
    opens_at: opens,
    closes_at,
    opened_at: opens,
    closed_at: null,
    schedule: null,
    timezone: 'UTC',
    participants: [],
    missed_steps: [],
    report: null,
    ...more,
  };
  const outcome = await core.store.commits.run(
    {workspace, deadline: newDeadline()},
    {
      guards: [],
      writes: [
        createWrite('run', suffix, draft, [{list: lists.runsOfTeam(draft.team_id), day: dayNumber(date)}]),
      ],
      events: [{type: 'run.opened', about: suffix, revision: 1, team: draft.team_id}],
      reply: {kind: 'empty'},
    },
  );
  const made = await core.store.records.findBySuffix(workspace, suffix, newDeadline());
  if (made === undefined) throw new Error(`no run was made: ${outcome.kind}`);
  return made;
}

/** Plans the commit that closes a run in its current state. */
export async function planClosing(
  {core}: Pick<TestService, 'core'>,
  {id: workspace}: TestWorkspace,
  run: Run,
) {
  const deadline = newDeadline();
  const now = (await core.store.records.find(workspace, run.id, deadline)) ?? run;
  const {references, posts} = await core.services.runReports.findReport({workspace, deadline}, now);
  const suffix = suffixOf(run.id);
  const change = {state: 'closed', closed_at: now.closes_at, report: references} as const;
  const commit = {
    guards: [{check: 'run-posts', run: suffix, count: posts}],
    writes: [reviseWrite(now, {...toDraft(now), ...change}, {forEvents: true})],
    events: [{type: 'run.closed', about: suffix, revision: now.revision + 1, team: run.team_id}],
    reply: {kind: 'empty'},
  } as const;
  return () => core.store.commits.run({workspace, deadline: newDeadline()}, commit);
}

export async function closeRun(service: TestService, workspace: TestWorkspace, run: Run): Promise<void> {
  for (;;) {
    const close = await planClosing(service, workspace, run);
    if ((await close()).kind === 'committed') return;
  }
}
