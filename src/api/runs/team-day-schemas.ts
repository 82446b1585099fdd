import {z} from 'zod';
import {answersShown} from '../questions/schemas.js';
import {runCountsSchema, runSchema} from './schemas.js';
import {date, id, instant} from '../http/shared-schemas.js';
import {standupSchema} from '../standups/schemas.js';

const beyond = 'null when the day has more words than are shown.';

const {id: run, kind, state, opens_at, closes_at} = runSchema.shape;
const {id: standup, revision, source, late, edited, created_at} = standupSchema.shape;

const dayPersonSchema = z
  .object({
    member: z.object({type: z.literal('member'), id: id('member'), name: z.string()}),
    timezone: z.string().meta({description: "Theirs; the team's for those who have none."}),
    status: z.string().meta({
      description:
        '`posted`, `late`, `expected` (they have not posted yet, and still can in time), `missed`, `unreachable` (Slack could not deliver their reminder), `away`, `holiday`, `skipped`, or `not_expected`: no run asks them for a standup; more may follow.',
    }),
    reason: z.string().nullable().meta({
      description:
        'Of a day off: what they, or the calendar, say; null where that is for leads alone (`reason_for` of the absence).',
    }),
    until: date.nullable().meta({description: 'Its last day, where that is known.'}),
    closes_at: instant
      .nullable()
      .meta({description: 'When the run closes for them, or will; null where none asks them.'}),
    standups: z
      .array(
        z.object({
          id: standup,
          revision,
          source,
          late,
          edited,
          created_at,
          update: z
            .string()
            .nullable()
            .meta({description: `What they wrote; ${beyond}`}),
          answers: answersShown.answers
            .nullable()
            .meta({description: `Empty for an update alone; ${beyond}`}),
        }),
      )
      .meta({description: 'What they have posted for the day, the earliest first.'}),
  })
  .meta({id: 'DayPerson', description: 'How somebody stands on a day of a team.'});

export const teamDaySchema = z
  .object({
    object: z.literal('team_day'),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    date,
    timezone: z.string().meta({description: "The team's."}),
    run: z
      .object({id: run, kind, state, opens_at, closes_at})
      .nullable()
      .meta({description: 'The run of the day; null where there is none, or none yet.'}),
    counts: runCountsSchema,
    people: z.array(dayPersonSchema).meta({description: 'By name.'}),
    truncated: z
      .boolean()
      .meta({description: 'True when standups have more than 1,000,000 characters: what is beyond is null.'}),
  })
  .meta({id: 'TeamDay', description: 'How everybody of a team stands on a day, and what they have said.'});
