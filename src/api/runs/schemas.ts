import {z} from 'zod';
import {forbidBothFields, addRulesToSchema} from '../../domain/core/member-rules.js';
import {scheduleSchema} from '../../domain/schedules/schedule.js';
import {limits} from '../../domain/core/limits.js';
import {principalSchema} from '../../domain/core/access.js';
import {date, id, instant, instantMember, resourceEnd} from '../../domain/core/schemas.js';

const participantSchema = z.object({
  member: id('member'),
  timezone: z
    .string()
    .nullable()
    .meta({description: "The zone of their times: their own, or null for the team's."}),
});

const missedStepSchema = z.object({
  step: z.string().meta({description: 'The step: `open`, `remind` or `close`.'}),
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
      description: 'The number of members who did not post and whose reminder Slack could not deliver.',
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
  status: z.string().meta({
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
      }),
    )
    .meta({description: 'Their standups, the earliest first.'}),
});

export const reportSchema = z
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

export const runSchema = z
  .object({
    id: id('run'),
    object: z.literal('run'),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    date,
    kind: z.string().meta({
      description: 'The kind: `scheduled`, or `ad_hoc` for a run opened by a caller.',
    }),
    state: z.string().meta({
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
    ...resourceEnd,
  })
  .meta({
    id: 'Run',
    description: "One occurrence of a team's schedule. A team has at most one run for each date.",
  });

const {report: _report, participants: _participants, ...summary} = runSchema.shape;

export const runSummarySchema = z
  .object({...summary, counts: runCountsSchema})
  .meta({id: 'RunSummary', description: 'A run with its status counts.'});

export const reminderSchema = z.object({
  at: z.string().meta({
    examples: ['before_closing'],
    description:
      'The reason: `opening`, the run opened; `before_closing`, a reminder of the schedule; `asked`, a caller requested it.',
  }),
  minutes: z
    .int()
    .nullable()
    .meta({description: 'The minutes before closing. Null for `opening` and `asked`.'}),
  members: z.array(id('member')).meta({
    description:
      'The members to remind in this step: 50 at most. The bot notifies only those who are in Slack.',
  }),
});

/** A run in the event `run.reminded`. */
export const remindedRunSchema = z
  .object({...runSchema.shape, reminder: reminderSchema})
  .meta({id: 'RemindedRun', description: 'A run, with the reminded members.'});

const minutes = z
  .int()
  .min(1, 'must be at least 1 minute')
  .max(limits.runMinutes, `must be at most ${limits.runMinutes} minutes`);

export const newRunSchema = addRulesToSchema(
  z.strictObject({
    closes_at: instantMember
      .optional()
      .meta({description: 'When the run closes: in the future, within 24 hours.'}),
    minutes: minutes
      .optional()
      .meta({description: 'The number of minutes it is open. The default is 60 without `closes_at`.'}),
  }),
  [forbidBothFields(['closes_at', 'minutes'], 'cannot be given together with `closes_at`')],
).meta({id: 'NewRun', description: 'The duration of a run that is opened now.'});

export const askedReminderSchema = z
  .object({
    object: z.literal('reminder'),
    run: id('run').meta({description: 'The open run, or the latest of several.'}),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    date: date.meta({description: 'The date of the run.'}),
    members: z.array(id('member')).meta({
      description:
        'The members who get a reminder in Slack: they have not posted in an open run, are not off, and have reminders on.',
    }),
    not_reminded: z
      .array(
        z.object({
          member: id('member'),
          reason: z.string().meta({
            description:
              'The reason. `slack_not_connected`: the bot does not serve this workspace. `not_in_slack`: the member is linked to no Slack user. `reminders_off`: the member has turned reminders off. `quiet_hours`: their quiet hours last until the run closes. `day_off`: the member is away, has a holiday, or skips the day. More values may be added.',
          }),
        }),
      )
      .meta({
        description: 'The other members who have not posted, with the reason why they get no reminder.',
      }),
  })
  .meta({id: 'AskedReminder', description: 'The members reminded of a run by this request.'});
