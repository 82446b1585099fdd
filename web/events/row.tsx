import {Link} from '@tanstack/react-router';
import {Icon, type IconName} from '../parts/icon.tsx';
import {formatMoment} from '../texts/format.ts';
import {formatClock} from '../texts/format-exact.ts';
import {describeEvent} from './facts.ts';
import type {Event} from './filter.ts';
import {type NameLookup, nameOfSource} from './names.ts';
import styles from './row.module.css';

const icons: Readonly<Record<string, IconName>> = {
  standup: 'write',
  team: 'people',
  member: 'people',
  absence: 'moon',
  holiday_calendar: 'calendar',
  token: 'key',
  workspace: 'settings',
  webhook: 'webhook',
  run: 'clock',
  blocker: 'blocker',
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
]);

interface EventRowProps {
  readonly event: Event;
  readonly names: NameLookup;
  readonly isChosen: boolean;
}

export function EventRow({event, names, isChosen}: EventRowProps) {
  const {id, type, timestamp, actor, previous_attributes: previous} = event;
  const isTrouble = troubles.has(type);
  const icon = isTrouble ? 'warning' : (icons[type.slice(0, type.indexOf('.'))] ?? 'event');
  const fields = Object.keys(previous ?? {});
  return (
    <li>
      <Link
        className={styles['row']}
        data-chosen={isChosen || undefined}
        data-event={id}
        data-trouble={isTrouble || undefined}
        replace
        resetScroll={false}
        search={(now) => ({...now, event: id})}
        to="/events"
      >
        <time className={styles['time']} dateTime={timestamp} title={formatMoment(timestamp)}>
          {formatClock(timestamp)}
        </time>
        <span className={styles['icon']}>
          <Icon name={icon} />
        </span>
        <span className={styles['what']}>
          <span className={styles['sentence']} dir="auto">
            {describeEvent(event, names)}
          </span>
          <span className={styles['more']}>
            <code>{type}</code>
            {actor !== null && actor.source !== 'system' && <span>{nameOfSource(actor.source)}</span>}
            {fields.length > 0 && <span className={styles['fields']}>{fields.slice(0, 4).join(', ')}</span>}
            {typeof actor?.request_id === 'string' && (
              <code className={styles['request']}>{actor.request_id}</code>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}
