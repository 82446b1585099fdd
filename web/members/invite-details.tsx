import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Invite} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {dateInZone, formatDayLong} from '../texts/format.ts';
import {findText, texts} from '../texts/texts.ts';
import {inviteQuery} from './queries.ts';

interface InviteDetailsProps {
  readonly id: string;
  readonly nameTeams: (invite: Invite) => string;
  readonly onClose: () => void;
}

/** Shows who created an invite and what it gives, and ends it. Its link was shown once, and is not here. */
export function InviteDetails({id, nameTeams, onClose}: InviteDetailsProps) {
  const t = texts.invites.details;
  const {data: invite, error, refetch} = useQuery(inviteQuery(id));
  const [erases, setErases] = useState(false);
  const {run, isPending, problem} = useAction(async () => {
    await send('delete', '/v1/invites/{invite}', {invite: id, ...(erases && {erase: 'true'})});
    onClose();
    toast({text: t.ended});
    await invalidate('invite');
  });
  return (
    <Dialog isOpen onClose={onClose} title={t.title}>
      {invite === undefined && error === null && <Skeleton lines={5} />}
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {invite !== undefined && (
        <div className="grid gap-4">
          <Facts invite={invite} teams={nameTeams(invite)} />
          <p className="text-sm text-quiet">{t.cantShow}</p>
          {invite.email !== null && <CheckBox isSelected={erases} label={t.erase} onChange={setErases} />}
          {problem !== undefined && <ProblemNote problem={problem} />}
          <div>
            <Button isPending={isPending} kind="danger" onPress={() => void run()}>
              {t.end}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function Facts({invite, teams}: {readonly invite: Invite; readonly teams: string}) {
  const {details: t, list, roles} = texts.invites;
  const {email, created_by: maker, role, uses, max_uses, expires_at, state} = invite;
  const facts = [
    [t.to, email ?? list.link],
    [t.by, maker === null ? t.operator : (maker.name ?? t.gone)],
    [t.teams, teams],
    [t.role, findText(roles, role) ?? role],
    [t.uses, t.usesOf({uses, most: max_uses})],
    [t.until, formatDayLong(dateInZone(expires_at))],
    [t.state, findText(t.states, state) ?? state],
  ];
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      {facts.map(([name, value]) => (
        <div className="contents" key={name}>
          <dt className="text-quiet">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
