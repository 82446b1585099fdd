import {z} from 'zod';
import {absenceKinds} from '../../domain/absences/absence.js';
import {limits} from '../../domain/core/limits.js';
import {
  date,
  id,
  pageParameters,
  principalSchema,
  reference,
  resource,
  text,
  formatParameter,
  personParameter,
  personText,
} from '../http/shared-schemas.js';

const kind = z.enum(absenceKinds, 'must be away or skip');

const reason = text(limits.reason)
  .nullable()
  .meta({
    description:
      'Their own words, for those whom `reason_for` of the answer names: leads, owners and admins, unless every team that it is about says otherwise (`absence_reasons`).',
    examples: ['Vacation'],
  });

const until = date.nullable().meta({
  description: `Last day, inclusive, at most ${limits.absenceDays} days in all; null: until they are back.`,
  examples: ['2026-11-27'],
});

const team = reference.nullable().meta({
  description: 'The one team that it is about, by id or slug; null: all.',
});

const makerSchema = z
  .object({
    ...principalSchema.shape,
    name: z.string().nullable().meta({description: 'Null once they are erased.'}),
  })
  .meta({description: 'Who entered it.'});

export const absenceSchema = z
  .object({
    id: id('absence'),
    object: z.literal('absence'),
    member: principalSchema,
    kind: z.string().meta({
      examples: ['away'],
      description:
        '`away`: out of office; `skip`: there, but not in the standup of that day. More may follow.',
    }),
    from: z
      .string()
      .meta({format: 'date', description: 'First day: calendar days are by the clocks of the member.'}),
    until: z
      .string()
      .nullable()
      .meta({format: 'date', description: 'Last day, inclusive; null: until they are back.'}),
    reason: z.string().nullable().meta({
      description:
        'Null as well where it is for `leads` and you are none of them. In events and reports it is null unless it is for the `team`.',
    }),
    reason_for: z.string().meta({
      examples: ['leads'],
      description:
        'Who reads the reason, as it was when it was written. `leads`: the member, leads of a team of theirs that this is about, owners, admins and service accounts; `team`: everybody, in the channels of the teams too. More may follow.',
    }),
    team: z.string().nullable().meta({description: 'Slug of the one team that it is about; null: all.'}),
    team_id: id('team').nullable(),
    created_by: makerSchema,
    ...resource,
  })
  .meta({
    id: 'Absence',
    description:
      'Days on which somebody takes no part: they are not reminded, and do not count as missing. Absences may overlap; being away says more than a skip, and a skip more than a public holiday.',
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
          'Whose absence: a member by id, e-mail address or Slack user. You, when left out; a service account has to say it.',
        examples: ['ada@example.com'],
      }),
    ...given,
    kind: kind.optional().meta({description: '`away` when left out.'}),
    from: date
      .optional()
      .meta({description: 'Today by the clocks of the member when left out; up to a year back.'}),
    until: until.optional().meta({
      description: `Last day, inclusive; \`from\` when left out, null: until they are back. At most ${limits.absenceDays} days in all; a skip has one.`,
    }),
  })
  .meta({id: 'NewAbsence', description: 'What an absence is made from.'});

export const absenceChangeSchema = z
  .strictObject(given)
  .meta({id: 'AbsenceChange', description: 'A merge patch of an absence.'});

const filters = {
  member: personParameter.optional().meta({description: `Only those of this member: ${personText}`}),
  team: reference.optional().meta({description: 'Only of people in this team, and what counts there.'}),
  kind: kind.optional().meta({description: 'Only those of this kind.'}),
  from: date.optional().meta({description: 'Only those with a day from here on.'}),
  until: date.optional().meta({description: 'Only those with a day up to here, inclusive.'}),
};

const inOrder = ({from, until: last}: {from?: string | undefined; until?: string | undefined}) =>
  from === undefined || last === undefined || from <= last;

const days = z.object({from: date, until: date});

const backwards = {
  path: ['until'],
  message: 'must not be before `from`',
  // Checked even when another member is wrong.
  when: ({value}: {value: unknown}) => days.safeParse(value).success,
};

export const absenceQuerySchema = z.strictObject({...pageParameters, ...filters}).refine(inOrder, backwards);

export const absenceExportSchema = z
  .strictObject({format: formatParameter, ...filters})
  .refine(inOrder, backwards);
