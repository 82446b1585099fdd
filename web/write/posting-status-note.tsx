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
  const [icon, tone, text] = describePostingStatus(postingStatus, now, zone);
  return (
    <StatusNote icon={icon} tone={tone}>
      {team !== undefined && <strong>{team}: </strong>}
      {text}
    </StatusNote>
  );
}

function describePostingStatus(
  status: PostingStatus,
  now: number,
  zone: string,
): readonly [IconName, Tone, string] {
  const {postingStatus: said} = texts.write;
  const today = dateInZone(now);
  const timeOf = (instant: number): string => formatViewerAndTeamTime(instant, zone, today);
  switch (status.is) {
    case 'in-time': {
      const {closes, opens} = status;
      const time = formatTimeWithDay(closes, today);
      const left = formatRelative(closes, now).replaceAll(' ', '\u00a0');
      const also = formatOtherZoneSuffix(closes, zone, today);
      const parts = [
        said.inTime({time, also}),
        dateInZone(closes) === today ? ` · ${left}` : '',
        opens === undefined ? '' : `. ${said.opens({time: timeOf(opens)})}`,
      ];
      return ['check', 'posted', parts.join('')];
    }
    case 'late': {
      const [time, until] = [timeOf(status.closed), status.until];
      const text = until === undefined ? said.late({time}) : said.lateUntil({time, until: timeOf(until)});
      return ['clock', 'late', text];
    }
    case 'refused':
      return ['cross', 'missed', `${said.refused({time: timeOf(status.closed)})} ${said.refusedCure}`];
    case 'any-time':
      return ['check', 'posted', said.anyTime];
    case 'free':
      return [status.status === 'away' ? 'moon' : 'circle', 'quiet', describeTimeOff(status)];
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
