import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {dayNumber} from '../../src/domain/core/dates.js';
import {composeId, suffixFromBytes} from '../../src/domain/core/ids.js';
import {positionOf} from '../../src/domain/core/lists.js';
import {renderResource} from '../../src/domain/core/resource.js';
import type {TestWorkspace} from './service.js';

/** Seeded standups get sequence numbers from this one on, far above the numbers of real events. */
const firstSequence = 1_000_000;
const batch = 500;

/**
 * Stores standups as the commit script does, but without their events. Tests use this if they need too many
 * standups to post each one. Returns the ids.
 */
export async function seedStandups(
  redisUrl: string,
  {id: workspace, team, principal}: TestWorkspace,
  {
    count,
    update,
    days = 100,
    from = '2026-01-01',
  }: {count: number; update: (i: number) => string; days?: number; from?: string},
): Promise<string[]> {
  const ids: string[] = [];
  const start = Date.parse(`${from}T09:00:00Z`);
  let commands: string[][] = [];
  for (let i = 0; i < count; i++) {
    const bytes = new Uint8Array(10);
    new DataView(bytes.buffer).setUint32(6, i);
    const suffix = suffixFromBytes(bytes);
    const date = new Date(start + (i % days) * 86_400_000).toISOString().slice(0, 10);
    const id = composeId('standup', start + i, suffix);
    const at = new Date(start + i).toISOString();
    const draft = {
      object: 'standup',
      team: 'platform',
      team_id: team,
      update: update(i),
      answers: [],
      questions_version: null,
      author: principal,
      posted_by: null,
      date,
      source: 'api',
      late: false,
      edited: false,
      edited_by: null,
      metadata: {},
    };
    const position = String(positionOf(dayNumber(date), firstSequence + i));
    const tag = `{${workspace}}:`;
    commands.push(
      ['SET', `${tag}r:${suffix}`, renderResource(draft, {id, revision: 1, created_at: at, updated_at: at})],
      ['ZADD', `${tag}l:standups`, position, suffix],
      ['ZADD', `${tag}l:standups:${team.slice(-16)}`, position, suffix],
      ['ZADD', `${tag}l:standups:${principal.id.slice(-16)}`, position, suffix],
    );
    ids.push(id);
    if (commands.length < batch * 4 && i < count - 1) continue;
    await sendToRedis(redisUrl, commands);
    commands = [];
  }
  return ids;
}
