import type {Examples} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';
import {lateRun} from './examples.js';
import {standup, thread} from '../standups/examples.js';

const {report, participants: _participants, ...run} = lateRun;
const {counts} = report;
const [line] = report.lines;
const {expected, posted, late, missed, unreachable, away, holiday, skipped, participation} = counts;
const counted = [expected, posted, late, missed, unreachable, away, holiday, skipped, participation].join(
  ',',
);

const participationOfTeam = {
  object: 'participation',
  team: 'platform',
  team_id: exampleIds.team,
  since: '2026-10-25',
  until: '2026-11-23',
  counts,
  by_date: [{date: run.date, run: run.id, counts}],
  by_member: [{member: line?.member, counts}],
};

const trends = {
  object: 'trends',
  team: 'platform',
  team_id: exampleIds.team,
  since: '2026-11-16',
  until: '2026-11-23',
  by: 'week',
  questions: [
    {
      question: 'mood',
      type: 'mood',
      label: 'How do you feel?',
      periods: [
        {
          from: '2026-11-16',
          answers: 3,
          mean: 4.33,
          counts: [
            {value: 4, count: 2},
            {value: 5, count: 1},
          ],
        },
      ],
    },
  ],
  blockers: [
    {from: '2026-11-16', raised: 2, resolved: 1, open_at_end: 1, median_hours: 26.5},
    {from: '2026-11-23', raised: 0, resolved: 0, open_at_end: 1, median_hours: null},
  ],
};

export const runReportExamples: Examples = {
  listRuns: {answer: {object: 'list', data: [{...run, counts}], has_more: false, next_cursor: null}},
  getRun: {answer: lateRun},
  getTeamDay: {
    answer: {
      object: 'team_day',
      team: 'platform',
      team_id: exampleIds.team,
      date: run.date,
      timezone: 'Europe/Berlin',
      run: {
        id: run.id,
        kind: run.kind,
        state: run.state,
        opens_at: run.opens_at,
        closes_at: run.closes_at,
      },
      counts,
      people: [
        {
          member: {type: 'member', id: exampleIds.member, name: 'Ada Lovelace'},
          timezone: 'Europe/London',
          status: 'late',
          reason: null,
          until: null,
          closes_at: run.closes_at,
          standups: [
            {
              id: standup.id,
              revision: standup.revision,
              source: standup.source,
              late: true,
              edited: standup.edited,
              created_at: standup.created_at,
              update: standup.update,
              answers: standup.answers,
              thread,
            },
          ],
        },
      ],
      truncated: false,
    },
  },
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
  getMemberParticipation: {
    query: {include: 'days'},
    answer: {
      object: 'member_participation',
      member: line?.member,
      since: '2026-10-25',
      until: '2026-11-23',
      counts,
      by_team: [
        {
          team: 'platform',
          team_id: exampleIds.team,
          team_name: 'Platform',
          counts,
          days: [{date: run.date, status: 'late', reason: null}],
        },
      ],
    },
  },
  listParticipation: {
    answer: {
      object: 'list',
      data: [
        {
          object: 'team_participation',
          team: 'platform',
          team_id: exampleIds.team,
          team_name: 'Platform',
          visibility: 'open',
          since: '2026-10-25',
          until: '2026-11-23',
          counts,
        },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
  getTrends: {query: {by: 'week'}, answer: trends},
  getTeamWeek: {
    answer: {
      object: 'team_week',
      team: 'platform',
      team_id: exampleIds.team,
      monday: '2026-11-23',
      sunday: '2026-11-29',
      participation: {...participationOfTeam, since: '2026-11-23', until: '2026-11-29'},
      blockers: {
        raised: 0,
        resolved: 0,
        open: [
          {
            id: exampleIds.blocker,
            author: {type: 'member', id: exampleIds.member, name: 'Ada Lovelace'},
            text: 'No access to the staging database.',
            since: '2026-11-19',
            days: 4,
          },
        ],
      },
      trends: {...trends, since: '2026-11-02', until: '2026-11-29'},
    },
  },
  getParticipation: {answer: participationOfTeam},
};
