import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {lists} from '../../../src/domain/core/lists.js';
import {createComments} from '../../../src/service/comments/comments.js';
import type {Mutate} from '../../../src/service/core/mutation.js';
import {createReactions} from '../../../src/service/reactions/reactions.js';
import {make, randomName} from '../../api/samples.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {asId} from '../../support/ids.js';
import {until} from '../../support/until.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

/** A mutation between whose plan and commit something else happens once. */
function interrupt(happens: () => Promise<unknown>): Mutate {
  const {mutate} = createTestContext(service.core);
  const interrupted = async (call: never, plan: (attempt: number) => Promise<unknown>): Promise<unknown> =>
    mutate(call, (async (attempt: number) => {
      const planned = await plan(attempt);
      if (attempt === 0) await happens();
      return planned;
    }) as never);
  return interrupted as Mutate;
}

it.each(['comment', 'reaction'] as const)(
  'a %s that is written while its team is deleted leaves nothing behind',
  async (kind) => {
    const {slug, id: team} = await make(workspace, '/v1/teams', {slug: randomName()});
    const {id: standup} = await make(workspace, '/v1/standups', {team: slug, update: 'A'});
    const {records} = service.core.store;
    const count = (...names: Parameters<typeof records.count>[1][]) =>
      Promise.all(names.map((list) => records.count(workspace.id, list, performance.now() + 1_000)));
    const purged = async () => {
      await workspace.request('DELETE', `/v1/teams/${slug}?force=true`);
      const standups = lists.standupsOfTeam(asId<'team'>(team));
      await until(async () => (await count(standups))[0] === 0, {what: 'the standups were removed'});
    };
    const context = createTestContext(service.core, {mutate: interrupt(purged)});
    const call = {...workspace.operator(), principal: workspace.principal};
    const written =
      kind === 'comment'
        ? createComments(context).createComment(call, {standup, text: 'Late'})
        : createReactions(context).changeReaction(call, {subject: standup, add: ['👍']});
    await expect(written).rejects.toMatchObject({
      code: kind === 'comment' ? 'validation_failed' : 'not_found',
    });
    expect(await count(lists.comments(), lists.reactions())).toEqual([0, 0]);
  },
);

it.each(['comment', 'reaction'] as const)(
  'a %s that is written while its standup is deleted leaves nothing behind',
  async (kind) => {
    const {id: standup} = await make(workspace, '/v1/standups', {team: 'platform', update: 'A'});
    const context = createTestContext(service.core, {
      mutate: interrupt(() => workspace.request('DELETE', `/v1/standups/${standup}`)),
    });
    const call = {...workspace.operator(), principal: workspace.principal};
    const written =
      kind === 'comment'
        ? createComments(context).createComment(call, {standup, text: 'Late'})
        : createReactions(context).changeReaction(call, {subject: standup, add: ['👍']});
    await expect(written).rejects.toMatchObject({
      code: kind === 'comment' ? 'validation_failed' : 'not_found',
    });
  },
);
