import {z} from 'zod';
import type {Principal} from '../core/access.js';
import {date, id, type Infer, instant, open} from '../core/schemas.js';
import {standupSchema} from '../standups/standup.js';
import {threadSchema} from '../standups/thread.js';
import {runCountsSchema, runSchema, type RunStatus} from './run.js';

/** `not_expected`: no run expects the person, and nothing else is known about the person's day. */
export type DayStatus = RunStatus | 'not_expected';

const beyond = 'Null if it is beyond the size limit of the day.';

const {id: run, kind, state, opens_at, closes_at} = runSchema.shape;
const {id: standup, revision, source, late, edited, created_at, format} = standupSchema.shape;

const dayPersonSchema = z
  .object({
    member: z.object({
      type: z.literal('member'),
      id: id('member'),
      name: z.string(),
    }) as unknown as z.ZodType<Principal>,
    timezone: z.string().meta({description: "The time zone of the member, or the team's if they have none."}),
    status: open<DayStatus>({
      description:
        'The status: `posted`, `late`, `expected` (not posted yet, and still in time), `missed`, `unreachable` (no reminder reached them), `away`, `holiday`, `skipped`, or `not_expected` (no run expects a standup). More values may be added.',
    }),
    reason: z.string().nullable().meta({
      description:
        'The reason of a day off, from the member or the calendar. Null if only leads can read it (`reason_for` of the absence).',
    }),
    until: date.nullable().meta({description: 'The last day off, if known.'}),
    closes_at: instant
      .nullable()
      .meta({description: 'When the run closes for them. Null if no run expects a standup.'}),
    standups: z
      .array(
        z.object({
          id: standup,
          revision,
          source,
          late,
          edited,
          created_at,
          format,
          update: z
            .string()
            .nullable()
            .meta({description: `The text. ${beyond}`}),
          answers: standupSchema.shape.answers
            .nullable()
            .meta({description: `The answers. Empty for an update without answers. ${beyond}`}),
          thread: threadSchema,
        }),
      )
      .meta({description: 'Their standups for the day, the earliest first.'}),
  })
  .meta({id: 'DayPerson', description: 'The status of a member on a day of a team.'});

export const teamDaySchema = z
  .object({
    object: z.literal('team_day'),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    date,
    timezone: z.string().meta({description: 'The time zone of the team.'}),
    run: z
      .object({id: run, kind, state, opens_at, closes_at})
      .nullable()
      .meta({description: 'The run of the day. Null if there is none, or none yet.'}),
    counts: runCountsSchema,
    people: z.array(dayPersonSchema).meta({description: 'The members, by name.'}),
    truncated: z.boolean().meta({
      description: 'Whether standups have more than 1,000,000 characters: texts beyond that are null.',
    }),
  })
  .meta({id: 'TeamDay', description: 'A day of a team: the status and standups of each member.'});

/** The status of every member of a team on a day, with or without a run. */
export type TeamDay = Infer<typeof teamDaySchema>;

export type DayPerson = TeamDay['people'][number];

/** A standup of the day. Its texts are null if the texts of all standups together are too long. */
export type DayStandup = DayPerson['standups'][number];
