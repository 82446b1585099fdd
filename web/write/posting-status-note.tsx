import type {ReactNode} from 'react';
import {Icon, type IconName} from '../parts/icon.tsx';
import {
  formatOtherZoneSuffix,
  dateInZone,
  formatDay,
  formatRelative,
  formatViewerAndTeamTime,
  formatTimeWithDay,
} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {PostingStatus} from './posting-status.ts';

type Tone = 'posted' | 'late' | 'missed' | 'quiet';

/** Shows whether a standup posted now is on time, before anything is typed. */
export function PostingStatusNote({
  postingStatus,
  now,
  zone,
  team,
}: {
  readonly postingStatus: PostingStatus;
  readonly now: number;
  readonly zone: string;
  /** Name of the team, if the standup is for several teams. */
  readonly team?: string | undefined;
}) {
  const {postingStatus: said} = texts.write;
  const timeOf = (instant: number): string => formatViewerAndTeamTime(instant, zone, dateInZone(now));
  const heading = team === undefined ? null : <strong>{team}: </strong>;
  switch (postingStatus.is) {
    case 'in-time': {
      const {closes, opens} = postingStatus;
      const today = dateInZone(now);
      const text = said.inTime({
        time: formatTimeWithDay(closes, today),
        also: formatOtherZoneSuffix(closes, zone, today),
      });
      const left = formatRelative(closes, now).replaceAll(' ', '\u00a0');
      return (
        <StatusNote icon="check" tone="posted">
          {heading}
          {text}
          {dateInZone(closes) === today && ` · ${left}`}
          {opens !== undefined && `. ${said.opens({time: formatViewerAndTeamTime(opens, zone, today)})}`}
        </StatusNote>
      );
    }
    case 'late': {
      const {closed, until} = postingStatus;
      return (
        <StatusNote icon="clock" tone="late">
          {heading}
          {until === undefined
            ? said.late({time: timeOf(closed)})
            : said.lateUntil({time: timeOf(closed), until: timeOf(until)})}
        </StatusNote>
      );
    }
    case 'refused':
      return (
        <StatusNote icon="cross" tone="missed">
          {heading}
          {said.refused({time: timeOf(postingStatus.closed)})} {said.refusedCure}
        </StatusNote>
      );
    case 'any-time':
      return (
        <StatusNote icon="check" tone="posted">
          {heading}
          {said.anyTime}
        </StatusNote>
      );
    case 'free':
      return (
        <StatusNote icon={postingStatus.status === 'away' ? 'moon' : 'circle'} tone="quiet">
          {heading}
          {describeTimeOff(postingStatus)}
        </StatusNote>
      );
  }
}

function describeTimeOff({status, until}: Extract<PostingStatus, {is: 'free'}>): string {
  const {postingStatus} = texts.write;
  if (status === 'away')
    return until === null ? postingStatus.awayOpen : postingStatus.away({until: formatDay(until)});
  if (status === 'holiday') return postingStatus.holiday;
  return status === 'skipped' ? postingStatus.skipped : postingStatus.free;
}

/** Background, and colour of the icon. */
const fills: Readonly<Record<Tone, string>> = {
  posted: 'bg-inset *:[svg]:flex-none *:[svg]:text-posted',
  late: 'bg-[color-mix(in_srgb,var(--color-card),var(--color-late)_10%)] *:[svg]:flex-none *:[svg]:text-late',
  missed:
    'bg-[color-mix(in_srgb,var(--color-card),var(--color-missed)_9%)] *:[svg]:flex-none *:[svg]:text-missed',
  quiet: 'bg-inset *:[svg]:flex-none *:[svg]:text-quiet',
};

export function StatusNote({
  icon,
  tone,
  children,
}: {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly children: ReactNode;
}) {
  return (
    <div className={`flex gap-2.5 rounded-lg px-3 py-2.5 ${fills[tone]}`} data-tone={tone}>
      <Icon name={icon} />
      <p className="text-pretty *:[strong]:font-semibold">{children}</p>
    </div>
  );
}
