import {type Id, storedId} from '../../src/domain/core/ids.js';
import {browserRecipient} from '../../src/domain/prompts/prompt.js';
import {toInstant} from '../../src/domain/core/dates.js';
import {seedRun} from './seed-runs.js';
import type {TestService, TestWorkspace} from './service.js';

const hour = 3_600_000;

/** Stores an open run and a member's reminder of it, as if they had been asked at its opening just now. */
export async function seedReminder(
  service: Pick<TestService, 'core'>,
  workspace: TestWorkspace,
  {member, team, slug, now = Date.now()}: {member: Id<'member'>; team: string; slug: string; now?: number},
): Promise<void> {
  const date = toInstant(now).slice(0, 10);
  const closesAt = now + 2 * hour;
  const teamId = storedId<'team'>(team);
  const run = await seedRun(service, workspace, {
    date,
    closes_at: toInstant(closesAt),
    team: slug,
    team_id: teamId,
  });
  const asked = {run: run.id, closesAt, moment: 'opening', notBefore: now} as const;
  await service.core.store.commits.run(
    {workspace: workspace.id, deadline: performance.now() + 5_000},
    {
      guards: [],
      writes: [{do: 'prompt', member, user: browserRecipient, date, team: teamId, ...asked}],
      events: [],
      reply: {kind: 'empty'},
    },
  );
}
