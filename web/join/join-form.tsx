import {useState} from 'react';
import {clearSessionData} from '../api/queries.ts';
import {joinByInvite, type OfferedInvite} from '../api/sign-in.ts';
import {Button} from '../parts/button.tsx';
import {ComboBox} from '../parts/combo-box.tsx';
import {canUsePasskeys} from '../parts/features.ts';
import {Form} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {TextField} from '../parts/text-field.tsx';
import {useAction} from '../parts/use-action.ts';
import {explainCodeProblem} from '../parts/ways/enter-code.tsx';
import {findBrowserZone, listZones} from '../parts/zones.ts';
import {formatCity} from '../texts/format.ts';
import {getCurrentLanguage, texts} from '../texts/texts.ts';
import {AskAddress} from './ask-address.tsx';
import type {HeldLink} from './held-link.ts';
import {useOpenJoined} from './use-open-joined.ts';

interface JoinFormProps {
  readonly held: HeldLink;
  readonly invite: OfferedInvite;
  /** Called when the service refuses the invite by now, so that the page shows why. */
  readonly onRefused: () => void;
  /** Called when the person is a member and may add a passkey. */
  readonly onJoined: () => void;
}

/** Asks a person without an account for their name, and takes their time zone from the browser. */
export function JoinForm({held, invite, onRefused, onJoined}: JoinFormProps) {
  const t = texts.join;
  const open = useOpenJoined();
  const [name, setName] = useState('');
  const [zone, setZone] = useState(findBrowserZone);
  const [isChanging, setChanging] = useState(false);
  const [email, setEmail] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [code, setCode] = useState('');
  const {run, isPending, problem, reset} = useAction(async () => {
    await joinByInvite({
      ...held,
      name,
      timezone: zone,
      locale: getCurrentLanguage(),
      ...(isAsked && {email: email.trim(), code}),
    });
    clearSessionData();
    if (canUsePasskeys()) onJoined();
    else await open(invite);
    return true;
  });
  // A link says nothing about who holds it, so a person proves their address.
  if (!isAsked && invite.needs_code)
    return <AskAddress email={email} held={held} onAsked={() => setAsked(true)} onChange={setEmail} />;
  const isReady = name.trim() !== '' && (!isAsked || code.trim() !== '');
  const refusal = problem && explainCodeProblem(problem);
  const submit = async (): Promise<void> => {
    if (isReady && !isPending) await run();
  };
  const shown = formatCity(zone);
  return (
    <Form onSubmit={() => void submit()} problem={problem}>
      {isAsked && (
        <>
          <p role="status">{t.codeSent({email})}</p>
          <TextField
            autoComplete="one-time-code"
            autoFocus
            error={refusal}
            label={texts.signIn.mail.code}
            maxLength={40}
            name="code"
            onChange={setCode}
            spellCheck="false"
            value={code}
          />
        </>
      )}
      <TextField
        autoComplete="name"
        autoFocus={!isAsked}
        label={t.name}
        maxLength={80}
        name="name"
        onChange={setName}
        value={name}
      />
      {isChanging ? (
        <ComboBox
          label={t.zoneLabel}
          name="timezone"
          onChange={(chosen) => chosen !== null && setZone(chosen)}
          options={listZones(zone)}
          value={zone}
        />
      ) : (
        <p className="flex flex-wrap items-center gap-3">
          <span>{zone === findBrowserZone() ? t.zone({zone: shown}) : t.chosenZone({zone: shown})}</span>
          <Button onPress={() => setChanging(true)} size="small">
            {t.change}
          </Button>
        </p>
      )}
      {problem?.status === 403 ? (
        <ProblemNote onRetry={onRefused} problem={problem} />
      ) : (
        problem !== undefined &&
        refusal === undefined && <ProblemNote onRetry={() => void submit()} problem={problem} />
      )}
      <div className="flex flex-wrap gap-3">
        <Button isDisabled={!isReady} isPending={isPending} kind="first" type="submit">
          {t.join}
        </Button>
        {isAsked && (
          <Button
            onPress={() => {
              setAsked(false);
              setCode('');
              reset();
            }}
          >
            {refusal === undefined ? texts.signIn.mail.other : texts.signIn.mail.getNew}
          </Button>
        )}
      </div>
    </Form>
  );
}
