import {createShutdownList} from '../../src/compose-core.js';
import {addWebhooks, createEvents} from '../deliveries.js';
import {computeMedian} from '../figures.js';
import {type Bench, type BenchStage, openStage, type Server} from '../stage.js';

/** The measured costs of one workspace, with what the table says of each. */
export const workspaceCosts = {
  post: '`POST /v1/standups` (ms)',
  standups: '`GET /v1/standups?limit=50` (ms)',
  members: '`GET /v1/members?limit=50` (ms)',
  teams: '`GET /v1/teams?limit=50` (ms)',
  webhooks: '`GET /v1/webhooks` (ms)',
  workspace: '`GET /v1/workspace` (ms)',
} as const;

export type WorkspaceCost = keyof typeof workspaceCosts;

/** The size of the smallest workspace. */
const base = {members: 50, teams: 4, webhooks: 1, standups: 200};
const asked = 200;

/** Measures requests to a workspace of `times` the base size, one after another. */
export async function measureWorkspace(bench: Bench, times: number): Promise<Record<WorkspaceCost, number>> {
  const closings = createShutdownList();
  try {
    const stage = await openStage(bench, closings, 'everysec');
    await fillWorkspace(stage, times);
    const server = await stage.startService(bench.build, 'web');
    const body = JSON.stringify({team: 'platform', update: 'Measured the growth of one workspace.'});
    const time = (target: string, given?: string) => timeRequests(stage, server, target, given);
    await time('/v1/standups', body);
    return {
      post: await time('/v1/standups', body),
      standups: await time('/v1/standups?limit=50'),
      members: await time('/v1/members?limit=50'),
      teams: await time('/v1/teams?limit=50'),
      webhooks: await time('/v1/webhooks'),
      workspace: await time('/v1/workspace'),
    };
  } finally {
    await closings.run();
  }
}

async function fillWorkspace(stage: BenchStage, times: number): Promise<void> {
  const {core, operator} = stage;
  const {members, teams} = core.services;
  for (let i = 0; i < base.members * times; i += 1)
    await members.createMember(operator(), {name: `Person ${i}`, email: `person${i}@example.com`});
  for (let i = 0; i < base.teams * times; i += 1) await teams.createTeam(operator(), {slug: `team-${i}`});
  await createEvents(stage, base.standups * times);
  // Nothing is delivered: the measured process does no background work.
  const urls = Array.from({length: base.webhooks * times}, (_, i) => `http://127.0.0.1:65535/${i}`);
  await addWebhooks(stage, urls);
}

/** Returns the median time (ms) of requests that are sent one after another. */
async function timeRequests(
  {token}: BenchStage,
  {port}: Server,
  target: string,
  body?: string,
): Promise<number> {
  const spent: number[] = [];
  for (let i = 0; i < asked; i += 1) {
    const from = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
      headers: {Authorization: `Bearer ${token}`, 'Content-Type': 'application/json'},
      ...(body !== undefined && {method: 'POST', body}),
    });
    await answer.text();
    if (!answer.ok) throw new Error(`${target} answers with ${answer.status}.`);
    spent.push(performance.now() - from);
  }
  // The first half is warm-up.
  return computeMedian(spent.slice(asked / 2));
}
