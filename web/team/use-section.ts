import {useEffect, useRef, useState} from 'react';
import {api, dataOf} from '../api/client.ts';
import {dropDraft, keepDraft, readDraft} from '../api/drafts.ts';
import {Problem} from '../api/problem.ts';
import {queryClient, teamQuery} from '../api/queries.ts';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {words} from '../words/words.ts';
import type {Team, TeamChange} from './queries.ts';

/** One section of the settings: what it shows of a team, and what it changes. */
export interface SectionOf<Draft> {
  /** Names its draft in the browser. */
  readonly name: string;
  readonly read: (team: Team) => Draft;
  readonly write: (draft: Draft) => TeamChange;
}

interface Kept<Draft> {
  readonly draft: Draft;
  /** The team's own when the draft was begun. */
  readonly base: Draft;
}

export interface Section<Draft> {
  readonly draft: Draft;
  readonly set: (draft: Draft) => void;
  readonly isChanged: boolean;
  /** Saved by somebody else in the meantime. */
  readonly theirs: Draft | undefined;
  readonly keepMine: () => void;
  /** Gives up what was typed. */
  readonly reset: () => void;
  readonly save: () => Promise<void>;
  readonly isPending: boolean;
  readonly problem: Problem | undefined;
}

/**
 * A section saves by itself. What others save elsewhere in the team does not disturb it; what they save in
 * this section is shown beside one's own.
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
    // Later typing goes on from what is saved now.
    const typed = newest.current?.draft ?? draft;
    keep(isSame(typed, draft) ? undefined : {draft: typed, base: read(saved)});
    toast({text: words.team.saved});
  });

  const isOver = kept !== undefined && !isChanged;
  // It was saved after all, though the answer was lost: no draft of a later state.
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
 * Somebody may have saved something else of the team in between: then once more, on top of that. Undefined
 * where it was the same thing: the newest team is known now, and the section shows both.
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
