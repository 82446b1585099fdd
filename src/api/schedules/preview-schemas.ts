import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {newScheduleSchema, scheduleDate} from '../../domain/schedules/schedule.js';
import {date, id, instant, timezone} from '../../domain/core/schemas.js';
import {countParameter} from '../http/shared-schemas.js';

const localTime = z.string().meta({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$',
  examples: ['2026-11-23T09:30'],
  description: 'The local date and time.',
});

const window = {
  opens_at: instant,
  closes_at: instant,
  reminders_at: z.array(instant).meta({description: 'The times of the reminders of the schedule.'}),
  asked_at: z.array(instant).meta({
    description:
      'When the member is asked in Slack: at the opening, at the reminders, or at both, by the settings of the team (`prompt_at`) and the member. Empty for members with reminders off.',
  }),
  local: z.object({
    opens: localTime,
    closes: localTime.meta({...localTime.meta(), examples: ['2026-11-23T11:00']}),
    reminders: z.array(localTime),
  }),
};

const previewedMemberSchema = z
  .object({
    id: id('member'),
    name: z.string(),
    timezone: z.string().meta({description: "The time zone of the member, or the team's if they have none."}),
    ...window,
  })
  .meta({
    id: 'PreviewedMember',
    description:
      "The times of a run for one of the team's members. The instants differ between members if the schedule uses their own zones.",
  });

const previewedRunSchema = z
  .object({
    date,
    ...window,
    members: z.array(previewedMemberSchema).meta({description: 'The members, by name.'}),
  })
  .meta({
    id: 'PreviewedRun',
    description:
      "A future run, from its opening for the first to its closing for the last of its members. `local` is in the team's zone.",
  });

export const schedulePreviewSchema = z
  .object({
    object: z.literal('schedule_preview'),
    team: z.string(),
    team_id: id('team'),
    timezone: z.string(),
    reason: z
      .string()
      .nullable()
      .meta({
        examples: [null],
        description: 'Why there is no run: `no_schedule` or `paused`. Null if there are runs.',
      }),
    runs: z.array(previewedRunSchema).meta({description: 'The dates, the earliest first.'}),
  })
  .meta({
    id: 'SchedulePreview',
    description: 'The next runs of a team. They are computed for each request and not stored.',
  });

export const scheduleDraftSchema = z
  .strictObject({
    schedule: newScheduleSchema,
    timezone: timezone.optional().meta({description: "The time zone. The default is the team's."}),
  })
  .meta({id: 'ScheduleDraft', description: 'A schedule to preview.'});

/** The number of runs in a preview when the request names none. */
export const usualRuns = 5;

export const previewQuerySchema = z.strictObject({
  limit: countParameter(
    'The number of runs. A team with more than 100 members gets fewer: a response names at most 5,000 members.',
    limits.previewRuns,
    usualRuns,
  ),
  from: scheduleDate.optional().meta({
    description:
      'The first date, which can be in the past. The default starts with the runs that have not opened yet, on dates without another run.',
  }),
});
