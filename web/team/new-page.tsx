import {newKey} from '../api/new-key.ts';
import {useNavigate} from '@tanstack/react-router';
import {useState} from 'react';
import {invalidate, queryClient, teamQuery} from '../api/queries.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {ComboBox} from '../parts/combo-box.tsx';
import {bindFields, Form} from '../parts/form.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {TextField} from '../parts/text-field.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useDraft} from '../parts/use-draft.ts';
import {useIsHere} from '../parts/use-is-here.ts';
import {listZones, findBrowserZone} from '../parts/zones.ts';
import {texts} from '../texts/texts.ts';
import {deriveSlug} from './slug.ts';

interface NewTeamFields {
  readonly name: string;
  /** Slug of the new team; undefined while it is derived from the name. */
  readonly slug?: string;
  readonly timezone: string;
}

export function NewTeamPage() {
  const t = texts.team.create;
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [draft, set, drop] = useDraft<NewTeamFields>('new-team', {
    name: '',
    timezone: findBrowserZone(),
  });
  // The idempotency key prevents a second team when the response to the first try was lost.
  const [key, setKey] = useState(() => newKey());
  const slug = draft.slug ?? deriveSlug(draft.name);
  const [isAsked, setAsked] = useState(false);
  const isNameless = draft.name.trim() === '' && slug === '';
  const change = (next: Partial<NewTeamFields>): void => {
    setKey(newKey());
    set({...draft, ...next});
  };
  const {field} = bindFields(draft, change);
  const {run, isPending, problem} = useAction(async () => {
    const name = draft.name.trim();
    const body = {slug, timezone: draft.timezone, ...(name !== '' && {name})};
    const made = await send('post', '/v1/teams', {key, body});
    drop();
    queryClient.setQueryData(teamQuery(made.slug).queryKey, made);
    await invalidate('team');
    toast({text: t.made({name: made.name})});
    if (isHere()) await navigate({to: '/t/$team/settings', params: {team: made.slug}});
    return made;
  });
  const isTaken = problem?.code === 'slug_taken';
  const submit = (): void => {
    setAsked(true);
    if (!isPending && !isNameless) void run();
  };
  return (
    <div className="grid max-w-narrow gap-4 *:min-w-0 [&>header]:mb-0!">
      <PageHead sub={t.hint} title={t.title} />
      <Card as="div">
        <Form label={t.title} onSubmit={submit} problem={problem}>
          <div className="grid max-w-105 gap-4">
            <TextField
              {...field('name')}
              autoComplete="off"
              error={isAsked && isNameless ? t.nameless : undefined}
              label={t.name}
              maxLength={80}
            />
            <TextField
              autoComplete="off"
              error={isTaken ? problem.message : undefined}
              hint={t.slugHint}
              label={t.slug}
              maxLength={40}
              name="slug"
              onChange={(next) => change({slug: next})}
              spellCheck="false"
              value={slug}
            />
            <ComboBox
              label={t.zone}
              name="timezone"
              onChange={(timezone) => timezone !== null && change({timezone})}
              options={listZones(draft.timezone)}
              value={draft.timezone}
            />
          </div>
          {problem !== undefined && <ProblemNote {...(isTaken && {cure: t.taken})} problem={problem} />}
          <Button isPending={isPending} kind="first" type="submit">
            {t.submit}
          </Button>
        </Form>
      </Card>
    </div>
  );
}
