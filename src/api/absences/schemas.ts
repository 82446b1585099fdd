import {z} from 'zod';
import {absenceKinds} from '../../domain/absences/absence.js';
import {limits} from '../../domain/core/limits.js';
import {date, id, principalSchema, reference, text, resourceEnd} from '../../domain/core/schemas.js';
import {pageParameters, formatParameter, personParameter, personText} from '../http/shared-schemas.js';

const kind = z.enum(absenceKinds, 'must be away or skip');

const reason = text(limits.reason)
  .nullable()
  .meta({
    description:
      'The reason, as free text. `reason_for` in the response says who can read it: leads, owners and admins, unless `absence_reasons` of every team that it applies to is `team`.',
    examples: ['Vacation'],
  });

const until = date.nullable().meta({
  description: `The last day, inclusive, at most ${limits.absenceDays} days in all. Null: without an end.`,
  examples: ['2026-11-27'],
});

const team = reference.nullable().meta({
  description: 'The only team that the absence applies to, by id or slug. Null: all teams.',
});

const makerSchema = z
  .object({
    ...principalSchema.shape,
    name: z.string().nullable().meta({description: 'The name. Null after an erasure.'}),
  })
  .meta({description: 'The member or service account that created it.'});

export const absenceSchema = z
  .object({
    id: id('absence'),
    object: z.literal('absence'),
    member: principalSchema,
    kind: z.string().meta({
      examples: ['away'],
      description:
        'The kind: `away`, out of office; `skip`, at work, but not in the standup of that day. More values may be added.',
    }),
    from: z.string().meta({format: 'date', description: 'The first day, in the time zone of the member.'}),
    until: z
      .string()
      .nullable()
      .meta({format: 'date', description: 'The last day, inclusive. Null: without an end.'}),
    reason: z.string().nullable().meta({
      description:
        'The reason. It is null if there is none, or if `reason_for` does not include the caller. In events and reports it is null unless `reason_for` is `team`.',
    }),
    reason_for: z.string().meta({
      examples: ['leads'],
      description:
        'Who can read the reason, as set when it was written. `leads`: the member, leads of their teams that the absence applies to, owners, admins and service accounts. `team`: every member of the workspace, also in the channels of the teams. More values may be added.',
    }),
    team: z
      .string()
      .nullable()
      .meta({description: 'The slug of the only team that the absence applies to. Null: all teams.'}),
    team_id: id('team').nullable(),
    created_by: makerSchema,
    ...resourceEnd,
  })
  .meta({
    id: 'Absence',
    description:
      'Days on which a member is off: they are not reminded, and do not count as missing. Absences can overlap. Away takes precedence over skip, and skip over a public holiday.',
  });

const given = {
  kind: kind.optional(),
  from: date.optional(),
  until: until.optional(),
  reason: reason.optional(),
  team: team.optional(),
};

export const newAbsenceSchema = z
  .strictObject({
    member: z
      .string()
      .min(1, 'must not be empty')
      .max(limits.email, `has at most ${limits.email} characters`)
      .optional()
      .meta({
        description:
          'The member who is absent, by id, e-mail address or Slack user. The default is the caller; a service account must set it.',
        examples: ['ada@example.com'],
      }),
    ...given,
    kind: kind.optional().meta({description: 'The kind. The default is `away`.'}),
    from: date.optional().meta({
      description: 'The first day, up to a year back. The default is today in the time zone of the member.',
    }),
    until: until.optional().meta({
      description: `The last day, inclusive. The default is \`from\`; null: without an end. At most ${limits.absenceDays} days in all; a skip has one day.`,
    }),
  })
  .meta({id: 'NewAbsence', description: 'The fields of a new absence.'});

export const absenceChangeSchema = z
  .strictObject(given)
  .meta({id: 'AbsenceChange', description: 'Changes to an absence, as a JSON merge patch.'});

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
