import {useEffect, useRef, useState} from 'react';
import {dropDraft, saveDraft, readDraft} from '../api/drafts.ts';
import type {Problem} from '../api/problem.ts';
import {queryClient, teamQuery} from '../api/queries.ts';
import type {Team, TeamChange} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import {
  isSameJson,
  type SectionDraft,
  computeDraftAfterSave,
  computeDraftAfterTyping,
  saveWithRetries,
  computeSectionState,
} from './section-state.ts';

/** One section of the settings: the part of a team that it shows and changes. */
export interface SectionOf<Draft> {
  /** Name under which the browser stores the section's draft. */
  readonly name: string;
  readonly read: (team: Team) => Draft;
  readonly write: (draft: Draft) => TeamChange;
}

/** Creates a section whose draft has these fields of the team, as the API has them. */
export function createFieldSection<Field extends keyof Team & keyof TeamChange>(
  name: string,
  fields: readonly Field[],
): SectionOf<Pick<Team, Field>> {
  const pick = (team: Pick<Team, Field>) =>
    Object.fromEntries(fields.map((field) => [field, team[field]])) as Pick<Team, Field>;
  return {name, read: pick, write: pick};
}

export interface Section<Draft> {
  readonly draft: Draft;
  readonly set: (draft: Draft) => void;
  readonly change: (change: Partial<Draft>) => void;
  readonly isChanged: boolean;
  /** Values of the section that another person has saved in the meantime. */
  readonly theirs: Draft | undefined;
  readonly keepMine: () => void;
  readonly reset: () => void;
  readonly save: () => Promise<void>;
  readonly isPending: boolean;
  readonly problem: Problem | undefined;
}

/** Saves one section of a team's settings. Other people's changes to it are shown beside the draft. */
export function useSection<Draft>(team: Team, {name, read, write}: SectionOf<Draft>): Section<Draft> {
  const draftKey = `team-${name}:${team.id}`;
  const [kept, setKept] = useState(() => readDraft<SectionDraft<Draft>>(draftKey));
  const newest = useRef(kept);
  const own = read(team);
  const {draft, isChanged, isMoved, isOver} = computeSectionState(kept, own);

  function saveSectionDraft(next: SectionDraft<Draft> | undefined): void {
    newest.current = next;
    setKept(next);
    if (next === undefined) dropDraft(draftKey);
    else saveDraft(draftKey, next);
  }

  const set = (next: Draft): void => saveSectionDraft(computeDraftAfterTyping(next, own, kept));
  const {run, isPending, problem, reset} = useAction(async () => {
    const saved = await saveTeam(team, write(draft), (newest) => isSameJson(read(newest), own));
    if (saved === undefined) return;
    saveSectionDraft(computeDraftAfterSave(newest.current?.draft ?? draft, draft, read(saved)));
    toast({text: texts.team.saved});
  });

  // The save succeeded although its response was lost, so the draft is deleted.
  useEffect(() => {
    if (isOver && !isPending) saveSectionDraft(undefined);
  });

  return {
    draft,
    set,
    change: (change) => set({...draft, ...change}),
    isChanged,
    theirs: isMoved ? own : undefined,
    keepMine: () => {
      reset();
      saveSectionDraft({draft, base: own});
    },
    reset: () => {
      reset();
      saveSectionDraft(undefined);
    },
    save: async () => {
      if (isChanged && !isMoved && !isPending) await run();
    },
    isPending,
    problem,
  };
}

/** Saves the team; undefined if another person saved this section. The cache then has the newest team. */
async function saveTeam(
  team: Team,
  body: TeamChange,
  isUntouched: (newest: Team) => boolean,
): Promise<Team | undefined> {
  const saved = await saveWithRetries(team, {
    send: (revision) => send('patch', '/v1/teams/{team}', {team: team.slug, revision, body}),
    readNewest: () => queryClient.fetchQuery({...teamQuery(team.slug), staleTime: 0}),
    isUntouched,
  });
  if (saved !== undefined) queryClient.setQueryData(teamQuery(team.slug).queryKey, saved);
  return saved;
}
