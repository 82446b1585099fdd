import {useNavigate} from '@tanstack/react-router';
import {queryClient} from '../api/queries.ts';
import {send} from '../api/send.ts';
import type {Me} from '../api/schema.ts';
import {signOut} from '../api/session.ts';
import type {OfferedInvite} from '../api/sign-in.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {formatList} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {dropLink, type HeldLink} from './held-link.ts';
import {useOpenJoined} from './use-open-joined.ts';

interface JoinAsMemberProps {
  readonly held: HeldLink;
  readonly invite: OfferedInvite;
  readonly me: Me;
  /** True if the member is signed in to the workspace of the invite. */
  readonly isHere: boolean;
  readonly onLeft: () => void;
}

/** Lets a member who is signed in join the teams, or sign out, to join as somebody else. */
export function JoinAsMember({held, invite, me, isHere, onLeft}: JoinAsMemberProps) {
  const t = texts.join;
  const navigate = useNavigate();
  const open = useOpenJoined();
  const {name} = me.principal;
  const teams = formatList(invite.teams.map((team) => team.name));
  const accept = useAction(async () => {
    await send('post', '/v1/invites/accept', {body: {link: held.link}});
    toast({text: t.joined({teams})});
    await queryClient.invalidateQueries();
    await open(invite);
  });
  const leave = useAction(async () => {
    await signOut();
    onLeft();
  });
  // The service has compared the addresses: the invite is for somebody else.
  const isForOther = accept.problem?.code === 'forbidden' && invite.email !== null;
  const said = !isHere
    ? t.elsewhere({name})
    : isForOther
      ? t.other({name, email: invite.email})
      : t.signedIn({name});
  const problem = isForOther ? leave.problem : (accept.problem ?? leave.problem);
  const mayJoin = isHere && !isForOther;
  return (
    <>
      <p>{said}</p>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div className="flex flex-wrap gap-3">
        {mayJoin && (
          <Button isPending={accept.isPending} kind="first" onPress={() => void accept.run()}>
            {t.joinTeams({teams})}
          </Button>
        )}
        {invite.state === 'open' && (
          <Button
            isPending={leave.isPending}
            kind={mayJoin ? 'plain' : 'first'}
            onPress={() => void leave.run()}
          >
            {t.leave}
          </Button>
        )}
        <Button
          kind="quiet"
          onPress={() => {
            dropLink();
            void navigate({to: '/'});
          }}
        >
          {t.stay}
        </Button>
      </div>
    </>
  );
}
