import {expect, test} from '@jest/globals';
import {everyScope} from '../../src/domain/core/access.js';
import {drawnPart, unbornId} from '../../src/domain/core/ids.js';
import {createReportUnshown} from '../../src/bot/showing/report-unshown.js';
import type {Unshown} from '../../src/service/slack/slack-failures.js';
import {asId, asSuffix} from '../support/ids.js';

const principal = {type: 'service_account', id: asId<'service_account'>('svc_jobs'), name: 'jobs'} as const;

test('regression what a team that is gone does not show names no team, never half of an id', async () => {
  const told: Unshown[] = [];
  const {reportUnshown} = createReportUnshown({
    findRun: async () => undefined,
    findTeam: async () => undefined,
    jobCall: (workspace) => ({workspace, principal, scopes: everyScope, deadline: Infinity, door: 'system'}),
    slackFailures: {reportUnshown: async (_, unshown) => void told.push(unshown)},
  });
  const team = drawnPart(unbornId('team', asSuffix('7h455vb4pex5vskn')));
  const unshown = {kind: 'standup', drawn: asSuffix('7x8s4g5q1w6mjy3c'), team, revision: 2} as const;
  await reportUnshown(asId('ws_1'), unshown, 'is_archived');
  expect(told.map((one) => one.team)).toEqual([undefined]);
});
