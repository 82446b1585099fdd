import {Link, linkOptions, type LinkProps} from '@tanstack/react-router';
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
  const find = (): readonly [text: string, link: LinkProps] | undefined => {
    switch (data['object']) {
      case 'standup':
        return [t.standup, linkOptions({to: '/history', search: {standup: read('id')}})];
      case 'comment':
        return [t.standup, linkOptions({to: '/history', search: {standup: read('standup')}})];
      case 'reaction':
        return [t.standup, linkOptions({to: '/history', search: {standup: read('subject')}})];
      case 'run':
        return [t.run, linkOptions({to: '/t/$team/runs/$date', params: {team, date: read('date')}})];
      case 'team':
      case 'team_member':
        return [t.team, linkOptions({to: '/t/$team/settings', params: {team: read('slug') || team}})];
      case 'member':
        return [t.member, linkOptions({to: '/people/$member', params: {member: read('id')}})];
      case 'blocker':
        return [t.blocker, linkOptions({to: '/blockers', search: {blocker: read('id')}})];
      case 'absence': {
        const search = {person: member, month: read('from').slice(0, 7)};
        return [t.calendar, linkOptions({to: '/calendar', search})];
      }
      case 'holiday_calendar':
        return [t.calendar, linkOptions({to: '/calendar'})];
      case 'webhook':
        return [t.webhook, linkOptions({to: '/webhooks/$webhook', params: {webhook: read('id')}})];
      case 'access_token':
        return [t.tokens, linkOptions({to: '/tokens'})];
      case 'workspace':
        return [t.workspace, linkOptions({to: '/workspace'})];
      default:
        return undefined;
    }
  };
  const [text, link] = find() ?? [];
  if (link === undefined) return null;
  return (
    <Link {...link} className="inline-flex min-h-7 items-center gap-1.5 font-medium">
      {text} <Icon name="arrow-right" size={16} />
    </Link>
  );
}
