import type {Examples} from './example.js';
import {exampleIds} from './ids.js';
import {lateRun} from './runs.js';

const {report, participants: _participants, ...run} = lateRun;
const {counts} = report;
const [line] = report.lines;
const {expected, posted, late, missed, unreachable, away, holiday, skipped, participation} = counts;
const counted = [expected, posted, late, missed, unreachable, away, holiday, skipped, participation].join(
  ',',
);

export const runReportExamples: Examples = {
  listRuns: {answer: {object: 'list', data: [{...run, counts}], has_more: false, next_cursor: null}},
  getRun: {answer: lateRun},
  exportParticipation: {
    query: {format: 'ndjson', team: 'platform'},
    streams: {
      'application/x-ndjson': [
        JSON.stringify({by: 'date', date: run.date, run: run.id, counts}),
        JSON.stringify({by: 'member', member: line?.member, counts}),
        '',
      ].join('\n'),
      'text/csv': [
        'by,date,run,member_id,member_name,expected,posted,late,missed,unreachable,away,holiday,skipped,participation',
        `date,${run.date},${run.id},,,${counted}`,
        `member,,,${line?.member?.id ?? ''},${line?.member?.name ?? ''},${counted}`,
        '',
      ].join('\r\n'),
    },
  },
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
