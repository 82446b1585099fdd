import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {
  minutesOpen,
  type NewSchedule,
  promptTimes,
  usualReminder,
  weekdays,
} from '../../domain/schedules/schedule.js';
import {clockTime, date} from '../http/shared-schemas.js';

const day = z.enum(weekdays, `must be one of ${weekdays.map((name) => `"${name}"`).join(', ')}`);

const closes = clockTime.meta({
  description:
    'When it is before `opens`, on the day after: a run may cross midnight. Never the time of `opens`.',
  examples: ['11:00'],
});

const minutesBefore = z
  .int()
  .min(1, 'must be at least 1 minute before closing')
  .max(1_439, 'must be less than a day before closing');

const reminders = z
  .array(minutesBefore)
  .max(limits.remindersPerRun, `has at most ${limits.remindersPerRun} reminders`)
  .refine((minutes) => new Set(minutes).size === minutes.length, 'has the same minute twice')
  .meta({
    uniqueItems: true,
    description: 'Minutes before closing at which those who have not posted are reminded.',
    examples: [[60, 15]],
  });

const clock = z.enum(['team', 'member'], 'must be "team" or "member"').meta({
  description:
    "Whose clocks the times go by: the team's zone, or each member's own (the team's for those who have none).",
});

/** Later days cannot be written as `YYYY-MM-DD`; this leaves room for looking ahead. */
const lastDate = '8999-12-31';

export const scheduleDate = date.refine((value) => value <= lastDate, `must not be after ${lastDate}`);

const startsOn = scheduleDate.meta({description: 'No run before it; weeks are counted from its own.'});

const times = {opens: clockTime.meta({description: 'On the date of the run.'}), closes, clock};

const weekly = {
  frequency: z.literal('weekly'),
  interval: z
    .int()
    .min(1, 'must be at least 1 week')
    .max(limits.scheduleInterval, `must be at most ${limits.scheduleInterval} weeks`)
    .meta({description: 'Every so many weeks, from the week of `starts_on` on.'}),
  days: z
    .array(day)
    .min(1, 'has at least one day')
    .max(weekdays.length, `has at most ${weekdays.length} days`)
    .refine((days) => new Set(days).size === days.length, 'has the same day twice')
    .meta({uniqueItems: true, examples: [['mon', 'tue', 'wed', 'thu', 'fri']]}),
};

const nth = [1, 2, 3, 4, -1] as const;
const monthly = {
  frequency: z.literal('monthly'),
  nth: z
    .literal(nth, 'must be 1, 2, 3, 4 or -1')
    .meta({description: 'The n-th such day of each month; -1: the last.'}),
  day,
};

const shown = {...times, reminders: z.array(z.int()), starts_on: startsOn};

export const scheduleSchema = z
  .discriminatedUnion('frequency', [
    z.object({...weekly, days: z.array(z.string()), ...shown}),
    z.object({...monthly, ...shown}),
  ])
  .meta({
    id: 'Schedule',
    type: 'object',
    description: "When a team's runs open, remind and close, by the clocks on the wall.",
  });

const given = {
  ...times,
  clock: clock.optional().meta({description: '`team` when left out.'}),
  reminders: reminders.optional().meta({
    description: `Minutes before closing at which those who have not posted are reminded. When left out ${usualReminder}; none where a run is open for less than that.`,
  }),
  starts_on: startsOn.optional().meta({description: "Today in the team's zone when left out."}),
};

const timesOf = z.object({opens: clockTime, closes: clockTime});

/** Lets times be compared even if something else is wrong. */
function hasTimes({value}: {value: unknown}): boolean {
  return timesOf.safeParse(value).success;
}

export const newScheduleSchema = z
  .discriminatedUnion('frequency', [
    z.strictObject({...weekly, interval: weekly.interval.optional(), ...given}),
    z.strictObject({...monthly, ...given}),
  ])
  .superRefine(
    (schedule: NewSchedule, context) => {
      const open = minutesOpen(schedule);
      const {reminders: asked} = schedule;
      const tooEarly = Array.isArray(asked) ? asked.findIndex((minutes) => minutes > open) : -1;
      if (schedule.opens === schedule.closes) {
        context.addIssue({code: 'custom', path: ['closes'], message: 'must differ from `opens`'});
      } else if (tooEarly >= 0) {
        const message = `must be at most ${open} minutes before closing, when the run opens`;
        context.addIssue({code: 'custom', path: ['reminders', tooEarly], message});
      }
    },
    {when: hasTimes},
  )
  .meta({id: 'NewSchedule', type: 'object', description: 'What a schedule is made from.'});

export const latePolicySchema = z
  .discriminatedUnion('accept', [
    z.strictObject({accept: z.literal('always')}),
    z.strictObject({accept: z.literal('never')}),
    z.strictObject({
      accept: z.literal('until'),
      minutes: z
        .int()
        .min(1, 'must be at least 1 minute')
        .max(limits.lateMinutes, `must be at most ${limits.lateMinutes} minutes`)
        .meta({description: 'After closing.', examples: [30]}),
    }),
  ])
  .meta({
    id: 'LatePolicy',
    type: 'object',
    description: 'Whether a run that has closed takes standups. They are marked late.',
    examples: [{accept: 'until', minutes: 30}],
  });

export const promptAt = z
  .enum(promptTimes, `must be one of ${promptTimes.map((time) => `"${time}"`).join(', ')}`)
  .meta({
    description:
      'When members are asked for their standup in Slack: `opening`, when the run opens; `before_closing`, at the `reminders` of the schedule; `both`. A member may choose for themselves.',
  });
