import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {newScheduleSchema, scheduleDate} from './schemas.js';
import {countParameter, date, id, instant, timezone} from '../http/shared-schemas.js';

const localTime = z.string().meta({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$',
  examples: ['2026-11-23T09:30'],
  description: 'What the clocks on the wall show.',
});

const window = {
  opens_at: instant,
  closes_at: instant,
  reminders_at: z.array(instant).meta({description: 'The reminders of the schedule.'}),
  asked_at: z.array(instant).meta({
    description:
      'When somebody is asked in Slack: at the opening, at the reminders, or at both, as the team (`prompt_at`) and each member say. None of members who want no reminders.',
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
    timezone: z.string().meta({description: "Theirs; the team's for those who have none."}),
    ...window,
  })
  .meta({
    id: 'PreviewedMember',
    description:
      "When a run is for one of the team's members. The instants differ between members where the schedule goes by their own clocks.",
  });

const previewedRunSchema = z
  .object({
    date,
    ...window,
    members: z.array(previewedMemberSchema).meta({description: 'By name.'}),
  })
  .meta({
    id: 'PreviewedRun',
    description:
      "A run that is to come: from its opening for the first to its closing for the last of its members. `local` is in the team's zone.",
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
        description: 'Why there is no run: `no_schedule` or `paused`. Null when there are some.',
      }),
    runs: z.array(previewedRunSchema).meta({description: 'The earliest first.'}),
  })
  .meta({
    id: 'SchedulePreview',
    description: 'The next runs of a team. Computed anew for each request: nothing of it is kept.',
  });

export const scheduleDraftSchema = z
  .strictObject({
    schedule: newScheduleSchema,
    timezone: timezone.optional().meta({description: 'That of the team when left out.'}),
  })
  .meta({id: 'ScheduleDraft', description: 'A schedule that somebody thinks of.'});

/** Runs in a preview when the request names no number. */
export const usualRuns = 5;

export const previewQuerySchema = z.strictObject({
  limit: countParameter(
    'How many runs. Of a team with more than 100 members there are fewer of the later ones: no answer names more than 5,000 members.',
    limits.previewRuns,
    usualRuns,
  ),
  from: scheduleDate.optional().meta({
    description:
      'The first date, which may be past. Without it: the runs that have not opened yet, on dates that have had no other.',
  }),
});
