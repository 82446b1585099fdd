import {newKey} from '../api/new-key.ts';
import {useQuery} from '@tanstack/react-query';
import {type KeyboardEvent, useRef, useState} from 'react';
import type {Blocker, Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {bindFields} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Select} from '../parts/select.tsx';
import {TextArea} from '../parts/text-area.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import {buildBlockerRequest, sortViewerFirst} from './authors.ts';
import {updateCachedBlocker} from './changes.ts';
import {longestText} from './edit-text.tsx';
import {peopleQuery} from './queries.ts';
import {mayLeadTeam} from '../parts/rights.ts';
import {useFirstFocus} from './use-first-focus.ts';
import {useDraft} from '../parts/use-draft.ts';

export const raiseDraft = 'blocker';

type OwnTeam = NonNullable<Schema<'Me'>['teams']>[number];

interface BlockerDraft {
  readonly team: string;
  readonly text: string;
  /** Id of the blocked member; empty for the viewer. */
  readonly author: string;
  /** Body of the last request, and its key: the same body sent again creates no second blocker. */
  readonly tried?: {readonly body: string; readonly key: string};
}

export function RaiseBlocker({
  me,
  teams,
  team,
  onEnd,
}: {
  readonly me: Schema<'Me'>;
  readonly teams: readonly OwnTeam[];
  /** Slug of the preselected team: the one that the page shows, otherwise the viewer's first team. */
  readonly team: string;
  readonly onEnd: (raised?: Blocker) => void;
}) {
  const t = texts.blockers.raise;
  const [draft, setDraft, dropDraft] = useDraft<BlockerDraft>(raiseDraft, {team, text: '', author: ''});
  const {field} = bindFields(draft, (change) => setDraft({...draft, ...change}));
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form);
  const [isMissing, setMissing] = useState(false);
  const chosen = teams.some(({slug}) => slug === draft.team) ? draft.team : team;
  const {run, isPending, problem} = useAction(raise);
  const errorAt = (pointer: string): string | undefined =>
    problem?.errors.find((error) => error.pointer === pointer)?.detail;

  async function raise(): Promise<Blocker> {
    const body = buildBlockerRequest(draft, chosen);
    const said = JSON.stringify(body);
    const key = draft.tried?.body === said ? draft.tried.key : newKey();
    setDraft({...draft, tried: {body: said, key}});
    return send('post', '/v1/blockers', {key, body});
  }

  async function submit(): Promise<void> {
    const isEmpty = draft.text.trim() === '';
    setMissing(isEmpty);
    if (isEmpty || isPending) return;
    const raised = await run();
    if (raised === undefined) return;
    dropDraft();
    updateCachedBlocker(raised);
    toast({text: t.raised});
    onEnd(raised);
  }

  function discard(): void {
    dropDraft();
    onEnd();
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit();
  }

  return (
    <Card label={t.title}>
      <form
        ref={form}
        className="grid gap-3.5"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h2>{t.title}</h2>
        <TextArea
          {...field('text')}
          error={isMissing && draft.text.trim() === '' ? texts.blockers.missing : errorAt('#/text')}
          hint={t.hint}
          label={t.text}
          limit={longestText}
          onKeyDown={handleKey}
        />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(220px,100%),320px))] gap-3.5 empty:hidden">
          {teams.length > 1 && (
            <Select
              error={errorAt('#/team')}
              label={t.team}
              onChange={(slug) => setDraft({...draft, team: slug, author: ''})}
              options={teams.map(({slug, name}) => ({id: slug, label: name}))}
              value={chosen}
            />
          )}
          {mayLeadTeam(me, chosen) && (
            <BlockedMemberField
              error={errorAt('#/author')}
              me={me}
              onChange={(author) => setDraft({...draft, author})}
              team={chosen}
              value={draft.author}
            />
          )}
        </div>
        {problem !== undefined && <ProblemNote onRetry={() => void submit()} problem={problem} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button isPending={isPending} kind="first" type="submit">
            {t.submit}
          </Button>
          <Button kind="quiet" onPress={discard}>
            {draft.text.trim() === '' ? t.cancel : t.discard}
          </Button>
          {draft.text.trim() !== '' && <span className="ms-auto text-xs text-quiet">{t.kept}</span>}
        </div>
      </form>
    </Card>
  );
}

/** Field for the blocked member: leads may also raise blockers for members of their team. */
function BlockedMemberField({
  me,
  team,
  value,
  error,
  onChange,
}: {
  readonly me: Schema<'Me'>;
  readonly team: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (author: string) => void;
}) {
  const {data: people = []} = useQuery(peopleQuery(team));
  const {id: own} = me.principal;
  return (
    <Select
      error={error}
      label={texts.blockers.raise.blockedMember}
      onChange={(id) => onChange(id === own ? '' : id)}
      options={sortViewerFirst(
        people.map(({member: {id, name}}) => [id, name] as const),
        me,
      )}
      value={value === '' ? own : value}
    />
  );
}
