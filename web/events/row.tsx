import {Link} from '@tanstack/react-router';
import type {Event} from '../api/schema.ts';
import {Icon, type IconName} from '../parts/icon.tsx';
import {formatMoment} from '../texts/format.ts';
import {formatClock} from '../texts/format-exact.ts';
import {describeEvent} from './facts.ts';
import {type NameLookup, nameOfSource} from './names.ts';

const icons: Readonly<Record<string, IconName>> = {
  standup: 'write',
  team: 'people',
  member: 'people',
  import: 'write',
  absence: 'moon',
  holiday_calendar: 'calendar',
  token: 'key',
  workspace: 'settings',
  webhook: 'webhook',
  run: 'clock',
  blocker: 'blocker',
  comment: 'write',
  reaction: 'star',
  slack: 'link',
};
/** Event types that report a problem and are highlighted. */
const troubles: ReadonlySet<string> = new Set([
  'webhook.failing',
  'webhook.disabled',
  'run.missed',
  'slack.disconnected',
  'slack.post_failed',
  'slack.report_failed',
  'invite.mail_failed',
  'member.mail_failed',
]);

interface EventRowProps {
  readonly event: Event;
  readonly names: NameLookup;
  readonly isChosen: boolean;
}

const rowClass =
  'group grid scroll-mt-[110px] scroll-mb-10 grid-cols-[80px_20px_minmax(0,1fr)] items-start gap-3 border-t border-line px-4 py-2.5 text-inherit no-underline in-[li:first-child]:rounded-t-lg in-[li:first-child]:border-t-0 in-[li:last-child]:rounded-b-lg hover:bg-inset focus-visible:-outline-offset-3 data-chosen:bg-inset data-chosen:shadow-[inset_3px_0_0_var(--color-accent)] data-chosen:rtl:shadow-[inset_-3px_0_0_var(--color-accent)] max-md:grid-cols-[20px_minmax(0,1fr)] max-md:px-3 forced-colors:data-chosen:outline-2 forced-colors:data-chosen:-outline-offset-2 forced-colors:data-chosen:outline-[Highlight]';

export function EventRow({event, names, isChosen}: EventRowProps) {
  const {id, type, timestamp, actor, previous_attributes: previous} = event;
  const isTrouble = troubles.has(type);
  const icon = isTrouble ? 'warning' : (icons[type.slice(0, type.indexOf('.'))] ?? 'event');
  const fields = Object.keys(previous ?? {});
  return (
    <li>
      <Link
        className={rowClass}
        data-chosen={isChosen || undefined}
        data-event={id}
        data-trouble={isTrouble || undefined}
        replace
        resetScroll={false}
        search={(now) => ({...now, event: id})}
        to="/events"
      >
        <time
          className="text-xs/5 text-quiet tabular-nums max-md:col-2 max-md:leading-4"
          dateTime={timestamp}
          title={formatMoment(timestamp)}
        >
          {formatClock(timestamp)}
        </time>
        <span className="inline-flex text-quiet group-data-trouble:text-missed max-md:col-1 max-md:row-span-2 max-md:row-start-1">
          <Icon name={icon} />
        </span>
        <span className="grid min-w-0 gap-0.5 max-md:col-2 max-md:-mt-2.5">
          <span dir="auto">{describeEvent(event, names)}</span>
          <span className="flex min-w-0 flex-wrap gap-x-3 text-xs text-quiet">
            <code>{type}</code>
            {actor !== null && actor.source !== 'system' && <span>{nameOfSource(actor.source)}</span>}
            {fields.length > 0 && <span>{fields.slice(0, 4).join(', ')}</span>}
            {typeof actor?.request_id === 'string' && (
              <code className="ms-auto @max-[640px]:hidden">{actor.request_id}</code>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}
