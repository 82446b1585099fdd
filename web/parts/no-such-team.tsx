import {Link} from '@tanstack/react-router';
import type {ReactNode} from 'react';
import {Problem} from '../api/problem.ts';
import {texts} from '../texts/texts.ts';
import {Empty} from './empty.tsx';

/** Shown on each team page when the team does not exist. */
export function NoSuchTeam({action}: {readonly action?: ReactNode}) {
  const {missing} = texts.today.team;
  const toToday = <Link to="/">{texts.frame.notFound.cure}</Link>;
  return <Empty action={action ?? toToday} icon="people" text={missing.text} title={missing.title} />;
}

export function isNotFound(error: Error | null): boolean {
  return error instanceof Problem && error.status === 404;
}
