import {z} from 'zod';
import {absenceKinds} from '../../domain/absences/absence.js';
import {date, reference} from '../../domain/core/schemas.js';
import {formatParameter, pageParameters, personParameter, personText} from '../http/shared-schemas.js';

const kind = z.enum(absenceKinds, 'must be away or skip');

const filters = {
  member: personParameter.optional().meta({description: `Only absences of this member, ${personText}`}),
  team: reference
    .optional()
    .meta({description: 'Only absences of members of this team that apply to this team.'}),
  kind: kind.optional().meta({description: 'Only absences of this kind.'}),
  from: date.optional().meta({description: 'Only absences with a day on or after this date.'}),
  until: date.optional().meta({description: 'Only absences with a day on or before this date.'}),
};

const areDaysInOrder = ({from, until: last}: {from?: string | undefined; until?: string | undefined}) =>
  from === undefined || last === undefined || from <= last;

const days = z.object({from: date, until: date});

const backwards = {
  path: ['until'],
  message: 'must not be before `from`',
  // The order of the days is also checked when another field is wrong.
  when: ({value}: {value: unknown}) => days.safeParse(value).success,
};

export const absenceQuerySchema = z
  .strictObject({...pageParameters, ...filters})
  .refine(areDaysInOrder, backwards);

export const absenceExportSchema = z
  .strictObject({format: formatParameter, ...filters})
  .refine(areDaysInOrder, backwards);
