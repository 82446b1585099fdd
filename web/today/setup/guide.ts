// Decides which help the first run shows on Today.
import {useQuery} from '@tanstack/react-query';
import {useEffect} from 'react';
import {readQuery} from '../../api/read.ts';
import type {Schema, TeamDay} from '../../api/schema.ts';
import {managesWorkspace, mayUse} from '../../parts/rights.ts';
import {findBrowserZone} from '../../parts/zones.ts';
import {addSkip, useSkips} from './skips.ts';

type Setup = Schema<'Setup'>;
export type SetupRow = Setup['steps'][number];

/** `checklist`: in place of the board. `card`: beside it. `welcome`: the lines for a new member. */
export type Guide = 'checklist' | 'card' | 'welcome';

const setupQuery = readQuery('getSetup', '/v1/setup', {});

/** Lists the steps that a person may still take. */
export function listLeftSteps({steps}: Setup, skips: ReadonlySet<string>): readonly SetupRow[] {
  return steps.filter(({step, state}) => state === 'open' && !skips.has(step));
}

/** Counts the steps that are done, of those that are needed here. */
export function countSteps({steps}: Setup): {readonly done: number; readonly all: number} {
  const needed = steps.filter(({state, optional}) => state !== 'off' && !optional);
  return {done: needed.filter(({state}) => state === 'done').length, all: needed.length};
}

/** Returns which guide to show; undefined if nothing of it is left to do. */
export function chooseGuide(
  setup: Setup,
  {isManager, skips}: {readonly isManager: boolean; readonly skips: ReadonlySet<string>},
): Guide | undefined {
  const isFirst = setup.steps.some(({step, state}) => step === 'first_standup' && state === 'open');
  if (!isManager) return isFirst && !skips.has('welcome') ? 'welcome' : undefined;
  if (listLeftSteps(setup, skips).every(({optional}) => optional)) return undefined;
  return isFirst ? 'checklist' : 'card';
}

/** True if the device is in a known zone other than the team's. */
function isElsewhere(teamZone: string): boolean {
  const own = findBrowserZone();
  return own !== teamZone && own !== 'UTC';
}

interface ShownGuide {
  readonly guide: Guide | undefined;
  /** True if the viewer is asked whether to use the zone of their device. */
  readonly offersZone: boolean;
  readonly setup: Setup | undefined;
  /** True until it is known which guide to show. */
  readonly isLoading: boolean;
}

/**
 * Reads the first run of the viewer. A guide that is over is not asked for again in this browser, so that the
 * board costs no further request.
 */
export function useGuide(me: Schema<'Me'>, {team, timezone}: TeamDay, isToday: boolean): ShownGuide {
  const {id: member} = me.principal;
  const skips = useSkips(member);
  const isManager = managesWorkspace(me);
  const own = isManager ? 'checklist' : 'welcome';
  const role = me.teams?.find(({slug}) => slug === team)?.role;
  // An observer is never asked to post.
  const isConcerned = isManager || (role !== undefined && role !== 'observer');
  const isAsked = isToday && isConcerned && mayUse(me, 'members:read') && !skips.has(own);
  const {data: setup, error} = useQuery({...setupQuery, enabled: isAsked});
  const guide = isAsked && setup !== undefined ? chooseGuide(setup, {isManager, skips}) : undefined;
  const isOver = isAsked && setup !== undefined && guide === undefined;
  useEffect(() => {
    if (isOver) addSkip(member, own);
  }, [isOver, member, own]);
  return {
    guide,
    setup,
    offersZone:
      isToday && guide !== 'checklist' && me.timezone === null && !skips.has('zone') && isElsewhere(timezone),
    isLoading: isAsked && setup === undefined && error === null,
  };
}
