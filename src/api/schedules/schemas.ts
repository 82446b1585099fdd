import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {
  countMinutesRunIsOpen,
  type NewSchedule,
  promptTimes,
  usualReminder,
  weekdays,
} from '../../domain/schedules/schedule.js';
import {clockTime, date} from '../http/shared-schemas.js';

const day = z.enum(weekdays, `must be one of ${weekdays.map((name) => `"${name}"`).join(', ')}`);

const closes = clockTime.meta({
  description:
    'The closing time. A time before `opens` is on the next day: a run can cross midnight. It cannot equal `opens`.',
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
    "The time zone of the times. `team`: the team's zone. `member`: each member's own zone, or the team's if they have none.",
});

/** The last accepted date. It leaves room for later runs, since dates after 9999 do not fit `YYYY-MM-DD`. */
const lastDate = '8999-12-31';

export const scheduleDate = date.refine((value) => value <= lastDate, `must not be after ${lastDate}`);

const startsOn = scheduleDate.meta({description: 'The first date. Weeks are counted from its week.'});

const times = {
  opens: clockTime.meta({description: 'The opening time, on the date of the run.'}),
  closes,
  clock,
};

const weekly = {
  frequency: z.literal('weekly'),
  interval: z
    .int()
    .min(1, 'must be at least 1 week')
    .max(limits.scheduleInterval, `must be at most ${limits.scheduleInterval} weeks`)
    .meta({description: 'The number of weeks between runs, counted from the week of `starts_on`.'}),
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
    .meta({description: 'Which of these weekdays in each month: 1 is the first, and -1 is the last.'}),
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
    description: "When a team's runs open, remind and close, in local time.",
  });

const given = {
  ...times,
  clock: clock.optional().meta({
    description: "The time zone of the times: the team's, or each member's own. The default is `team`.",
  }),
  reminders: reminders.optional().meta({
    description: `The minutes before closing at which members who have not posted are reminded. The default is ${usualReminder}, or none if a run is open for less than that.`,
  }),
  starts_on: startsOn
    .optional()
    .meta({description: "The first date. The default is today in the team's zone."}),
};

const timesOf = z.object({opens: clockTime, closes: clockTime});

/** True if the times can be compared, even if something else is wrong. */
function hasValidTimes({value}: {value: unknown}): boolean {
  return timesOf.safeParse(value).success;
}

export const newScheduleSchema = z
  .discriminatedUnion('frequency', [
    z.strictObject({...weekly, interval: weekly.interval.optional(), ...given}),
    z.strictObject({...monthly, ...given}),
  ])
  .superRefine(
    (schedule: NewSchedule, context) => {
      const open = countMinutesRunIsOpen(schedule);
      const {reminders: asked} = schedule;
      const tooEarly = Array.isArray(asked) ? asked.findIndex((minutes) => minutes > open) : -1;
      if (schedule.opens === schedule.closes) {
        context.addIssue({code: 'custom', path: ['closes'], message: 'must differ from `opens`'});
      } else if (tooEarly >= 0) {
        const message = `must be at most ${open} minutes before closing, when the run opens`;
        context.addIssue({code: 'custom', path: ['reminders', tooEarly], message});
      }
    },
    {when: hasValidTimes},
  )
  .meta({id: 'NewSchedule', type: 'object', description: 'The fields of a new schedule.'});

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
        .meta({description: 'The number of minutes after closing.', examples: [30]}),
    }),
  ])
  .meta({
    id: 'LatePolicy',
    type: 'object',
    description: 'Whether a closed run accepts standups. They are marked late.',
    examples: [{accept: 'until', minutes: 30}],
  });

export const promptAt = z
  .enum(promptTimes, `must be one of ${promptTimes.map((time) => `"${time}"`).join(', ')}`)
  .meta({
    description:
      'When members are asked for their standup in Slack: `opening`, when the run opens; `before_closing`, at the `reminders` of the schedule; `both`. A member can choose their own setting.',
  });
