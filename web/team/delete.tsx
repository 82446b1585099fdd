import {useNavigate} from '@tanstack/react-router';
import {useState} from 'react';
import {Problem} from '../api/problem.ts';
import {meQuery, queryClient, teamQuery} from '../api/queries.ts';
import type {Team} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useIsHere} from '../parts/use-is-here.ts';
import {texts} from '../texts/texts.ts';
import {SectionCard} from './section.tsx';

export function DeleteSection({team}: {readonly team: Team}) {
  const t = texts.team.delete;
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [isOpen, setOpen] = useState(false);
  const {run, isPending, problem, reset} = useAction((force: boolean) =>
    send('delete', '/v1/teams/{team}', {team: team.slug, ...(force && {force: 'true'})}),
  );
  const hasStandups = problem instanceof Problem && problem.code === 'team_not_empty';

  async function remove(): Promise<void> {
    if ((await run(hasStandups)) === undefined) return;
    // Remove the team from the viewer's cached teams, or the Today page would still show it.
    queryClient.setQueryData(meQuery.queryKey, (me) =>
      me === undefined ? me : {...me, teams: me.teams?.filter(({id}) => id !== team.id) ?? null},
    );
    setOpen(false);
    if (isHere()) await navigate({to: '/'});
    queryClient.removeQueries(teamQuery(team.slug));
    toast({text: t.deleted({name: team.name})});
    await queryClient.invalidateQueries();
  }

  return (
    <SectionCard hint={t.text} title={t.title}>
      <div>
        <Button
          kind="danger"
          onPress={() => {
            reset();
            setOpen(true);
          }}
        >
          {t.open}
        </Button>
      </div>
      <ConfirmDialog
        confirm={t.confirm}
        isOpen={isOpen}
        isPending={isPending}
        key={String(hasStandups)}
        onClose={() => setOpen(false)}
        onConfirm={() => void remove()}
        problem={hasStandups ? undefined : problem}
        text={hasStandups ? t.withStandups : t.lose}
        title={t.dialog({name: team.name})}
        typed={team.slug}
      />
    </SectionCard>
  );
}
