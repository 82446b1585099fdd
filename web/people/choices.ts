import type {Schema} from '../api/schema.ts';

export const promptTimes = ['team', 'opening', 'before_closing', 'both'] as const;

/** The orders of channels that people may choose. */
export const channelOrders = ['slack,mail', 'mail,slack', 'slack', 'mail'] as const;

/** What the status in Slack may do. */
export const slackStatusChoices = ['ask', 'always', 'never'] as const;

/** The reasons of the inbox for which a message may come, in the order in which they are shown. */
export const noticeReasons = ['mention', 'reply', 'thread', 'blocker'] as const;

type NoticeReason = (typeof noticeReasons)[number];

export interface PreferenceFields extends Record<NoticeReason, boolean> {
  readonly name: string;
  /** Time zone of the member; null for the time zone of each team. */
  readonly timezone: string | null;
  readonly isReminded: boolean;
  readonly promptAt: (typeof promptTimes)[number];
  /** The channels of reminders, the preferred one first. */
  readonly channels: string;
  readonly slackStatus: string;
  /** The reports and notices by mail. */
  readonly daily: boolean;
  readonly weekly: boolean;
  readonly notices: boolean;
  /** Start and end of quiet hours, as times of day; empty for none. */
  readonly quietFrom: string;
  readonly quietUntil: string;
  /** Country of the member's public holidays; null for none. */
  readonly country: string | null;
  readonly region: string | null;
}

export function toPreferenceFields({
  name,
  timezone,
  reminders,
  reports,
  notify,
  slack_status: slackStatus,
  holidays,
}: Schema<'Member'>): PreferenceFields {
  return {
    name,
    timezone,
    isReminded: reminders.enabled,
    promptAt: reminders.prompt_at ?? 'team',
    channels: reminders.channels.join(','),
    slackStatus,
    ...reports,
    mention: notify.mention === 'now',
    reply: notify.reply === 'now',
    thread: notify.thread === 'now',
    blocker: notify.blocker === 'now',
    quietFrom: reminders.quiet_from ?? '',
    quietUntil: reminders.quiet_until ?? '',
    country: holidays.country,
    region: holidays.region,
  };
}

/** The merge patch for the changed preferences; undefined when nothing has changed. */
export function buildPreferencesPatch(
  kept: PreferenceFields,
  now: PreferenceFields,
): Schema<'MemberChange'> | undefined {
  const reminders = {
    ...(now.isReminded !== kept.isReminded && {enabled: now.isReminded}),
    ...(now.promptAt !== kept.promptAt && {prompt_at: now.promptAt === 'team' ? null : now.promptAt}),
    ...(now.channels !== kept.channels && {
      channels: now.channels.split(',').filter((channel) => channel === 'slack' || channel === 'mail'),
    }),
    ...(now.quietFrom !== kept.quietFrom && {quiet_from: now.quietFrom || null}),
    ...(now.quietUntil !== kept.quietUntil && {quiet_until: now.quietUntil || null}),
  };
  const reports = {
    ...(now.daily !== kept.daily && {daily: now.daily}),
    ...(now.weekly !== kept.weekly && {weekly: now.weekly}),
    ...(now.notices !== kept.notices && {notices: now.notices}),
  };
  const changed = noticeReasons.filter((reason) => now[reason] !== kept[reason]);
  const notify = Object.fromEntries(changed.map((reason) => [reason, now[reason] ? 'now' : 'inbox']));
  const status = slackStatusChoices.find((choice) => choice === now.slackStatus);
  const isElsewhere = now.country !== kept.country || now.region !== kept.region;
  const change = {
    ...(now.name !== kept.name && {name: now.name}),
    ...(now.timezone !== kept.timezone && {timezone: now.timezone}),
    ...(Object.keys(reminders).length > 0 && {reminders}),
    ...(Object.keys(reports).length > 0 && {reports}),
    ...(changed.length > 0 && {notify}),
    ...(now.slackStatus !== kept.slackStatus && status !== undefined && {slack_status: status}),
    ...(isElsewhere && {holidays: {country: now.country, region: now.region}}),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}
