import {Link} from '@tanstack/react-router';
import type {ReactNode} from 'react';
import {Icon} from '../parts/icon.tsx';
import {words} from '../words/words.ts';
import {type Event, isObject} from './filter.ts';
import styles from './inspector.module.css';

/** After these events the object no longer exists. */
const endings = ['.deleted', '.left', '.revoked', '.member_removed'];

/** Links to the object of an event in its current state; renders nothing if it no longer exists. */
export function ObjectLink({event}: {readonly event: Event}): ReactNode {
  const {type, data} = event;
  if (data === null || endings.some((ending) => type.endsWith(ending))) return null;
  const t = words.events.inspector.open;
  const read = (name: string): string => {
    const value = data[name];
    return typeof value === 'string' ? value : '';
  };
  const team = read('team_id');
  const member = isObject(data['member']) ? String(data['member']['id']) : '';
  const props = {className: styles['open']};
  switch (data['object']) {
    case 'standup':
      return (
        <Link {...props} search={{standup: read('id')}} to="/history">
          <Words>{t.standup}</Words>
        </Link>
      );
    case 'run':
      return (
        <Link {...props} params={{team, date: read('date')}} to="/t/$team/runs/$date">
          <Words>{t.run}</Words>
        </Link>
      );
    case 'team':
    case 'team_member':
      return (
        <Link {...props} params={{team: read('slug') || team}} to="/t/$team/settings">
          <Words>{t.team}</Words>
        </Link>
      );
    case 'member':
      return (
        <Link {...props} params={{member: read('id')}} to="/people/$member">
          <Words>{t.member}</Words>
        </Link>
      );
    case 'blocker':
      return (
        <Link {...props} search={{blocker: read('id')}} to="/blockers">
          <Words>{t.blocker}</Words>
        </Link>
      );
    case 'absence':
      return (
        <Link {...props} search={{person: member, month: read('from').slice(0, 7)}} to="/calendar">
          <Words>{t.calendar}</Words>
        </Link>
      );
    case 'holiday_calendar':
      return (
        <Link {...props} to="/calendar">
          <Words>{t.calendar}</Words>
        </Link>
      );
    case 'webhook':
      return (
        <Link {...props} params={{webhook: read('id')}} to="/webhooks/$webhook">
          <Words>{t.webhook}</Words>
        </Link>
      );
    case 'access_token':
      return (
        <Link {...props} to="/tokens">
          <Words>{t.tokens}</Words>
        </Link>
      );
    case 'workspace':
      return (
        <Link {...props} to="/workspace">
          <Words>{t.workspace}</Words>
        </Link>
      );
    default:
      return null;
  }
}

function Words({children}: {readonly children: string}) {
  return (
    <>
      {children} <Icon name="arrow-right" size={16} />
    </>
  );
}
