import {useEffect, useRef, useState} from 'react';
import {api, dataOf} from '../api/client.ts';
import {dropDraft, keepDraft, readDraft} from '../api/drafts.ts';
import {Problem} from '../api/problem.ts';
import {queryClient, teamQuery} from '../api/queries.ts';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {words} from '../words/words.ts';
import type {Team, TeamChange} from './queries.ts';

/** One section of the settings: the part of a team that it shows and changes. */
export interface SectionOf<Draft> {
  /** The name of its draft in the browser. */
  readonly name: string;
  readonly read: (team: Team) => Draft;
  readonly write: (draft: Draft) => TeamChange;
}

interface Kept<Draft> {
  readonly draft: Draft;
  /** The team's saved values when the draft was started. */
  readonly base: Draft;
}

export interface Section<Draft> {
  readonly draft: Draft;
  readonly set: (draft: Draft) => void;
  readonly isChanged: boolean;
  /** The values that another person has saved in the meantime. */
  readonly theirs: Draft | undefined;
  readonly keepMine: () => void;
  /** Discards the draft. */
  readonly reset: () => void;
  readonly save: () => Promise<void>;
  readonly isPending: boolean;
  readonly problem: Problem | undefined;
}

/**
 * Saves a section on its own. Changes that other people save elsewhere in the team do not affect it; their
 * changes to this section are shown beside the draft.
 */
export function useSection<Draft>(team: Team, {name, read, write}: SectionOf<Draft>): Section<Draft> {
  const place = `team-${name}:${team.id}`;
  const [kept, setKept] = useState(() => readDraft<Kept<Draft>>(place));
  const newest = useRef(kept);
  const own = read(team);
  const draft = kept?.draft ?? own;
  const isChanged = kept !== undefined && !isSame(kept.draft, own);
  const isMoved = kept !== undefined && isChanged && !isSame(kept.base, own);

  function keep(next: Kept<Draft> | undefined): void {
    newest.current = next;
    setKept(next);
    if (next === undefined) dropDraft(place);
    else keepDraft(place, next);
  }

  const {run, isPending, problem, reset} = useAction(async () => {
    const saved = await saveTeam(team, write(draft), (newest) => isSame(read(newest), own));
    if (saved === undefined) return;
    // Text typed during the save becomes a draft on top of the saved values.
    const typed = newest.current?.draft ?? draft;
    keep(isSame(typed, draft) ? undefined : {draft: typed, base: read(saved)});
    toast({text: words.team.saved});
  });

  const isOver = kept !== undefined && !isChanged;
  // The save succeeded although its response was lost: delete the draft, so that it is not kept for a later
  // state.
  useEffect(() => {
    if (isOver && !isPending) keep(undefined);
  });

  return {
    draft,
    set: (next) => {
      if (isSame(next, own)) keep(undefined);
      else keep({draft: next, base: kept?.base ?? own});
    },
    isChanged,
    theirs: isMoved ? own : undefined,
    keepMine: () => {
      reset();
      keep({draft, base: own});
    },
    reset: () => {
      reset();
      keep(undefined);
    },
    save: async () => {
      if (isChanged && !isMoved && !isPending) await run();
    },
    isPending,
    problem,
  };
}

/**
 * Retries on the newest revision when another person has saved other settings of the team in between.
 * Resolves to undefined when they saved the same section: the newest team is then cached, and the section
 * shows both.
 */
async function saveTeam(
  team: Team,
  body: TeamChange,
  isUntouched: (newest: Team) => boolean,
): Promise<Team | undefined> {
  const {queryKey} = teamQuery(team.slug);
  let revision = team.revision;
  for (let tries = 1; ; tries += 1) {
    try {
      const params = {path: {team: team.slug}, header: {'If-Match': `"${revision}"`}};
      const saved = await dataOf(api.PATCH('/v1/teams/{team}', {params, body}));
      queryClient.setQueryData(queryKey, saved);
      return saved;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412 || tries === 3) throw error;
      const newest = await queryClient.fetchQuery({...teamQuery(team.slug), staleTime: 0});
      if (!isUntouched(newest)) return undefined;
      revision = newest.revision;
    }
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
