import {z} from 'zod';
import {notBoth, withRules} from '../http/member-rules.js';
import {scheduleSchema} from '../schedules/schemas.js';
import {limits} from '../../domain/core/limits.js';
import {date, id, instant, instantMember, principalSchema, resource} from '../http/shared-schemas.js';

const participantSchema = z.object({
  member: id('member'),
  timezone: z
    .string()
    .nullable()
    .meta({description: "Whose clock they go by: their own zone, or null for the team's."}),
});

const missedStepSchema = z.object({
  step: z.string().meta({description: '`open`, `remind` or `close`.'}),
  due_at: instant,
});

export const runCountsSchema = z
  .object({
    expected: z
      .int()
      .meta({description: 'Of whom a standup was expected: what participation is counted over.'}),
    posted: z.int(),
    late: z
      .int()
      .meta({description: 'Posted after closing, as far as the late policy of the team allows it.'}),
    missed: z.int(),
    away: z.int(),
    holiday: z.int(),
    skipped: z.int(),
    unreachable: z
      .int()
      .meta({description: 'Slack could not deliver their reminder, and they have not posted.'}),
    participation: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({description: 'Posted or late over expected; null when nobody was expected.'}),
  })
  .meta({
    id: 'RunCounts',
    description: 'How many stand how. Away, holiday and skipped are outside of `expected`.',
  });

const reportLineSchema = z.object({
  member: z.object({
    type: z.literal('member'),
    id: id('member'),
    name: z.string().nullable().meta({description: 'Null of somebody who has been erased.'}),
  }),
  status: z.string().meta({
    description:
      '`posted`, `late`, `missed`, `expected` (the run is open), `unreachable`, `away`, `holiday`, `skipped`; more may follow.',
  }),
  reason: z.string().nullable().meta({
    description:
      'Of a day off: what they, or the calendar, say; null where that is for leads alone (`reason_for` of the absence).',
  }),
  until: date.nullable().meta({description: 'Its last day, where that is known.'}),
  standups: z
    .array(
      z.object({
        id: id('standup').nullable().meta({description: 'Null of one that has been erased.'}),
        revision: z.int(),
        late: z.boolean(),
        update: z.string().nullable().meta({description: 'Null when it has been erased, or is cut off.'}),
      }),
    )
    .meta({description: 'What they have posted, the earliest first.'}),
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
    truncated: z
      .boolean()
      .meta({description: 'True when updates and blockers have more than 128 KiB: what is beyond is null.'}),
  })
  .meta({id: 'RunReport', description: 'How everybody stands in a run, and what they have said.'});

export const runSchema = z
  .object({
    id: id('run'),
    object: z.literal('run'),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    date,
    kind: z.string().meta({
      description: '`scheduled`, or `ad_hoc` for one that was opened by somebody and not by the schedule.',
    }),
    state: z.string().meta({
      description:
        '`open`; `closed`; `missed`: it never opened, since the service was away or the team was paused before it could; `cancelled`: the team was paused while it was open. The last two count for nobody.',
    }),
    opens_at: instant.meta({description: 'When it was to open for the first of its people.'}),
    closes_at: instant.meta({description: 'When it is to close for the last of them.'}),
    opened_at: instant.nullable().meta({description: 'When it did; null where it never did.'}),
    closed_at: instant
      .nullable()
      .meta({description: 'When it did; null while it has not, or where it never did.'}),
    schedule: scheduleSchema.nullable().meta({
      description:
        'The schedule as it was when the run opened, by which it goes to its end. Null of one that was opened by somebody.',
    }),
    timezone: z.string().meta({description: "The team's zone when it opened."}),
    participants: z
      .array(participantSchema)
      .meta({description: 'Who is expected: those who were in the team when it opened.'}),
    missed_steps: z.array(missedStepSchema).meta({
      description:
        'What was not done at its time: two hours late or more, or a reminder that closing, or another reminder, had overtaken.',
    }),
    report: reportSchema.nullable().meta({description: 'How it ended; null in events before it has closed.'}),
    ...resource,
  })
  .meta({id: 'Run', description: "One occurrence of a team's schedule: one of a team and date, or none."});

const {report: _report, participants: _participants, ...summary} = runSchema.shape;

export const runSummarySchema = z
  .object({...summary, counts: runCountsSchema})
  .meta({id: 'RunSummary', description: 'A run with how many stand how.'});

export const reminderSchema = z.object({
  at: z.string().meta({
    examples: ['before_closing'],
    description:
      'Why: `opening`, the run opened; `before_closing`, a reminder of the schedule; `asked`, somebody asked for it.',
  }),
  minutes: z
    .int()
    .nullable()
    .meta({description: 'Before closing; null of an opening, and of one that somebody asked for.'}),
  members: z.array(id('member')).meta({
    description:
      'Who was to be reminded by this step: 50 people at most. The bot writes to those who are in Slack, and to nobody else.',
  }),
});

/** A run as `run.reminded` shows it. */
export const remindedRunSchema = z
  .object({...runSchema.shape, reminder: reminderSchema})
  .meta({id: 'RemindedRun', description: 'A run, with who was reminded.'});

const minutes = z
  .int()
  .min(1, 'must be at least 1 minute')
  .max(limits.runMinutes, `must be at most ${limits.runMinutes} minutes`);

export const newRunSchema = withRules(
  z.strictObject({
    closes_at: instantMember
      .optional()
      .meta({description: 'When it closes: after now, and within 24 hours.'}),
    minutes: minutes.optional().meta({description: 'For how long it is open; 60 when neither is given.'}),
  }),
  [notBoth(['closes_at', 'minutes'], 'cannot be given together with `closes_at`')],
).meta({id: 'NewRun', description: 'How long a run that is opened now is open.'});

export const askedReminderSchema = z
  .object({
    object: z.literal('reminder'),
    run: id('run').meta({description: 'The run that is open; the latest of several.'}),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    date: date.meta({description: 'That of the run.'}),
    members: z.array(id('member')).meta({
      description:
        'Who gets a reminder in Slack: those who have not posted in the run, or in any of several that are open, are there, and want reminders.',
    }),
    not_reminded: z
      .array(
        z.object({
          member: id('member'),
          reason: z.string().meta({
            description:
              '`slack_not_connected`: the bot does not serve this workspace. `not_in_slack`: they are linked to no Slack user. `reminders_off`: they want none. `quiet_hours`: theirs last until it closes. `day_off`: they are away, have a holiday, or skip the day. More may follow.',
          }),
        }),
      )
      .meta({description: 'The others who have not posted, and why they get no reminder.'}),
  })
  .meta({id: 'AskedReminder', description: 'Who is reminded of a run, since somebody has asked for it.'});
