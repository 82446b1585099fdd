import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {newKey} from '../api/new-key.ts';
import {invalidate} from '../api/queries.ts';
import type {Invite, Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {ConfirmFirst} from '../parts/confirm-first.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {nameMailState} from '../parts/mail-state.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {dateInZone, formatDayLong} from '../texts/format.ts';
import {findText, isLanguage, texts} from '../texts/texts.ts';
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
          <p className="text-sm text-quiet">{t.cantShow({isMailed: invite.mail !== null})}</p>
          {invite.mail !== null && invite.email !== null && <SendAgain invite={invite} onSent={onClose} />}
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

const teamRoles = ['lead', 'member', 'observer'] as const;

/** Invites the same address to the same again, which ends this invite. */
function SendAgain({invite, onSent}: {readonly invite: Invite; readonly onSent: () => void}) {
  const {details: t, sent} = texts.invites;
  const {email, role, teams, locale} = invite;
  const {run, isPending, problem} = useAction(async () => {
    const body: Schema<'NewInvite'> = {
      emails: email === null ? [] : [email],
      teams: teams.map(({team_id, role: given}) => {
        const teamRole = teamRoles.find((one) => one === given);
        return {team_id, ...(teamRole && {role: teamRole})};
      }),
      role: role === 'admin' ? role : 'member',
      ...(isLanguage(locale) && {locale}),
    };
    const {data} = await send('post', '/v1/invites', {body, key: newKey()});
    onSent();
    toast({text: sent({count: data.length})});
    await invalidate('invite');
  });
  const button = (
    <Button isPending={isPending} onPress={() => void run()}>
      {t.sendAgain}
    </Button>
  );
  return (
    <div className="grid justify-items-start gap-1">
      {role === 'admin' ? <ConfirmFirst scope="tokens:manage">{button}</ConfirmFirst> : button}
      <p className="text-sm text-quiet">{t.sendAgainHint}</p>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
}

function Facts({invite, teams}: {readonly invite: Invite; readonly teams: string}) {
  const {details: t, list, roles} = texts.invites;
  const {
    email,
    email_domain: domain,
    created_by: maker,
    role,
    uses,
    max_uses,
    expires_at,
    state,
    mail,
  } = invite;
  const facts = [
    [t.to, email ?? (domain === null ? list.link : t.onlyDomain({domain}))],
    [t.by, maker === null ? t.operator : (maker.name ?? t.gone)],
    [t.teams, teams],
    [t.role, findText(roles, role) ?? role],
    [t.uses, t.usesOf({uses, most: max_uses})],
    [t.until, formatDayLong(dateInZone(expires_at))],
    [t.state, findText(t.states, state) ?? state],
    ...(mail === null ? [] : [[t.mail, [nameMailState(mail.state), mail.detail].filter(Boolean).join(': ')]]),
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
