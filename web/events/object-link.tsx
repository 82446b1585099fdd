import {Link} from '@tanstack/react-router';
import type {ReactNode} from 'react';
import type {Event} from '../api/schema.ts';
import {Icon} from '../parts/icon.tsx';
import {texts} from '../texts/texts.ts';
import {isObject} from './filter.ts';

/** Endings of event types after which the object no longer exists. */
const endings = ['.deleted', '.left', '.revoked', '.member_removed'];

/** Links to the current state of an event's object; renders nothing if the object no longer exists. */
export function ObjectLink({event}: {readonly event: Event}): ReactNode {
  const {type, data} = event;
  if (data === null || endings.some((ending) => type.endsWith(ending))) return null;
  const t = texts.events.inspector.open;
  const read = (name: string): string => {
    const value = data[name];
    return typeof value === 'string' ? value : '';
  };
  const team = read('team_id');
  const member = isObject(data['member']) ? String(data['member']['id']) : '';
  const props = {className: 'inline-flex min-h-7 items-center gap-1.5 font-medium'};
  switch (data['object']) {
    case 'standup':
      return (
        <Link {...props} search={{standup: read('id')}} to="/history">
          <LinkText>{t.standup}</LinkText>
        </Link>
      );
    case 'run':
      return (
        <Link {...props} params={{team, date: read('date')}} to="/t/$team/runs/$date">
          <LinkText>{t.run}</LinkText>
        </Link>
      );
    case 'team':
    case 'team_member':
      return (
        <Link {...props} params={{team: read('slug') || team}} to="/t/$team/settings">
          <LinkText>{t.team}</LinkText>
        </Link>
      );
    case 'member':
      return (
        <Link {...props} params={{member: read('id')}} to="/people/$member">
          <LinkText>{t.member}</LinkText>
        </Link>
      );
    case 'blocker':
      return (
        <Link {...props} search={{blocker: read('id')}} to="/blockers">
          <LinkText>{t.blocker}</LinkText>
        </Link>
      );
    case 'absence':
      return (
        <Link {...props} search={{person: member, month: read('from').slice(0, 7)}} to="/calendar">
          <LinkText>{t.calendar}</LinkText>
        </Link>
      );
    case 'holiday_calendar':
      return (
        <Link {...props} to="/calendar">
          <LinkText>{t.calendar}</LinkText>
        </Link>
      );
    case 'webhook':
      return (
        <Link {...props} params={{webhook: read('id')}} to="/webhooks/$webhook">
          <LinkText>{t.webhook}</LinkText>
        </Link>
      );
    case 'access_token':
      return (
        <Link {...props} to="/tokens">
          <LinkText>{t.tokens}</LinkText>
        </Link>
      );
    case 'workspace':
      return (
        <Link {...props} to="/workspace">
          <LinkText>{t.workspace}</LinkText>
        </Link>
      );
    default:
      return null;
  }
}

function LinkText({children}: {readonly children: string}) {
  return (
    <>
      {children} <Icon name="arrow-right" size={16} />
    </>
  );
}
