import {type Id, isId} from '../core/ids.js';
import {formatPass, parsePass, type Pass} from './session.js';

/** The start of the path of every shared page. The rest is a secret. */
export const sharePath = '/shared/';

/** A week of a team that everyone with a link may read, and how much of it. */
export interface WeekShare {
  readonly team: Id<'team'>;
  readonly monday: string;
  /** True if the page names people. */
  readonly names: boolean;
  /** True if the page has the texts of open blockers. */
  readonly blockers: boolean;
  /** True if the team was private when the link was made, so an owner or admin has allowed it. */
  readonly ofPrivateTeam: boolean;
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const optionsPattern = /^n?b?p?$/;

/** Returns what a link opens, as it stands behind its secret. */
export function formatWeekShare({team, monday, names, blockers, ofPrivateTeam}: WeekShare): string {
  return `${team}.${monday}.${names ? 'n' : ''}${blockers ? 'b' : ''}${ofPrivateTeam ? 'p' : ''}`;
}

export function createShareAddress(publicUrl: string, pass: Pass): string {
  return `${publicUrl}${sharePath}${formatPass(pass)}`;
}

/** Parses the secret part of a link; undefined for a malformed one. What it opens is a part of the secret. */
export function parseShareLink(text: string): {readonly pass: Pass; readonly share: WeekShare} | undefined {
  const [workspace, suffix, secret, team = '', monday = '', options = 'x', ...rest] = text.split('.');
  const pass = parsePass([workspace, suffix, secret].join('.'));
  if (pass === undefined || rest.length > 0 || !isId('team', team)) return undefined;
  if (!datePattern.test(monday) || !optionsPattern.test(options)) return undefined;
  const share = {
    team,
    monday,
    names: options.includes('n'),
    blockers: options.includes('b'),
    ofPrivateTeam: options.includes('p'),
  };
  return {pass: {...pass, secret: `${pass.secret}.${formatWeekShare(share)}`}, share};
}
