import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {asSuffix} from '../../support/ids.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

async function listEvents() {
  const {events} = service.core.store;
  const all = await events.listAfter(workspace.id, 0, 100, performance.now() + 5_000);
  return all
    .filter(({type}) => type === 'slack.post_failed')
    .map(({about, revision, team}) => ({about, revision, team}));
}

const report = (suffix: string, team: string) => {
  const unshown = {kind: 'standup', suffix: asSuffix<'standup'>(suffix), revision: 2} as const;
  const {slackFailures} = service.core.services;
  return slackFailures.reportUnshown(
    workspace.operator(),
    {...unshown, team: asSuffix<'team'>(team)},
    'is_archived',
  );
};

test('regression: the event slack.post_failed for a standup of a deleted team names no team', async () => {
  await report('7x8s4g5q1w6mjy3c', '7h455vb4pex5vskn');
  expect(await listEvents()).toEqual([{about: '7x8s4g5q1w6mjy3c', revision: 2, team: undefined}]);
});

test('a standup that Slack could not show is reported once for each revision, however often posting fails', async () => {
  const [about, team] = ['8x8s4g5q1w6mjy3c', suffixOf(workspace.team)];
  await report(about, team);
  await report(about, team);
  expect((await listEvents()).filter((one) => one.about === about)).toEqual([
    {about, revision: 2, team: workspace.team},
  ]);
});
