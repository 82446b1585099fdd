import {Link, useNavigate} from '@tanstack/react-router';
import {type ReactNode, useEffect, useState} from 'react';
import type {Me} from '../api/schema.ts';
import {fetchInvite, type OfferedInvite} from '../api/sign-in.ts';
import {Button} from '../parts/button.tsx';
import {Logo} from '../parts/logo.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useAction} from '../parts/use-action.ts';
import {useTitle} from '../parts/use-title.ts';
import {dateInZone, formatDayLong, formatList} from '../texts/format.ts';
import {findText, texts} from '../texts/texts.ts';
import {dropLink, type HeldLink, holdLink} from './held-link.ts';
import {findSignedIn} from './requests.ts';
import {JoinAsMember} from './as-member.tsx';
import {JoinForm} from './join-form.tsx';
import {JoinProviders} from './join-providers.tsx';
import {PasskeyOffer} from './passkey-offer.tsx';
import {useOpenJoined} from './use-open-joined.ts';

/** The invite of the link, and the member who is signed in to this browser. */
interface Found {
  readonly invite: OfferedInvite;
  readonly me: Me | undefined;
}

/**
 * Shows what an invite gives. Only a press of a button joins, so that software that opens links does not use
 * it up.
 */
export function JoinPage() {
  const t = texts.join;
  const [held, setHeld] = useState(holdLink);
  const [found, setFound] = useState<Found>();
  // A provider has led back here.
  const [returned] = useState(() => new URLSearchParams(location.search));
  const open = useOpenJoined();
  const {run: look, problem} = useAction(async ({link}: HeldLink) => {
    const [invite, me] = await Promise.all([fetchInvite(link), findSignedIn()]);
    if (returned.has('joined') && me?.workspace.id === invite.workspace.id) await open(invite);
    else setFound({invite, me});
  });
  useTitle(found && t.title({workspace: found.invite.workspace.name}));
  useEffect(() => {
    const onHash = (): void => {
      setFound(undefined);
      setHeld(holdLink());
    };
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => {
    if (held !== undefined) void look(held);
    // Runs only once for each link.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [held]);
  const isUnknown = held === undefined || problem?.status === 401;
  const name = found?.invite.workspace.name;
  return (
    <main className="mx-auto w-full max-w-card px-4 pt-[max(24px,12vh)] pb-8">
      <p className="mb-4 flex items-center gap-2 text-lg/5 font-bold">
        <Logo />
        {texts.frame.brand}
      </p>
      <section aria-live="polite" className="flex flex-col gap-4 rounded-xl border border-line bg-card p-6">
        <h1>
          {isUnknown || name === undefined ? (isUnknown ? t.failed : t.waiting) : t.title({workspace: name})}
        </h1>
        {isUnknown && (
          <Refused text={t.refused.unknown}>
            <SignInLink />
          </Refused>
        )}
        {!isUnknown && problem !== undefined && (
          <ProblemNote onRetry={() => void look(held)} problem={problem} />
        )}
        {!isUnknown && problem === undefined && found !== undefined && (
          <Offer {...found} held={held} onChanged={() => void look(held)} refusal={returned.get('problem')} />
        )}
      </section>
    </main>
  );
}

/** Shows the next step for this person: join, sign in first, or why neither works. */
function Offer({
  invite,
  me,
  held,
  refusal,
  onChanged,
}: Found & {
  readonly held: HeldLink;
  /** Why the way through a provider has failed; any text, since it is in the address. */
  readonly refusal: string | null;
  readonly onChanged: () => void;
}) {
  const t = texts.join;
  const {state, workspace} = invite;
  const navigate = useNavigate();
  const openJoined = useOpenJoined();
  const [isJoined, setJoined] = useState(false);
  const isHere = me?.workspace.id === workspace.id;
  const isIn =
    isHere && me.role !== undefined && invite.teams.every(({id}) => me.teams?.some((team) => team.id === id));
  const open = (
    <Button
      kind="first"
      onPress={() => {
        dropLink();
        void navigate({to: '/'});
      }}
    >
      {t.open({workspace: workspace.name})}
    </Button>
  );
  if (isJoined) return <PasskeyOffer onDone={() => void openJoined(invite)} workspace={workspace.name} />;
  if (isIn) return <Refused text={t.member}>{open}</Refused>;
  if (state !== 'open' && !(state === 'member' && me !== undefined)) {
    const inviter = invite.invited_by;
    const date = formatDayLong(dateInZone(invite.expires_at));
    const refusals = {
      expired: t.refused.expired({date, inviter}),
      used: t.refused.used,
      revoked: t.refused.revoked({inviter}),
      blocked: t.refused.blocked({inviter, workspace: workspace.name}),
      member: t.refused.member,
    };
    return (
      <Refused text={refusals[state]}>{isHere ? open : <SignInLink returns={state === 'member'} />}</Refused>
    );
  }
  return (
    <>
      <div className="grid gap-1">
        <p>
          {t.invited({
            inviter: invite.invited_by,
            teams: invite.teams.length === 0 ? null : formatList(invite.teams.map(({name}) => name)),
          })}
        </p>
        {invite.role === 'admin' && me === undefined && <p>{t.asAdmin}</p>}
        <p className="text-sm text-quiet">
          {invite.email !== null && `${t.address({email: invite.email})} `}
          {invite.email_domain !== null && `${t.domain({domain: invite.email_domain})} `}
          {t.until({date: formatDayLong(dateInZone(invite.expires_at))})}
        </p>
      </div>
      {refusal !== null && me === undefined && (
        <p role="alert">{findText(texts.signIn.problems, refusal) ?? texts.signIn.problems.other}</p>
      )}
      {me === undefined ? (
        <>
          <JoinProviders held={held} invite={invite} />
          {!invite.needs_provider && (
            <JoinForm held={held} invite={invite} onJoined={() => setJoined(true)} onRefused={onChanged} />
          )}
          {invite.needs_provider && invite.providers.length === 0 && <p>{t.noWay}</p>}
        </>
      ) : (
        <JoinAsMember held={held} invite={invite} isHere={isHere} me={me} onLeft={onChanged} />
      )}
    </>
  );
}

function Refused({text, children}: {readonly text: string; readonly children: ReactNode}) {
  return (
    <>
      <p>{text}</p>
      <div className="flex flex-wrap gap-3">{children}</div>
    </>
  );
}

/** Leads to the sign-in page. `returns`: the person comes back here, to join. */
function SignInLink({returns = false}: {readonly returns?: boolean}) {
  return (
    <Link
      className="inline-flex min-h-11 items-center font-semibold"
      search={{to: returns ? '/join' : '/'}}
      to="/sign-in"
    >
      {texts.join.signIn}
    </Link>
  );
}
