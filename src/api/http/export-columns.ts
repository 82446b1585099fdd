import type {Absence} from '../../domain/absences/absence.js';
import type {Standup} from '../../domain/standups/standup.js';
import type {ParticipationRow} from '../../domain/runs/participation.js';
import {plainText} from '../../domain/core/markdown.js';
import type {Columns} from './exports.js';

export const standupColumns: Columns<Standup> = [
  ['id', ({id}) => id],
  ['date', ({date}) => date],
  ['team', ({team}) => team],
  ['team_id', ({team_id}) => team_id],
  ['author_type', ({author}) => author.type],
  ['author_id', ({author}) => author.id],
  ['author_name', ({author}) => author.name],
  ['source', ({source}) => source],
  ['late', ({late}) => String(late)],
  ['edited', ({edited}) => String(edited)],
  ['update', ({update}) => update],
  ['answers', ({answers}) => JSON.stringify(answers)],
  ['metadata', ({metadata}) => JSON.stringify(metadata)],
  ['revision', ({revision}) => String(revision)],
  ['created_at', ({created_at}) => created_at],
  ['updated_at', ({updated_at}) => updated_at],
  ['posted_by_id', ({posted_by: poster}) => poster?.id ?? ''],
  ['edited_by_id', ({edited_by: editor}) => editor?.id ?? ''],
  ['imported_source', ({imported}) => imported?.source ?? ''],
  ['imported_external_id', ({imported}) => imported?.external_id ?? ''],
  ['imported_posted_at', ({imported}) => imported?.posted_at ?? ''],
  ['format', ({format = 'plain'}) => format],
  ['update_plain', ({update, format = 'plain'}) => plainText(update, format)],
];

export const absenceColumns: Columns<Absence> = [
  ['id', ({id}) => id],
  ['member_id', ({member}) => member.id],
  ['member_name', ({member}) => member.name],
  ['kind', ({kind}) => kind],
  ['from', ({from}) => from],
  ['until', ({until}) => until ?? ''],
  ['reason', ({reason}) => reason ?? ''],
  ['team', ({team}) => team ?? ''],
  ['team_id', ({team_id}) => team_id ?? ''],
  ['created_by_id', ({created_by}) => created_by.id],
  ['created_by_name', ({created_by}) => created_by.name ?? ''],
  ['revision', ({revision}) => String(revision)],
  ['created_at', ({created_at}) => created_at],
  ['updated_at', ({updated_at}) => updated_at],
  ['reason_for', ({reason_for: audience}) => audience],
  ['source', ({source}) => source ?? ''],
];

const counted = [
  'expected',
  'posted',
  'late',
  'missed',
  'unreachable',
  'away',
  'holiday',
  'skipped',
  'participation',
] as const;

export const participationColumns: Columns<ParticipationRow> = [
  ['by', ({by}) => by],
  ['date', ({date}) => date ?? ''],
  ['run', ({run}) => run ?? ''],
  ['member_id', ({member}) => member?.id ?? ''],
  ['member_name', ({member}) => member?.name ?? ''],
  ...counted.map((name) => [name, ({counts}: ParticipationRow) => String(counts[name] ?? '')] as const),
];

/** The names of the columns of an export, for its documentation. */
export function listColumnNames(columns: Columns<never>): string {
  return columns.map(([name]) => `\`${name}\``).join(', ');
}
