import type {Examples} from './example.js';
import {exampleIds} from './ids.js';
import {lateRun} from './runs.js';

const {report, participants: _participants, ...run} = lateRun;
const {counts} = report;
const [line] = report.lines;

export const runReportExamples: Examples = {
  listRuns: {answer: {object: 'list', data: [{...run, counts}], has_more: false, next_cursor: null}},
  getRun: {answer: lateRun},
  getParticipation: {
    answer: {
      object: 'participation',
      team: 'platform',
      team_id: exampleIds.team,
      since: '2026-10-25',
      until: '2026-11-23',
      counts,
      by_date: [{date: run.date, run: run.id, counts}],
      by_member: [{member: line?.member, counts}],
    },
  },
};
