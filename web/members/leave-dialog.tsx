import {useNavigate} from '@tanstack/react-router';
import {invalidate} from '../api/queries.ts';
import type {Member} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useIsHere} from '../parts/use-is-here.ts';
import {texts} from '../texts/texts.ts';
import {eraseMember} from './queries.ts';

interface LeaveDialogProps {
  readonly member: Member;
  readonly how: 'remove' | 'erase';
  readonly onClose: () => void;
}

export function LeaveDialog({member, how, onClose}: LeaveDialogProps) {
  const t = texts.members[how];
  const {id, name, revision} = member;
  const navigate = useNavigate({from: '/people'});
  const isHere = useIsHere();
  const {run, isPending, problem} = useAction(async () => {
    let erasure: string | undefined;
    if (how === 'erase') erasure = await eraseMember(member);
    else await send('delete', '/v1/members/{member}', {member: id, revision});
    onClose();
    if (erasure === undefined) toast({text: t.done({name})});
    else if (isHere()) await navigate({search: (now) => ({...now, erasure}), replace: true});
    await invalidate('member');
  });
  return (
    <ConfirmDialog
      confirm={t.confirm}
      isOpen
      isPending={isPending}
      onClose={onClose}
      onConfirm={() => run()}
      problem={problem}
      text={<p className="my-3.5">{t.text}</p>}
      title={t.title({name})}
      typed={name}
    />
  );
}
