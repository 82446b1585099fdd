import {type Examples, lastPage} from '../examples/example.js';
import {exampleIds} from '../examples/ids.js';
import {member} from '../members/examples.js';

const ada = {type: 'member', id: member.id, name: member.name};

export const absence = {
  id: exampleIds.absence,
  object: 'absence',
  member: ada,
  kind: 'away',
  from: '2026-11-23',
  until: '2026-11-27',
  reason: 'Vacation',
  reason_for: 'leads',
  team: null,
  team_id: null,
  created_by: ada,
  source: null,
  revision: 1,
  created_at: '2026-11-20T16:12:03.114Z',
  updated_at: '2026-11-20T16:12:03.114Z',
};

export const longerAbsence = {
  ...absence,
  until: '2026-11-30',
  revision: 2,
  updated_at: '2026-11-23T09:00:00.000Z',
};

export const absenceExamples: Examples = {
  createAbsence: {
    body: {member: exampleIds.member, kind: 'away', until: null, reason: 'Vacation'},
    answer: {...absence, until: null},
  },
  listAbsences: {
    query: {team: 'platform', from: '2026-11-23', until: '2026-11-29'},
    answer: lastPage(absence),
  },
  exportAbsences: {
    query: {format: 'ndjson', team: 'platform', from: '2026-11-01', until: '2026-11-30'},
    streams: {
      'application/x-ndjson': `${JSON.stringify(absence)}\n`,
      'text/csv': [
        'id,member_id,member_name,kind,from,until,reason,team,team_id,created_by_id,created_by_name,revision,created_at,updated_at,reason_for,source',
        `${absence.id},${ada.id},${ada.name},away,2026-11-23,2026-11-27,Vacation,,,${ada.id},${ada.name},1,${absence.created_at},${absence.updated_at},leads,`,
        '',
      ].join('\r\n'),
    },
  },
  getAbsence: {answer: absence},
  changeAbsence: {
    body: {reason: 'Vacation, back on Monday'},
    answer: {...absence, reason: 'Vacation, back on Monday', revision: 2},
  },
  deleteAbsence: {},
};
