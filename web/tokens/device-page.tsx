import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {useState} from 'react';
import {newKey} from '../api/new-key.ts';
import type {Problem} from '../api/problem.ts';
import {invalidate, meQuery} from '../api/queries.ts';
import {read} from '../api/read.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {ConfirmFirst} from '../parts/confirm-first.tsx';
import {Form} from '../parts/form.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {TextField} from '../parts/text-field.tsx';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import {isScope} from './scopes.ts';

type Login = Schema<'DeviceLogin'>;
type Decision = 'approve' | 'deny';

/** A program's sign-in, and the person's decision about it. */
interface Decided {
  readonly login: Login;
  readonly decision: Decision;
}

/**
 * The page at which a person signs a program in. They type its code: no address can bring one along, so a link
 * from somebody else approves nothing.
 */
export function DevicePage() {
  const t = texts.tokens.device;
  const [login, setLogin] = useState<Login>();
  const [decided, setDecided] = useState<Decided>();
  return (
    <div className="grid max-w-narrow gap-4 *:min-w-0 [&>header]:mb-0!">
      <PageHead sub={t.sub} title={t.title} />
      {decided !== undefined ? (
        <Outcome {...decided} />
      ) : (
        <ConfirmFirst scope="tokens:manage">
          {login === undefined ? (
            <EnterCode onFound={setLogin} />
          ) : (
            <Decide
              login={login}
              onDecided={(decision) => setDecided({login, decision})}
              onOther={() => setLogin(undefined)}
            />
          )}
        </ConfirmFirst>
      )}
    </div>
  );
}

function EnterCode({onFound}: {readonly onFound: (login: Login) => void}) {
  const t = texts.tokens.device;
  const [code, setCode] = useState('');
  const {run, isPending, problem} = useAction((typed: string) =>
    read('/v1/device-logins/{user_code}', {user_code: typed}),
  );
  const isReady = code.trim() !== '';
  const refusal = explainRefusal(problem);
  async function submit(): Promise<void> {
    const found = isReady && !isPending ? await run(code.trim()) : undefined;
    if (found !== undefined) onFound(found);
  }
  return (
    <Card>
      <Form onSubmit={submit} problem={problem}>
        <TextField
          autoComplete="off"
          autoFocus
          error={refusal}
          hint={t.codeHint}
          label={t.code}
          maxLength={40}
          name="user_code"
          onChange={setCode}
          spellCheck="false"
          value={code}
        />
        {problem !== undefined && refusal === undefined && <ProblemNote problem={problem} />}
        <Button isDisabled={!isReady} isPending={isPending} kind="first" type="submit">
          {t.next}
        </Button>
      </Form>
    </Card>
  );
}

function explainRefusal(problem: Problem | undefined): string | undefined {
  const t = texts.tokens.device;
  if (problem?.code === 'not_found') return t.unknown;
  return problem?.code === 'rate_limited' ? t.tooMany : undefined;
}

interface DecideProps {
  readonly login: Login;
  readonly onDecided: (decision: Decision) => void;
  readonly onOther: () => void;
}

function Decide({login, onDecided, onOther}: DecideProps) {
  const t = texts.tokens.device;
  const {user_code: code, name, scopes, requested_from: from, your_address: here, created_at: at} = login;
  const {data: me} = useQuery(meQuery);
  const {run, isPending, problem} = useAction(async (decision: Decision) => {
    const body = {decision};
    await send('post', '/v1/device-logins/{user_code}', {user_code: code, key: newKey(), body});
    onDecided(decision);
    await invalidate('access_token');
  });
  return (
    <Card labelledBy="device-asks">
      <div className="grid gap-4">
        <h2 className="focus:outline-none" id="device-asks" ref={focusNode} tabIndex={-1}>
          {t.asks}
        </h2>
        <p className="rounded-lg border border-line bg-inset px-4 py-3 font-semibold text-pretty">
          {t.warning}
        </p>
        <dl className="grid gap-3 [&_dt]:text-quiet">
          <div>
            <dt>{t.name}</dt>
            <dd className="wrap-anywhere">
              <bdi>{t.quoted({name})}</bdi>
            </dd>
          </div>
          <div>
            <dt>{t.code}</dt>
            <dd className="font-mono">{code}</dd>
          </div>
          <div>
            <dt>{t.from}</dt>
            <dd>
              <span className="font-mono">{from}</span>, <Stamp instant={at} relative />
            </dd>
          </div>
          <div>
            <dt>{t.here}</dt>
            <dd>
              <span className="font-mono">{here}</span>
              {' · '}
              {from === here ? t.same : <strong className="text-missed">{t.different}</strong>}
            </dd>
          </div>
          <div>
            <dt>{t.may({name: me?.principal.name ?? ''})}</dt>
            <dd>
              <ul className="list-disc ps-5">
                {scopes.map((scope) => (
                  <li key={scope}>
                    {isScope(scope) ? texts.tokens.scopes[scope].label : scope}{' '}
                    <code className="font-mono text-xs/5 text-quiet">{scope}</code>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        </dl>
        <p className="text-quiet">{t.lasts}</p>
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div className="flex flex-wrap gap-3">
          <Button isPending={isPending} kind="first" onPress={() => void run('approve')}>
            {t.approve}
          </Button>
          <Button isDisabled={isPending} kind="danger" onPress={() => void run('deny')}>
            {t.deny}
          </Button>
          <Button isDisabled={isPending} onPress={onOther}>
            {t.other}
          </Button>
        </div>
      </div>
    </Card>
  );
}

function Outcome({login: {name}, decision}: Decided) {
  const t = texts.tokens.device;
  const isApproved = decision === 'approve';
  return (
    <Card>
      <div className="grid gap-2">
        <h2 className="focus:outline-none" ref={focusNode} tabIndex={-1}>
          {isApproved ? t.approved : t.denied}
        </h2>
        <p>{isApproved ? t.approvedText({name}) : t.deniedText({name})}</p>
        <p>
          <Link to="/tokens">{texts.tokens.title}</Link>
        </p>
      </div>
    </Card>
  );
}

/** Moves the focus to a heading that appears, so that screen readers say it. */
function focusNode(node: HTMLElement | null): void {
  node?.focus();
}
