import {expect} from '@jest/globals';
import {createWrite, reviseWrite} from '../../src/domain/commit/writes.js';
import {dayNumber} from '../../src/domain/core/dates.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {lists} from '../../src/domain/core/lists.js';
import {toDraft} from '../../src/domain/core/resource.js';
import type {EventType} from '../../src/domain/events/event.js';
import type {Run} from '../../src/domain/runs/run.js';
import {asSuffix} from '../support/ids.js';
import type {SlackHarness} from '../support/slack-harness.js';

let count = 0;

/** Stores a new run, or changes of `from`, with its event, as the services do. Returns the stored run. */
export async function commitRun(
  {core, workspace, team}: SlackHarness,
  run: Partial<Run>,
  from: Run | undefined,
  type: EventType,
): Promise<Run> {
  const id =
    from === undefined ? asSuffix(`000000${String((count += 1)).padStart(10, '0')}`) : suffixOf(from.id);
  const draft = {...(from && toDraft(from)), ...run};
  if (draft.date === undefined) throw new Error('A run has a date.');
  const day = {list: lists.runsOfTeam(team), day: dayNumber(draft.date)};
  const outcome = await core.store.commits.run(
    {workspace, deadline: performance.now() + 5_000},
    {
      guards: [],
      writes: [from === undefined ? createWrite('run', id, draft, [day]) : reviseWrite(from, draft)],
      events: [{type, about: id, revision: (from?.revision ?? 0) + 1, team}],
      reply: {kind: 'empty'},
    },
  );
  expect(outcome.kind).toBe('committed');
  return (await core.store.records.findBySuffix(workspace, id, performance.now() + 5_000))!;
}
