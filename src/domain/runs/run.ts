import type {DayOff} from '../absences/absence.js';
import {z} from 'zod';
import {principalSchema} from '../core/access.js';
import type {Id, IdSuffix} from '../core/ids.js';
import {date, id, type Infer, instant, open, resource} from '../core/schemas.js';
import {scheduleSchema} from '../schedules/schedule.js';
import {standupSchema} from '../standups/standup.js';

export type RunState = 'open' | 'closed' | 'missed' | 'cancelled';

const participantSchema = z.object({
  member: id('member'),
  timezone: z
    .string()
    .nullable()
    .meta({description: "The zone of their times: their own, or null for the team's."}),
});

const missedStepSchema = z.object({
  step: open<'open' | 'remind' | 'close'>({description: 'The step: `open`, `remind` or `close`.'}),
  due_at: instant,
});

export const runCountsSchema = z
  .object({
    expected: z
      .int()
      .meta({description: 'The number of members with an expected standup: the base of participation.'}),
    posted: z.int(),
    late: z.int().meta({
      description: 'The number of members who posted after closing, within the late policy of the team.',
    }),
    missed: z.int(),
    away: z.int(),
    holiday: z.int(),
    skipped: z.int(),
    unreachable: z.int().meta({
      description:
        'The number of members who did not post and got no reminder: Slack could not deliver it, or a mail server refused their address.',
    }),
    participation: z.number().min(0).max(1).nullable().meta({
      description: 'The participation: posted or late divided by expected. Null if no one was expected.',
    }),
  })
  .meta({
    id: 'RunCounts',
    description: 'The status counts. `expected` does not include away, holiday and skipped.',
  });

const reportLineSchema = z.object({
  member: z.object({
    type: z.literal('member'),
    id: id('member'),
    name: z.string().nullable().meta({description: 'The name. Null after an erasure.'}),
  }),
  status: open<RunStatus>({
    description:
      'The status: `posted`, `late`, `missed`, `expected` (the run is open), `unreachable`, `away`, `holiday` or `skipped`. More values may be added.',
  }),
  reason: z.string().nullable().meta({
    description:
      'The reason of a day off, from the member or the calendar. Null if only leads can read it (`reason_for` of the absence).',
  }),
  until: date.nullable().meta({description: 'The last day off, if known.'}),
  standups: z
    .array(
      z.object({
        id: id('standup').nullable().meta({description: 'The id. Null after an erasure.'}),
        revision: z.int(),
        late: z.boolean(),
        update: z
          .string()
          .nullable()
          .meta({description: 'The text. Null after an erasure, or if it is beyond the size limit.'}),
        format: standupSchema.shape.format,
      }),
    )
    .meta({description: 'Their standups, the earliest first.'}),
});

const reportSchema = z
  .object({
    counts: runCountsSchema,
    blockers: z.array(
      z.object({
        id: id('blocker'),
        revision: z.int(),
        author: principalSchema,
        text: z.string().nullable(),
        state: z.string(),
        created_at: instant,
      }),
    ),
    lines: z.array(reportLineSchema),
    truncated: z.boolean().meta({
      description: 'Whether updates and blockers have more than 128 KiB: texts beyond that are null.',
    }),
  })
  .meta({id: 'RunReport', description: 'The report of a run: the status and standups of each member.'});

export const runSchema = resource('run', {
  team: z.string().meta({description: 'Slug of the team.'}),
  team_id: id('team'),
  date,
  kind: open<'scheduled' | 'ad_hoc'>({
    description: 'The kind: `scheduled`, or `ad_hoc` for a run opened by a caller.',
  }),
  state: open<RunState>({
    description:
      'The state: `open`; `closed`; `missed`, it never opened, because the service was down or the team was paused; `cancelled`, the team was paused while it was open. `missed` and `cancelled` count for no one.',
  }),
  opens_at: instant.meta({description: 'The planned opening for the first of its members.'}),
  closes_at: instant.meta({description: 'The planned closing for the last of its members.'}),
  opened_at: instant.nullable().meta({description: 'When it opened. Null if it never opened.'}),
  closed_at: instant.nullable().meta({description: 'When it closed. Null if it has not closed.'}),
  schedule: scheduleSchema.nullable().meta({
    description:
      'The schedule when the run opened; the run keeps it to its end. Null for a run opened by a caller.',
  }),
  timezone: z.string().meta({description: "The team's zone when it opened."}),
  participants: z
    .array(participantSchema)
    .meta({description: 'The expected members: those in the team when the run opened.'}),
  missed_steps: z.array(missedStepSchema).meta({
    description:
      'The steps that were not done in time: two hours late or more, or a reminder overtaken by closing or by another reminder.',
  }),
  report: reportSchema
    .nullable()
    .meta({description: 'The result of the run. Null in events before it closed.'}),
}).meta({
  id: 'Run',
  description: "One occurrence of a team's schedule. A team has at most one run for each date.",
});

const {report: _report, participants: _participants, ...summary} = runSchema.shape;

export const runSummarySchema = z
  .object({...summary, counts: runCountsSchema})
  .meta({id: 'RunSummary', description: 'A run with its status counts.'});

/** A run as the store keeps it: its report refers to texts, which are added when it is shown. */
export type Run = Omit<Infer<typeof runSchema>, 'report'> & {readonly report: ReportReferences | null};

/** A run in a list: the numbers of members by status, without names. */
export type RunSummary = Infer<typeof runSummarySchema>;

export type MissedStep = Run['missed_steps'][number];

/** The numbers of members by status. `participation` is the share of expected members who posted. */
export type ReportCounts = Infer<typeof runCountsSchema>;

/** A member's status in a run. `expected`: the run is open and the member has not posted yet. */
export type RunStatus = 'posted' | 'late' | 'missed' | 'expected' | 'unreachable' | DayOff['status'];

/** A member's status if no standup counts. */
export type StatusWithoutStandup = Exclude<RunStatus, 'posted' | 'late'>;

/**
 * A report in the stored form: references to revisions, without text that a person wrote. Texts are added
 * when the report is shown, so an erased text disappears from the report too.
 */
export interface ReportReferences {
  readonly lines: readonly LineReference[];
  readonly blockers: readonly Reference[];
}

export interface LineReference {
  /** The id of the member. `revision`: the revision that has the member's name. */
  readonly member: Id<'member'>;
  readonly revision: number;
  readonly otherwise: StatusWithoutStandup | null;
  /** The name of a holiday. The text of an absence is in the absence itself. */
  readonly holiday?: string;
  readonly until?: string;
  readonly absence?: {readonly id: Id<'absence'>; readonly revision: number};
  readonly standups?: readonly StandupReference[];
}

/** A revision, by the id suffix of its resource. */
export interface Reference {
  readonly suffix: IdSuffix;
  readonly revision: number;
}

export interface StandupReference extends Reference {
  readonly suffix: IdSuffix<'standup'>;
  readonly late: boolean;
}

/** The delay (ms) up to which a late step is still done. */
export const graceMs = 2 * 3_600_000;
