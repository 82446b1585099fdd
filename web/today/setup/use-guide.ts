import {useQuery} from '@tanstack/react-query';
import {useEffect} from 'react';
import {readQuery} from '../../api/read.ts';
import type {Schema, TeamDay} from '../../api/schema.ts';
import {managesWorkspace, mayUse} from '../../parts/rights.ts';
import {findBrowserZone} from '../../parts/zones.ts';
import {chooseGuide, type Guide} from './guide.ts';
import {addSkip, useSkips} from './skips.ts';

export const setupQuery = readQuery('getSetup', '/v1/setup', {});

/** True if the device is in a known zone other than the team's. */
function isElsewhere(teamZone: string): boolean {
  const own = findBrowserZone();
  return own !== teamZone && own !== 'UTC';
}

interface ShownGuide {
  readonly guide: Guide | undefined;
  /** True if the viewer is asked whether to use the zone of their device. */
  readonly offersZone: boolean;
  readonly setup: Schema<'Setup'> | undefined;
  /** True until it is known which guide to show. */
  readonly isLoading: boolean;
}

/**
 * Reads the first run of the viewer. A guide that is over is not asked for again in this browser, so that the
 * board costs no further request.
 */
export function useGuide(me: Schema<'Me'>, {team, timezone, people}: TeamDay, isToday: boolean): ShownGuide {
  const {id: member} = me.principal;
  const skips = useSkips(member);
  const isManager = managesWorkspace(me);
  const own = isManager ? 'checklist' : 'welcome';
  const role = me.teams?.find(({slug}) => slug === team)?.role;
  // An observer is never asked to post.
  const isConcerned = isManager || (role !== undefined && role !== 'observer');
  const isAsked = isToday && isConcerned && mayUse(me, 'members:read') && !skips.has(own);
  const {data: setup, error} = useQuery({...setupQuery, enabled: isAsked});
  const hasPosted = people.some(
    (person) => person.standups.length > 0 && (isManager || person.member.id === member),
  );
  const guide =
    isAsked && setup !== undefined ? chooseGuide(setup.steps, {isManager, skips, hasPosted}) : undefined;
  const isOver = isAsked && setup !== undefined && guide === undefined;
  useEffect(() => {
    if (isOver) addSkip(member, own);
  }, [isOver, member, own]);
  return {
    guide,
    setup,
    offersZone:
      isToday &&
      // The zone is a step of the other guides.
      (guide === undefined || guide === 'welcome') &&
      me.timezone === null &&
      !skips.has('zone') &&
      !skips.has('timezone') &&
      isElsewhere(timezone),
    isLoading: isAsked && setup === undefined && error === null,
  };
}
